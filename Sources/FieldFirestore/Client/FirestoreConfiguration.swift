public import FieldFoundation
internal import FieldCore

/// The configuration of a ``FirestoreClient``.
///
/// ```swift
/// let configuration = FirestoreConfiguration(
///   project: "walks", tokens: SecureTokenProvider(apiKey: key, refreshToken: token, transport: transport))
/// let local = FirestoreConfiguration.emulator(project: "walks", at: "127.0.0.1:8080")
/// ```
public struct FirestoreConfiguration: Sendable {
  /// The database.
  public var database: FirestoreDatabase
  /// The URL of the server, without a path.
  ///
  /// Defaults to Google's.
  public var endpoint: URL
  /// The provider of tokens.
  ///
  /// Defaults to none, for publicly readable databases.
  public var tokens: any TokenProvider
  /// The limits to check before sending.
  public var limits = FirestoreLimits()
  /// The policy for retrying failed calls.
  public var retry = FirestoreRetryPolicy()
  /// The policy for storing receipts of commits.
  public var receipts = FirestoreReceiptPolicy()
  /// The header fields to send with each request, such as `X-Firebase-AppCheck`.
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
  ///   - project: The ID of the project, which must be lowercase for the emulator.
  ///   - host: The host and port, as in the environment variable `FIRESTORE_EMULATOR_HOST`.
  ///   - tokens: The provider of tokens. Defaults to the owner's, who may do everything.
  /// - Throws: `FieldError` with the code `input.invalid` if the host isn't valid in a URL.
  public static func emulator(
    project: String, at host: String, tokens: any TokenProvider = .owner
  ) throws -> FirestoreConfiguration {
    guard let url = URL(string: host.contains(bytesOf: "://") ? host : "http://\(host)"),
      url.host != nil
    else {
      throw FieldError(.invalidInput, "\"\(host)\" isn't a host and port, such as 127.0.0.1:8080.")
    }
    return FirestoreConfiguration(project: project, tokens: tokens, endpoint: url)
  }
}
