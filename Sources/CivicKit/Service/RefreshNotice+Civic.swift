public import FieldCore

extension RefreshReport.Notice.Code {
  /// The tables were refreshed, and the feeds could not be.
  public static var feedsFailed: Self { Self(rawValue: "civic.feedsFailed") }
}
