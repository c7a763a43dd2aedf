public import FieldFoundation
internal import FieldCore

/// What a client needs to know about its database.
///
/// ```swift
/// let configuration = FirestoreConfiguration(
///   project: "walks", tokens: SecureTokenProvider(apiKey: key, refreshToken: token, transport: transport))
/// let local = FirestoreConfiguration.emulator(project: "walks", at: "127.0.0.1:8080")
/// ```
public struct FirestoreConfiguration: Sendable {
  /// The database.
  public var database: FirestoreDatabase
  /// The address of the server, without a path. Defaults to Google's.
  public var endpoint: URL
  /// Where tokens come from. Defaults to none, for databases that everybody may read.
  public var tokens: any TokenProvider
  /// The limits that are checked before anything is sent.
  public var limits = FirestoreLimits()
  /// How failed calls are retried.
  public var retry = FirestoreRetryPolicy()
  /// How receipts of commits are stored.
  public var receipts = FirestoreReceiptPolicy()
  /// Header fields that are sent with each request, such as `X-Firebase-AppCheck`.
  public var fields: HTTPHeaderFields = [:]

  /// Creates a configuration for Google's servers.
  public init(
    project: String, database: String = "(default)", tokens: any TokenProvider = .none,
    endpoint: URL? = nil
  ) {
    self.database = FirestoreDatabase(project: project, id: database)
    self.tokens = tokens
    self.endpoint = endpoint ?? URL(literal: "https://firestore.googleapis.com")
  }

  /// Returns a configuration for an emulator.
  ///
  /// - Parameters:
  ///   - project: The ID of the project. The emulator needs one in lowercase.
  ///   - host: The host and port, as in the variable `FIRESTORE_EMULATOR_HOST`.
  ///   - tokens: Where tokens come from. Defaults to the owner's, who may do everything.
  /// - Throws: `FieldError` with the code `input.invalid` if the host doesn't make an address.
  public static func emulator(
    project: String, at host: String, tokens: any TokenProvider = .owner
  ) throws -> FirestoreConfiguration {
    guard let url = URL(string: host.contains("://") ? host : "http://\(host)"), url.host != nil
    else {
      throw FieldError(.invalidInput, "\"\(host)\" isn't a host and port, such as 127.0.0.1:8080.")
    }
    return FirestoreConfiguration(project: project, tokens: tokens, endpoint: url)
  }
}
