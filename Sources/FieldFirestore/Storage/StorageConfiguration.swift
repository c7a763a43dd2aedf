public import FieldFoundation
internal import FieldCore

/// What a client needs to know about its bucket.
public struct StorageConfiguration: Sendable {
  /// The name of the bucket, such as `walks.appspot.com`.
  public var bucket: String
  /// The address of the server, without a path. Defaults to Google's.
  public var endpoint: URL
  /// Where tokens come from. Defaults to none, for objects that everybody may read.
  public var tokens: any TokenProvider
  /// The size of the parts that larger objects are uploaded and downloaded in, in bytes. Defaults to
  /// 4 MiB; for uploads, it is brought to a multiple of what the server asks for.
  public var chunkSize = 4 << 20
  /// How failed calls are retried. Defaults to 5 attempts with waits from 2 through 64 seconds.
  public var retry: FirestoreRetryPolicy
  /// Header fields that are sent with each request, such as `X-Firebase-AppCheck`.
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
