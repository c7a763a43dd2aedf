/// The result of ``AssetCache/prefetch(_:)``.
public struct AssetPrefetchReport: Sendable, Codable {
  /// An asset that couldn't be fetched.
  public struct Failure: Sendable, Codable {
    /// The request for the asset.
    public var request: AssetRequest
    /// The reason that the asset couldn't be fetched.
    public var error: FieldError

    /// Creates a failure.
    public init(request: AssetRequest, error: FieldError) {
      self.request = request
      self.error = error
    }
  }

  /// The number of assets that were present and fresh, including local files.
  public var present: Int
  /// The number of assets that were requested from their source and are present now.
  public var fetched: Int
  /// The assets that couldn't be fetched, in the order of the requests.
  public var failures: [Failure]

  /// Creates a report.
  public init(present: Int = 0, fetched: Int = 0, failures: [Failure] = []) {
    self.present = present
    self.fetched = fetched
    self.failures = failures
  }
}
