public import FieldCore
public import FieldFoundation

extension SoQL {
  /// A literal in a query: a text, a number, a Boolean, a timestamp, a geometry, or null.
  ///
  /// Swift literals are values, so you rarely need the type's name:
  ///
  /// ```swift
  /// mass >= 1000 && name == "L'Aigle" && name != "\(typed)"
  /// ```
  public struct Value: Hashable, Sendable, ExpressibleByStringInterpolation {
    package enum Content: Sendable, Codable {
      case text(String)
      /// The number as printed, without the parentheses around negative ones.
      case number(String)
      case boolean(Bool)
      case fixedTimestamp(String)
      case floatingTimestamp(String)
      case geometry(String)
      case null
    }

    package let content: Content

    init(_ content: Content) { self.content = content }

    /// The null literal; nothing equals it, so use ``Expression/isNull`` instead of a comparison.
    public static var null: Self { Self(.null) }

    /// Returns a text literal, whatever the text contains.
    public static func text(_ text: String) -> Self { Self(.text(text)) }

    /// Returns a Boolean literal.
    public static func boolean(_ value: Bool) -> Self { Self(.boolean(value)) }

    /// Returns a literal for a whole number.
    public static func number(_ number: Int) -> Self { Self(.number(String(number))) }

    /// Returns a literal for a number, with the fewest digits that restore the same `Double`.
    ///
    /// - Throws: `FieldError` with the code ``/FieldCore/FieldError/Code/invalidInput`` if the
    ///   number isn't finite, which SoQL can't express.
    public static func number(_ number: Double) throws -> Self {
      guard number.isFinite else {
        throw FieldError(
          .invalidInput, "\(number) can't be used in a query. Numbers must be finite.")
      }
      return Self(finite: number)
    }

    /// Returns a literal for a number of any precision, such as `78.400000000000006` or `-1e-20`.
    ///
    /// - Throws: `FieldError` with the code ``/FieldCore/FieldError/Code/invalidInput`` if the text
    ///   has another form than digits, then a point and digits, then `e` and a whole number.
    public static func number(exactly text: String) throws -> Self {
      guard SoQLNumber.isNumber(text.utf8) else {
        throw FieldError(.invalidInput, "\"\(text.prefix(60))\" isn't a decimal number.")
      }
      return Self(.number(text))
    }

    /// Creates a literal for a finite number; whole numbers are printed without a point.
    package init(finite number: Double) {
      if abs(number) < 0x1p53, number == number.rounded() {
        self.init(.number(String(Int64(number))))
      } else {
        self.init(.number("\(number)"))
      }
    }

    /// Creates a text literal.
    public init(stringLiteral text: String) { self = .text(text) }
  }
}

extension SoQL.Value {
  /// The kind of the literal, and its text.
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

  /// Returns whether the literals have the same kind and the same bytes.
  ///
  /// Texts that Swift treats as equal, such as `é` in one scalar and in two, differ for a server.
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
  /// Returns a date literal with milliseconds, in UTC: `'2015-10-29T18:35:34.000Z'`.
  public static func fixedTimestamp(_ date: Date) -> Self {
    Self(.fixedTimestamp(TimestampWriter.iso8601(date)))
  }

  /// Returns a date literal in the server's own format, to be sent back unchanged.
  public static func fixedTimestamp(verbatim text: String) -> Self { Self(.fixedTimestamp(text)) }

  /// Returns a literal for the start of a day, without a time zone: `'1880-01-01T00:00:00.000'`.
  public static func floatingTimestamp(_ day: CalendarDay) -> Self {
    Self(.floatingTimestamp("\(day)T00:00:00.000"))
  }

  /// Returns a literal for a day and time without a time zone, in the server's own format.
  public static func floatingTimestamp(verbatim text: String) -> Self {
    Self(.floatingTimestamp(text))
  }
}

// MARK: Geometries

extension SoQL.Value {
  /// Returns a geometry literal in WKT, which puts the longitude first: `POINT (17.11 48.15)`.
  public static func geometry(_ wellKnownText: String) -> Self { Self(.geometry(wellKnownText)) }

  /// Returns a point literal.
  public static func point(_ place: Coordinate) -> Self {
    Self(.geometry("POINT (\(SoQLNumber.pair(place)))"))
  }

  /// Returns a polygon without holes, as a multipolygon of one, which every portal accepts.
  ///
  /// - Parameter ring: The corners, in order. The ring is closed if its ends differ.
  /// - Throws: `FieldError` with the code ``/FieldCore/FieldError/Code/invalidInput`` if there are
  ///   fewer than three corners.
  public static func polygon(_ ring: [Coordinate]) throws -> Self {
    var corners = ring.map(SoQLNumber.pair)
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    guard let first = corners.first, corners.count >= 3 else {
      throw FieldError(
        .invalidInput, "A polygon needs at least three corners, but this one has \(corners.count).")
    }
    corners.append(first)
    return Self(.geometry("MULTIPOLYGON (((\(corners.joined(separator: ", ")))))"))
  }
}

// MARK: Literals

extension SoQL.Value: ExpressibleByIntegerLiteral {
  /// Creates a literal for a whole number.
  public init(integerLiteral number: Int) { self = .number(number) }
}

extension SoQL.Value: ExpressibleByFloatLiteral {
  /// Creates a literal for a number; one too large for a `Double` is null, which never compares as
  /// true.
  public init(floatLiteral number: Double) { self = number.isFinite ? Self(finite: number) : .null }
}

extension SoQL.Value: ExpressibleByBooleanLiteral {
  /// Creates a Boolean literal.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

extension SoQL.Value: CustomStringConvertible {
  /// The literal as printed in a query.
  public var description: String { SoQLPrinter.text { $0.print(self) } }
}
