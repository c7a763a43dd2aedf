public import FieldCore
public import FieldFoundation

/// A cell of a dataset, parsed on access.
///
/// Portals send numbers as text or as numbers, and the same number both ways at different times. A
/// cell stores its text, and two cells are equal if their texts are.
public struct SODAValue: Sendable, Hashable, Codable {
  /// The text of the cell; for an object or array, JSON with sorted keys.
  public let text: String
  /// A Boolean value that indicates whether the cell is an object or array, such as a location.
  public let isNested: Bool

  /// Creates a cell from a text.
  public init(_ text: String) {
    self.text = text
    isNested = false
  }

  init(text: String, isNested: Bool) {
    self.text = text
    self.isNested = isNested
  }

  /// Creates the cell of a JSON value; returns `nil` for null.
  init?(_ value: JSONValue) {
    switch value {
    case .null: return nil
    case .bool(let flag): self.init(flag ? "true" : "false")
    case .number(let text), .string(let text): self.init(text)
    case .array, .object: self.init(text: value.canonicalText, isNested: true)
    }
  }

  /// The number; `nil` if the cell isn't a finite number.
  public var double: Double? { isNested ? nil : JSONValue.string(text).double }

  /// The whole number; `nil` if the cell isn't one or doesn't fit.
  public var integer: Int? { isNested ? nil : JSONValue.string(text).integer }

  /// The whole number, which may not fit an `Int` of 32 bits.
  var int64: Int64? { isNested ? nil : JSONValue.string(text).int64 }

  /// The Boolean value; `nil` if the cell isn't one.
  public var bool: Bool? { Bool(text.lowercased()) }

  /// The date of a fixed timestamp; `nil` if the cell states no time zone, as in floating
  /// timestamps.
  public var date: Date? {
    guard let instant = TimestampParser(zone: .utc).instant(text), instant.isZoneStated else {
      return nil
    }
    return instant.date
  }

  /// The day of a timestamp, as written and without regard to time zones.
  public var day: CalendarDay? { TimestampParser(zone: .utc).instant(text)?.day }

  /// The location of a point or location cell, or of a text such as `POINT (6.08 50.77)` or
  /// `(50.77, 6.08)`; `nil` if the cell isn't one.
  public var coordinate: Coordinate? {
    Geolocation.coordinate(in: isNested ? json : .string(text))
  }

  /// The JSON of an object or array.
  private var json: JSONValue {
    do {
      return try JSONDocument.value(Array(text.utf8))
    } catch {
      return .null
    }
  }
}
