public import FieldCore

extension FieldError.Code {
  /// The city's feed has no items, although it had some before.
  public static var emptyCityFeed: Self {
    Self(rawValue: "civic.emptyFeed") { CivicGuidance.table }
  }
  /// There is no activity with this ID.
  public static var unknownActivity: Self {
    Self(rawValue: "civic.unknownActivity") { CivicGuidance.table }
  }
}
