extension FieldError.Code {
  /// An asset has more bytes than ``AssetLimits/largestAsset`` allows; it is not kept.
  public static var assetTooLarge: Self { Self(rawValue: "asset.tooLarge") }
  /// The bytes are of a format that was not asked for, such as a web page in place of a picture; they
  /// are not kept.
  public static var assetFormat: Self { Self(rawValue: "asset.format") }
  /// The local file that was asked for is not there.
  public static var assetMissing: Self { Self(rawValue: "asset.missing") }
}
