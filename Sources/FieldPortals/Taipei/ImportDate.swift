package import FieldCore
package import FieldFoundation

/// When the portal took a row in, as PHP writes a date to JSON:
/// `{"date": "2022-12-23 14:05:14.668579", "timezone_type": 3, "timezone": "Asia/Taipei"}`.
package enum ImportDate {
  /// The column that every dataset of the portal has it in.
  package static let column = "_importdate"

  /// The moment; nil when the value is none, or names a zone that is not known here.
  package static func date(in value: JSONValue) -> Date? {
    guard let text = value.string ?? value["date"]?.string else { return nil }
    switch value["timezone"]?.string {
    case nil, "", "Asia/Taipei": return TimestampParser(zone: .taipei).instant(text)?.date
    case "UTC", "Z", "GMT": return TimestampParser(zone: .utc).instant(text)?.date
    // Of its three types the first is a distance from UTC.
    case let zone?: return TimestampParser(zone: .utc).instant("\(text) \(zone)")?.date
    }
  }
}
