public import FieldCore
public import FieldFoundation

extension SoQL {
  /// A literal in a query: a text, a number, a truth value, a timestamp, a geometry, or null.
  ///
  /// Literals of Swift are values, so most need no name:
  ///
  /// ```swift
  /// mass >= 1000 && name == "L'Aigle" && name != "\(typed)"
  /// ```
  public struct Value: Hashable, Sendable {
    package enum Content: Sendable, Codable {
      case text(String)
      /// The number as it is printed, without its sign's parentheses.
      case number(String)
      case boolean(Bool)
      case fixedTimestamp(String)
      case floatingTimestamp(String)
      case geometry(String)
      case null
    }

    package let content: Content

    init(_ content: Content) { self.content = content }

    /// No value; nothing is equal to it, so ask ``Expression/isNull`` instead of comparing.
    public static var null: Self { Self(.null) }

    /// A text, whatever stands in it.
    public static func text(_ text: String) -> Self { Self(.text(text)) }

    /// A truth value.
    public static func boolean(_ value: Bool) -> Self { Self(.boolean(value)) }

    /// A whole number.
    public static func number(_ number: Int) -> Self { Self(.number(String(number))) }

    /// A number, printed with the fewest digits that give the same `Double` back.
    ///
    /// - Throws: `FieldError` with the code ``/FieldCore/FieldError/Code/invalidInput`` when the number
    ///   is not finite, which SoQL has no way to say.
    public static func number(_ number: Double) throws -> Self {
      guard number.isFinite else {
        throw FieldError(
          .invalidInput, "\(number) cannot stand in a query: numbers there are finite")
      }
      return Self(finite: number)
    }

    /// A number of any precision, from its decimal text, such as `78.400000000000006` or `-1e-20`.
    ///
    /// - Throws: `FieldError` with the code ``/FieldCore/FieldError/Code/invalidInput`` when the text
    ///   has another form: digits, then a point and digits, then `e` and a whole number.
    public static func number(exactly text: String) throws -> Self {
      guard SoQLNumber.isNumber(text.utf8) else {
        throw FieldError(.invalidInput, "\"\(text.prefix(60))\" is no decimal number")
      }
      return Self(.number(text))
    }

    /// Makes a number of one that is finite; whole numbers are printed without a point.
    package init(finite number: Double) {
      if abs(number) < 0x1p53, number == number.rounded() {
        self.init(.number(String(Int(number))))
      } else {
        self.init(.number("\(number)"))
      }
    }
  }
}

extension SoQL.Value {
  /// What kind of literal it is, and its text.
  private var parts: (kind: Int, text: String) {
    switch content {
    case .text(let text): (0, text)
    case .number(let text): (1, text)
    case .boolean(let value): (2, value ? "true" : "false")
    case .fixedTimestamp(let text): (3, text)
    case .floatingTimestamp(let text): (4, text)
    case .geometry(let text): (5, text)
    case .null: (6, "")
    }
  }

  /// Whether the literals are of one kind and the same to the byte: texts that Swift takes for equal
  /// since they look the same, such as `é` in one scalar and in two, are two to a server.
  public static func == (left: Self, right: Self) -> Bool {
    let (left, right) = (left.parts, right.parts)
    return left.kind == right.kind && left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the kind and the bytes.
  public func hash(into hasher: inout Hasher) {
    let parts = parts
    hasher.combine(parts.kind)
    for byte in parts.text.utf8 { hasher.combine(byte) }
  }
}

// MARK: Timestamps

extension SoQL.Value {
  /// A moment, with milliseconds and in UTC: `'2015-10-29T18:35:34.000Z'`.
  public static func fixedTimestamp(_ date: Date) -> Self {
    Self(.fixedTimestamp(TimestampWriter.iso8601(date)))
  }

  /// A moment in the words of the server, to be sent back to it as they came.
  public static func fixedTimestamp(verbatim text: String) -> Self { Self(.fixedTimestamp(text)) }

  /// The beginning of a day, in no zone: `'1880-01-01T00:00:00.000'`.
  public static func floatingTimestamp(_ day: CalendarDay) -> Self {
    Self(.floatingTimestamp("\(day)T00:00:00.000"))
  }

  /// A day and a time in no zone, in the words of the server.
  public static func floatingTimestamp(verbatim text: String) -> Self {
    Self(.floatingTimestamp(text))
  }
}

// MARK: Geometries

extension SoQL.Value {
  /// A geometry in Well-Known Text, which has the longitude first: `POINT (17.11 48.15)`.
  public static func geometry(_ wellKnownText: String) -> Self { Self(.geometry(wellKnownText)) }

  /// A point.
  public static func point(_ place: Coordinate) -> Self {
    Self(.geometry("POINT (\(SoQLNumber.pair(place)))"))
  }

  /// A polygon without holes, as a multipolygon of one, which every portal takes.
  ///
  /// - Parameter ring: The corners in their order; the ring is closed when its ends differ.
  /// - Throws: `FieldError` with the code ``/FieldCore/FieldError/Code/invalidInput`` when there are
  ///   fewer than three corners.
  public static func polygon(_ ring: [Coordinate]) throws -> Self {
    var corners = ring.map(SoQLNumber.pair)
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    guard let first = corners.first, corners.count >= 3 else {
      throw FieldError(.invalidInput, "a polygon has three corners or more, not \(corners.count)")
    }
    corners.append(first)
    return Self(.geometry("MULTIPOLYGON (((\(corners.joined(separator: ", ")))))"))
  }
}

// MARK: Literals

extension SoQL.Value: ExpressibleByStringInterpolation {
  /// Makes a text.
  public init(stringLiteral text: String) { self = .text(text) }
}

extension SoQL.Value: ExpressibleByIntegerLiteral {
  /// Makes a whole number.
  public init(integerLiteral number: Int) { self = .number(number) }
}

extension SoQL.Value: ExpressibleByFloatLiteral {
  /// Makes a number; a literal too large for a `Double` is null, to which nothing compares.
  public init(floatLiteral number: Double) {
    self = number.isFinite ? Self(finite: number) : .null
  }
}

extension SoQL.Value: ExpressibleByBooleanLiteral {
  /// Makes a truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension SoQL.Value: CustomStringConvertible {
  /// The literal as it is printed in a query.
  public var description: String {
    var printer = SoQLPrinter()
    printer.print(self)
    return printer.text
  }
}
