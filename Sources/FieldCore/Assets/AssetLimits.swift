/// The limits of an asset cache.
public struct AssetLimits: Sendable, Hashable, Codable {
  /// The maximum size of the assets in memory, in bytes, including 512 for each.
  ///
  /// Defaults to 32 MiB.
  public var memoryBytes: Int
  /// The maximum size of the files, in bytes, including headers.
  ///
  /// Defaults to 256 MiB.
  public var diskBytes: Int
  /// The maximum size of an asset, in bytes.
  ///
  /// Larger ones are rejected. Defaults to 16 MiB.
  public var largestAsset: Int
  /// The maximum number of concurrent requests.
  ///
  /// Defaults to 6.
  public var transfers: Int

  /// Creates limits, raising negative values to zero and `transfers` to at least 1.
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

extension FieldError.Code {
  /// An asset is larger than ``AssetLimits/largestAsset``; it isn't kept.
  public static var assetTooLarge: Self { Self(rawValue: "asset.tooLarge") }
  /// An asset's format isn't one that the request accepts; the asset isn't kept.
  ///
  /// This happens, for example, if a server returns an HTML page in place of a picture.
  public static var assetFormat: Self { Self(rawValue: "asset.format") }
  /// The requested local file doesn't exist.
  public static var assetMissing: Self { Self(rawValue: "asset.missing") }
}
