package import FieldCore
package import FieldFoundation

/// The date when the portal imported a row, in PHP's JSON format.
///
/// `{"date": "2022-12-23 14:05:14.668579", "timezone_type": 3, "timezone": "Asia/Taipei"}`
package enum ImportDate {
  /// The column that contains the date in every dataset of the portal.
  package static let column = "_importdate"

  /// Returns the date, or `nil` if the value isn't one or its time zone is unknown.
  package static func date(in value: JSONValue) -> Date? {
    guard let text = value.string ?? value["date"]?.string else { return nil }
    switch value["timezone"]?.string {
    case nil, "", "Asia/Taipei": return TimestampParser(zone: .taipei).instant(text)?.date
    case "UTC", "Z", "GMT": return TimestampParser(zone: .utc).instant(text)?.date
    // The first of the three time zone types is an offset from UTC.
    case let zone?: return TimestampParser(zone: .utc).instant("\(text) \(zone)")?.date
    }
  }
}
