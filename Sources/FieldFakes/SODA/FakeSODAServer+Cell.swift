extension FakeSODAServer {
  /// The content of a row in one column.
  ///
  /// Literals create texts, numbers, and checkboxes, so that rows in tests read like the data:
  /// `["name": "Aachen", "mass": 21, "year": .timestamp("1880-01-01T00:00:00.000")]`.
  public enum Cell: Sendable, Hashable {
    /// No value: the key is missing from the JSON of the row.
    case null
    /// A text.
    case text(String)
    /// A number as text, which is sent unchanged, in quotes.
    case number(String)
    /// A date and time as text, which is sent unchanged.
    ///
    /// It has a zone for `fixed_timestamp` and none for `floating_timestamp`.
    case timestamp(String)
    /// A Boolean value.
    case checkbox(Bool)
    /// A location as GeoJSON, in degrees.
    case point(longitude: Double, latitude: Double)
    /// A location of the older kind, whose members are texts and may be missing.
    indirect case location(latitude: String?, longitude: String?, humanAddress: String? = nil)
    /// JSON that is sent unchanged and that conditions can't see.
    ///
    /// It may be a URL, a photo, a shape, or a value that the column's type doesn't allow.
    case json(String)

    /// Returns a cell with an integer.
    public static func number(_ value: Int) -> Cell { .number(String(value)) }
  }

  /// A row, with a cell for each column that has a value.
  public typealias Row = [String: Cell]
}

extension FakeSODAServer.Cell: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// Creates a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Creates a checkbox.
  public init(booleanLiteral value: Bool) { self = .checkbox(value) }
}

extension FakeSODAServer.Cell: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// Creates a number, whose text has no fraction if it is an integer.
  public init(floatLiteral value: Double) { self = .number(FakeSoQLNumber.text(value)) }
}

extension FakeSODAServer.Cell {
  /// The text that identifies a row, if the cell is one of a key column.
  var keyText: String? {
    switch self {
    case .text(let text), .number(let text), .timestamp(let text): text
    case .checkbox(let value): value ? "true" : "false"
    case .null, .point, .location, .json: nil
    }
  }
}
