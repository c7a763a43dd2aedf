internal import FieldCore

/// A text in Socrata's query language, into which values are interpolated safely.
///
/// ```swift
/// let wanted: SoQL = "qspecies = \(name) AND dbh > \(5)"
/// let young: SoQL = "plant_date >= \(day) OR plant_date IS NULL"
/// for try await row in client.rows(SoQL.Query(where: "\(wanted) AND \(young)", order: "dbh DESC")) {
///   print(row["address"]?.text ?? "")
/// }
/// ```
///
/// The text between the values is sent as you write it. A value always becomes one value of the query,
/// whatever it contains, so don't put quotes around it:
///
/// | Interpolation | In the query |
/// |---|---|
/// | a `String` | the text in single quotes, with its own quotes doubled |
/// | integers, `Double`, `Decimal` | the number, in parentheses if it is negative |
/// | `Bool` | `true` or `false` |
/// | `CalendarDay` | the start of the day without a time zone, `'1880-01-01T00:00:00.000'` |
/// | `Date` | the moment in UTC for columns of fixed timestamps, `'2015-10-29T18:35:34.000Z'` |
/// | `Date, in: zone` | the time there, for columns of floating timestamps, which have no zone |
/// | `column: name` | the name of a column, in backticks if it needs them |
/// | another `SoQL` | the fragment, in parentheses |
/// | an array of texts, numbers, or `SoQL` | a list in parentheses, for `IN` |
///
/// A literal can't throw. If a value can't be part of a query, sending the query throws a `FieldError` with the code
/// ``/FieldCore/FieldError/Code/invalidInput`` before any request. That is so for a text with control characters, a number that isn't
/// finite, an invalid name, an empty list, a value inside of quotes or a comment, and a fragment with an open quote,
/// comment, or parenthesis.
///
/// Source: the lexer and the parser of `socrata-platform/soql-reference`, 4.14.102.
public struct SoQL: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The text of the query.
  ///
  /// A value that can't be part of a query is `null` here.
  public let description: String
  /// The reason why the text can't be sent.
  private let problem: String?

  /// Creates a fragment from a text in the source code.
  public init(stringLiteral text: String) {
    var interpolation = StringInterpolation(literalCapacity: text.utf8.count, interpolationCount: 0)
    interpolation.appendLiteral(text)
    self.init(stringInterpolation: interpolation)
  }

  /// Creates a fragment from a text and the values in it.
  public init(stringInterpolation: StringInterpolation) {
    description = stringInterpolation.text
    problem = stringInterpolation.problem ?? stringInterpolation.scanner.problem
  }

  /// Returns the text, or throws an error if it can't be sent.
  func checked() throws(FieldError) -> String {
    if let problem { throw FieldError(.invalidInput, problem) }
    return description
  }

  /// Returns the condition that all conditions are met, or `nil` if there are none.
  static func all(_ conditions: [SoQL]) -> SoQL? {
    guard conditions.count > 1 else { return conditions.first }
    return joined(conditions, by: " AND ") { $0.appendInterpolation($1) }
  }

  /// Returns a list of columns or expressions.
  static func list(_ items: [SoQL]) -> SoQL { joined(items, by: ", ") { $0.append(unwrapped: $1) } }

  private static func joined(
    _ parts: [SoQL], by separator: String, _ append: (inout StringInterpolation, SoQL) -> Void
  ) -> SoQL {
    var text = StringInterpolation(literalCapacity: 0, interpolationCount: parts.count)
    for (position, part) in parts.enumerated() {
      if position > 0 { text.appendLiteral(separator) }
      append(&text, part)
    }
    return SoQL(stringInterpolation: text)
  }
}

extension SoQL: Hashable {
  /// Returns whether the texts have the same bytes.
  ///
  /// Texts that Swift treats as equal, such as `é` in one scalar and in two, differ for a server.
  public static func == (left: Self, right: Self) -> Bool {
    left.description.utf8.elementsEqual(right.description.utf8) && left.problem == right.problem
  }

  /// Hashes the bytes of the text.
  public func hash(into hasher: inout Hasher) {
    for byte in description.utf8 { hasher.combine(byte) }
  }
}
