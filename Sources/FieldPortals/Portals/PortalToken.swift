/// The source of a client's token for a portal: a fixed token, or a closure that is called before each
/// request.
///
/// A token of Socrata only raises the portal's limits; those of the other portals are credentials. A token is
/// sent in a header field that logs hide, never in a URL, which would appear in them.
///
/// | Portal | Field |
/// |---|---|
/// | Socrata | `X-App-Token` |
/// | ArcGIS | `X-Esri-Authorization` |
/// | CKAN | `Authorization` |
/// | OpenDataSoft | `Authorization`, after `Apikey` |
public struct PortalToken: Sendable, CustomStringConvertible {
  let provide: @Sendable () async throws -> String?

  /// Creates a source of a fixed token.
  public init(_ token: String) { provide = { token.isEmpty ? nil : token } }

  /// Creates a source that calls a closure for each request's token; `nil` sends none.
  public init(provider: @escaping @Sendable () async throws -> String?) { provide = provider }

  /// The name of the type, without the token.
  public var description: String { "PortalToken" }
}

/// The source of an app token for a Socrata portal.
public typealias SODAToken = PortalToken
