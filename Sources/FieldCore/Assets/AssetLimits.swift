/// How much an asset cache may hold and do at a time.
public struct AssetLimits: Sendable, Hashable, Codable {
  /// How many bytes the assets in memory may have, 512 for each included; 32 MiB by default.
  public var memoryBytes: Int
  /// How many bytes the files may have, their headers included; 256 MiB by default.
  public var diskBytes: Int
  /// How many bytes one asset may have; 16 MiB by default. A larger one is refused.
  public var largestAsset: Int
  /// How many exchanges run at a time; 6 by default.
  public var transfers: Int

  /// Makes limits; what is below zero counts as zero, and at least one exchange can run.
  public init(
    memoryBytes: Int = 32 << 20, diskBytes: Int = 256 << 20, largestAsset: Int = 16 << 20,
    transfers: Int = 6
  ) {
    self.memoryBytes = max(memoryBytes, 0)
    self.diskBytes = max(diskBytes, 0)
    self.largestAsset = max(largestAsset, 0)
    self.transfers = max(transfers, 1)
  }
}
