public import FieldCore

extension RefreshReport.Notice.Code {
  /// A table of the zoo other than the animals could not be refreshed; it is as it was.
  public static var tableFailed: Self { Self(rawValue: "zoo.tableFailed") }
}
