public import FieldFoundation
internal import FieldCore

/// The configuration of a ``StorageClient``.
public struct StorageConfiguration: Sendable {
  /// The name of the bucket, such as `walks.appspot.com`.
  public var bucket: String
  /// The URL of the server, without a path.
  ///
  /// Defaults to Google's.
  public var endpoint: URL
  /// The provider of tokens.
  ///
  /// Defaults to none, for publicly readable objects.
  public var tokens: any TokenProvider
  /// The size of the parts in which larger objects are transferred, in bytes.
  ///
  /// Defaults to 4 MiB.
  ///
  /// Uploads round it to a multiple of the granularity that the server requires.
  public var chunkSize = 4 << 20
  /// The largest object to download into memory, in bytes.
  ///
  /// Defaults to 64 MiB.
  ///
  /// The size that the server states can be any, because all users who can write to the bucket decide it.
  /// Downloads to a file have no limit.
  public var maximumDownloadSize = 64 << 20
  /// The policy for retrying failed calls.
  ///
  /// Defaults to 5 attempts. The delay begins with 2 seconds and doubles up to 64 seconds.
  public var retry: FirestoreRetryPolicy
  /// The header fields to send with each request, such as `X-Firebase-AppCheck`.
  public var fields: HTTPHeaderFields = [:]

  /// Creates a configuration.
  public init(bucket: String, tokens: any TokenProvider = .none, endpoint: URL? = nil) {
    self.bucket = bucket
    self.tokens = tokens
    self.endpoint = endpoint ?? URL(literal: "https://firebasestorage.googleapis.com")
    retry = FirestoreRetryPolicy()
    retry.initialDelay = .seconds(2)
    retry.multiplier = 2
    retry.maximumDelay = .seconds(64)
  }
}
