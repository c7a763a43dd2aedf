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
