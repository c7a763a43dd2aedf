public import FieldFoundation

/// The contents of an asset cache, and statistics since its creation.
public struct AssetReport: Sendable, Codable {
  /// A damaged file of the cache that was removed.
  public struct Drop: Sendable, Hashable, Codable {
    /// The file.
    public var file: URL
    /// A description of the damage.
    public var reason: String
    /// The time at which the damage was found.
    public var date: Date
  }

  /// The number of assets in memory.
  public var memoryCount = 0
  /// The size of the assets in memory, in bytes; never more than ``AssetLimits/memoryBytes``.
  public var memoryBytes = 0
  /// The number of assets in files.
  public var diskCount = 0
  /// The size of the files, in bytes.
  public var diskBytes = 0

  /// The number of times that an asset was found in memory.
  public var memoryHits = 0
  /// The number of times that an asset was found in a file.
  public var diskHits = 0
  /// The number of times that an asset was found neither in memory nor in a file.
  public var misses = 0
  /// The number of assets that their source sent.
  public var downloads = 0
  /// The size of the downloaded assets, in bytes.
  public var downloadedBytes = 0
  /// The number of times that a source confirmed an asset.
  public var confirmations = 0
  /// The number of requests that failed or returned an unacceptable response.
  public var failures = 0
  /// The number of files removed to make room.
  public var evictions = 0

  /// The damaged files, at most the last 100.
  public var drops: [Drop] = []
  /// The total number of damaged files.
  public var dropCount = 0
  /// The last error of the cache's files, or `nil` if an asset has been written since.
  ///
  /// ``AssetCache/asset(for:refresh:)`` never throws such an error: it returns the asset and keeps
  /// it in memory.
  public var diskFailure: FieldError?

  /// Creates the report of an unused cache.
  public init() {}

  mutating func note(_ drop: Drop) {
    dropCount += 1
    if drops.count == 100 { drops.removeFirst() }
    drops.append(drop)
  }
}
