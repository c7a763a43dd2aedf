public import FieldCore
public import FieldFoundation

/// A cell of a dataset, read as it is asked for.
///
/// Portals send numbers as text or as numbers, and the same number in both ways at different times; a
/// cell has its text, and is equal to another when that is the same.
public struct SODAValue: Sendable, Hashable, Codable {
  /// The text of the cell; JSON with its keys in order when it is an object or an array.
  public let text: String
  /// Whether the cell is an object or an array, such as a place.
  public let isNested: Bool

  /// Makes a cell of a text.
  public init(_ text: String) {
    self.text = text
    isNested = false
  }

  init(text: String, isNested: Bool) {
    self.text = text
    self.isNested = isNested
  }

  /// The cell of a JSON value; nil for null.
  init?(_ value: JSONValue) {
    switch value {
    case .null: return nil
    case .bool(let flag): self.init(flag ? "true" : "false")
    case .number(let text), .string(let text): self.init(text)
    case .array, .object: self.init(text: value.canonicalText, isNested: true)
    }
  }

  /// The number; nil when the cell is none, or not a finite one.
  public var double: Double? { isNested ? nil : JSONValue.string(text).double }

  /// The whole number; nil when the cell is none, or it does not fit.
  public var integer: Int? { isNested ? nil : JSONValue.string(text).integer }

  /// The truth value; nil when the cell is none.
  public var bool: Bool? {
    switch text.lowercased() {
    case "true": true
    case "false": false
    default: nil
    }
  }

  /// The moment of a fixed timestamp; nil when the cell states no zone, as floating timestamps do not.
  public var date: Date? {
    guard let instant = TimestampParser(zone: .utc).instant(text), instant.isZoneStated else {
      return nil
    }
    return instant.date
  }

  /// The day of a timestamp, as it is written; no zone moves it.
  public var day: CalendarDay? { TimestampParser(zone: .utc).instant(text)?.day }

  /// The place of a point or a location; nil when the cell is none.
  public var coordinate: Coordinate? {
    guard isNested, let pair = Geolocation.pair(in: json),
      let latitude = pair.latitude, let longitude = pair.longitude
    else { return nil }
    return Coordinate(validLatitude: latitude, longitude: longitude)
  }

  /// The JSON of an object or an array.
  private var json: JSONValue {
    do {
      return try JSONDocument.value(Array(text.utf8))
    } catch {
      return .null
    }
  }
}
