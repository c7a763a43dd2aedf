extension FakeSODAServer {
  /// What a row holds in one column.
  ///
  /// A literal makes a text, a number or a checkbox, so that rows in tests read like the data:
  /// `["name": "Aachen", "mass": 21, "year": .timestamp("1880-01-01T00:00:00.000")]`.
  public enum Cell: Sendable, Hashable {
    /// Nothing: the key is absent from the JSON of the row.
    case null
    /// Text.
    case text(String)
    /// A number by its text, which goes over the wire as it is, in quotes.
    case number(String)
    /// A date and time by its text, with a zone for `fixed_timestamp` and without for
    /// `floating_timestamp`; it goes over the wire as it is.
    case timestamp(String)
    /// True or false.
    case checkbox(Bool)
    /// A place as GeoJSON, in degrees.
    case point(longitude: Double, latitude: Double)
    /// A place of the older kind, whose members are texts and may be missing.
    indirect case location(latitude: String?, longitude: String?, humanAddress: String? = nil)
    /// JSON that goes over the wire as it is: a URL, a photo, a shape, or something that the column's
    /// type does not allow. Conditions see nothing in it.
    case json(String)

    /// A whole number.
    public static func number(_ value: Int) -> Cell { .number(String(value)) }
  }

  /// A row: a cell for each column that has one.
  public typealias Row = [String: Cell]
}

extension FakeSODAServer.Cell: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
  /// Makes a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Makes a checkbox.
  public init(booleanLiteral value: Bool) { self = .checkbox(value) }
}

extension FakeSODAServer.Cell: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Makes a number.
  public init(integerLiteral value: Int) { self = .number(value) }
  /// Makes a number; a whole one has no fraction in its text.
  public init(floatLiteral value: Double) { self = .number(FakeSoQLNumber.text(value)) }
}

extension FakeSODAServer.Cell {
  /// The text by which a row is found, when the cell is one of a key column.
  var keyText: String? {
    switch self {
    case .text(let text), .number(let text), .timestamp(let text): text
    case .checkbox(let value): value ? "true" : "false"
    case .null, .point, .location, .json: nil
    }
  }
}
