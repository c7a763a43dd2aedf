/// Where a client gets its app token from: a fixed one, or what a closure gives before each request.
///
/// A token only raises the limits of a portal; it is no credential, but whoever has it uses them up. It
/// is sent in the header field `X-App-Token`, never in an address, which ends up in logs.
public struct SODAToken: Sendable {
  let provide: @Sendable () async throws -> String?

  /// A fixed token.
  public init(_ token: String) {
    provide = { token.isEmpty ? nil : token }
  }

  /// A token that is asked for before each request; nil sends none.
  public init(provider: @escaping @Sendable () async throws -> String?) {
    provide = provider
  }
}

extension SODAToken: CustomStringConvertible {
  /// Nothing of the token.
  public var description: String { "SODAToken" }
}
