/// The source of a client's app token: a fixed token, or a closure that is called before each
/// request.
///
/// A token only raises a portal's limits. It isn't a credential, but anyone who has it can exhaust
/// its quota. It is sent in the header field `X-App-Token`, never in a URL, which would appear in
/// logs.
public struct SODAToken: Sendable, CustomStringConvertible {
  let provide: @Sendable () async throws -> String?

  /// Creates a source of a fixed token.
  public init(_ token: String) { provide = { token.isEmpty ? nil : token } }

  /// Creates a source that calls a closure for each request's token; `nil` sends none.
  public init(provider: @escaping @Sendable () async throws -> String?) { provide = provider }

  /// The name of the type, without the token.
  public var description: String { "SODAToken" }
}
