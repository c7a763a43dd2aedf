/// What came of an ``AssetCache/prefetch(_:)``.
public struct AssetPrefetchReport: Sendable {
  /// An asset that could not be had.
  public struct Failure: Sendable {
    /// What was asked for.
    public var request: AssetRequest
    /// Why it could not be had.
    public var error: FieldError
  }

  /// How many assets were there, young enough; local files count as there.
  public var present = 0
  /// How many assets were asked for at their source and are there now.
  public var fetched = 0
  /// Those that could not be had, in the order of the requests.
  public var failures: [Failure] = []
}
