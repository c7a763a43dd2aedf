/// The result of ``AssetCache/prefetch(_:)``.
public struct AssetPrefetchReport: Sendable {
  /// An asset that couldn't be fetched.
  public struct Failure: Sendable {
    /// The request for the asset.
    public var request: AssetRequest
    /// The reason that the asset couldn't be fetched.
    public var error: FieldError
  }

  /// The number of assets that were present and fresh, including local files.
  public var present = 0
  /// The number of assets that were requested from their source and are present now.
  public var fetched = 0
  /// The assets that couldn't be fetched, in the order of the requests.
  public var failures: [Failure] = []
}
