public import FieldCore

extension FieldError.Code {
  /// A city's feed has no items, where it had some before.
  public static var emptyCityFeed: Self { Self(rawValue: "civic.emptyFeed") }
  /// There is no activity of this id.
  public static var unknownActivity: Self { Self(rawValue: "civic.unknownActivity") }
}
