public import FieldFoundation

/// What an asset cache holds, and what it has done since it was made.
public struct AssetReport: Sendable, Codable {
  /// A file of the cache that could not be used, and was removed.
  public struct Drop: Sendable, Hashable, Codable {
    /// The file.
    public var file: URL
    /// What was wrong with it.
    public var reason: String
    /// When it was found.
    public var date: Date
  }

  /// How many assets are in memory.
  public var memoryCount = 0
  /// What they cost, in bytes; never more than ``AssetLimits/memoryBytes``.
  public var memoryBytes = 0
  /// How many assets are in files.
  public var diskCount = 0
  /// How many bytes the files have.
  public var diskBytes = 0

  /// How often an asset was found in memory.
  public var memoryHits = 0
  /// How often an asset was found in a file.
  public var diskHits = 0
  /// How often an asset was found nowhere.
  public var misses = 0
  /// How many assets came from their source.
  public var downloads = 0
  /// How many bytes they had.
  public var downloadedBytes = 0
  /// How often a source said that an asset is still the newest.
  public var confirmations = 0
  /// How many exchanges have failed, or gave what could not be accepted.
  public var failures = 0
  /// How many files were removed to make room.
  public var evictions = 0

  /// The last hundred files that could not be used.
  public var drops: [Drop] = []
  /// How many files could not be used.
  public var dropCount = 0
  /// Why an asset could last not be kept on disk; nil when the last one was.
  ///
  /// Such a failure is never one of ``AssetCache/asset(for:refresh:)``: the asset was given, and kept in
  /// memory.
  public var diskFailure: FieldError?

  /// Creates a report of an unused cache.
  public init() {}

  mutating func note(_ drop: Drop) {
    dropCount += 1
    if drops.count == 100 { drops.removeFirst() }
    drops.append(drop)
  }
}
