public import FieldCore
public import FieldFoundation

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

// MARK: - Query

extension SoQL {
  /// A query of a dataset; omitted parts aren't sent.
  ///
  /// ```swift
  /// SoQL.Query(
  ///   select: "recclass, count(*) AS n, sum(mass) AS grams", where: "mass > \(0)", group: "recclass",
  ///   order: "n DESC, recclass", limit: 20)
  /// ```
  public struct Query: Hashable, Sendable, CustomStringConvertible {
    /// The columns and expressions to return, such as `name, mass / 1000 AS kilograms`; `nil` for all columns, without system fields.
    ///
    /// The server accepts `:*` and `*` only at the beginning, in this order.
    public var select: SoQL?
    /// The condition that rows must meet.
    public var `where`: SoQL?
    /// The columns and expressions whose values are equal in all rows of a group.
    public var group: SoQL?
    /// The condition that groups must meet.
    public var having: SoQL?
    /// The order of the rows, such as `mass DESC, name`; `nil` for an unspecified order.
    public var order: SoQL?
    /// The maximum number of rows; `nil` for the server's default, which is 1,000 in SODA 2.
    public var limit: Int?
    /// The number of rows to skip.
    public var offset: Int

    /// Creates a query.
    public init(
      select: SoQL? = nil, where condition: SoQL? = nil, group: SoQL? = nil, having: SoQL? = nil,
      order: SoQL? = nil, limit: Int? = nil, offset: Int = 0
    ) {
      self.select = select
      self.where = condition
      self.group = group
      self.having = having
      self.order = order
      self.limit = limit
      self.offset = offset
    }

    /// The query as a single statement.
    public var description: String {
      clauses.reduce("SELECT \(select ?? "*")") { $0 + " \($1.keyword) \($1.text)" }
    }
  }
}

extension SoQL.Query {
  /// Returns the query as a single statement, for the body in SODA 3.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if a part can't be sent.
  func statement() throws(FieldError) -> String {
    try check()
    return description
  }

  /// Returns the unencoded parameters of SODA 2.
  ///
  /// Equal queries return equal parameters, byte for byte.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if a part can't be sent.
  func parameters() throws(FieldError) -> [(name: String, value: String)] {
    try check()
    let selected = select.map { [("$select", $0.description)] } ?? []
    return selected + clauses.map { ($0.parameter, $0.text) }
  }

  /// The clauses after `SELECT`, in the order of the parser.
  private var clauses: [(parameter: String, keyword: String, text: String)] {
    let clauses: [(String, String, String?)] = [
      ("$where", "WHERE", self.where?.description),
      ("$group", "GROUP BY", group?.description),
      ("$having", "HAVING", having?.description),
      ("$order", "ORDER BY", order?.description),
      ("$limit", "LIMIT", limit.map { "\(max(0, $0))" }),
      ("$offset", "OFFSET", offset > 0 ? "\(offset)" : nil),
    ]
    return clauses.compactMap { parameter, keyword, text in text.map { (parameter, keyword, $0) } }
  }

  private func check() throws(FieldError) {
    for part in [select, self.where, group, having, order] { _ = try part?.checked() }
  }

  /// A Boolean value that indicates whether the rows can be requested by `:id`: they are rows of the dataset, neither groups nor
  /// distinct values, without an order of their own.
  var isReadByID: Bool {
    let selected = select?.description ?? "*"
    return group == nil && having == nil && order == nil && offset == 0
      && !selected.utf8.contains(UInt8(ascii: "("))
      && selected.split(whereSeparator: \.isWhitespace).first?.lowercased() != "distinct"
  }
}

// MARK: - String interpolation

extension SoQL {
  /// The text and the values of a fragment.
  public struct StringInterpolation: StringInterpolationProtocol {
    private(set) var text = ""
    /// The first reason why the text can't be sent.
    private(set) var problem: String?
    private(set) var scanner = SoQLScanner()
    /// A Boolean value that indicates whether the text ends with a value.
    private var endsWithValue = false

    /// Creates an empty fragment.
    public init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 8)
    }

    /// Appends a part of the text between the values.
    public mutating func appendLiteral(_ literal: String) {
      guard let first = literal.unicodeScalars.first else { return }
      if endsWithValue, SoQLScanner.joins(first) { text += " " }
      endsWithValue = false
      text += literal
      scanner.scan(literal)
    }

    /// Appends a text in single quotes.
    ///
    /// A text with control characters can't be sent.
    public mutating func appendInterpolation(_ value: some StringProtocol) { append(text(value)) }

    /// Appends an integer.
    public mutating func appendInterpolation(_ value: some BinaryInteger) { append(number(value)) }

    /// Appends a number with the fewest digits that restore it; one that isn't finite can't be sent.
    public mutating func appendInterpolation(_ value: some BinaryFloatingPoint) {
      append(number(value))
    }

    /// Appends a decimal number with all its digits; one that isn't a number can't be sent.
    public mutating func appendInterpolation(_ value: Decimal) {
      append(
        value.isNaN
          ? refused("\(value) isn't a number, so it can't be part of a query.") : signed("\(value)")
      )
    }

    /// Appends `true` or `false`.
    public mutating func appendInterpolation(_ value: Bool) { append(value ? "true" : "false") }

    /// Appends the start of a day without a time zone, as floating timestamps are.
    public mutating func appendInterpolation(_ day: CalendarDay) {
      append("'\(day)T00:00:00.000'")
    }

    /// Appends a moment in UTC, as fixed timestamps are, such as `:updated_at`.
    public mutating func appendInterpolation(_ date: Date) { append(timestamp(date, in: .utc)) }

    /// Appends the time of a moment in a zone, without the zone, as floating timestamps are.
    public mutating func appendInterpolation(_ date: Date, in zone: FixedZone) {
      append("\(timestamp(date, in: zone).prefix(24))'")
    }

    /// Appends the name of a column, in backticks if it has a hyphen or is a word of the language.
    ///
    /// A name consists of ASCII letters, digits, `_`, and `-`, doesn't begin with a digit, and may have `:` or `:@` before it. Any
    /// other can't be sent.
    public mutating func appendInterpolation(column name: String) {
      append(
        SoQLName.isName(name)
          ? SoQLName.printed(name)
          : refused(
            "\"\(name.prefix(60))\" isn't a column name. Use ASCII letters, digits, \"_\", and \"-\"."
          ))
    }

    /// Appends another fragment in parentheses.
    public mutating func appendInterpolation(_ fragment: SoQL) {
      append("(\(checked(fragment)))")
    }

    /// Appends a list of texts; an empty one can't be sent.
    public mutating func appendInterpolation(_ values: some Collection<some StringProtocol>) {
      append(list: values.map { text($0) })
    }

    /// Appends a list of integers; an empty one can't be sent.
    public mutating func appendInterpolation(_ values: some Collection<some BinaryInteger>) {
      append(list: values.map { number($0) })
    }

    /// Appends a list of numbers; an empty one can't be sent.
    public mutating func appendInterpolation(_ values: some Collection<some BinaryFloatingPoint>) {
      append(list: values.map { number($0) })
    }

    /// Appends a list of fragments, such as dates; an empty one can't be sent.
    public mutating func appendInterpolation(_ values: some Collection<SoQL>) {
      append(list: values.map { checked($0) })
    }

    /// Appends a fragment without parentheses.
    mutating func append(unwrapped fragment: SoQL) {
      text += checked(fragment)
      endsWithValue = true
    }

    // MARK: Values

    private mutating func append(_ value: String) {
      if !scanner.isInCode {
        _ = refused(
          "A value is interpolated inside of quotes or a comment, after \"\(text.suffix(40))\". "
            + "Remove the quotes: values are quoted where it's needed.")
      }
      if let last = text.unicodeScalars.last, SoQLScanner.joins(last) { text += " " }
      text += value
      endsWithValue = true
      scanner.endToken()
    }

    private mutating func append(list values: [String]) {
      append(
        values.isEmpty
          ? refused("An empty list can't be part of a query. Leave the condition out.")
          : "(\(values.joined(separator: ", ")))")
    }

    /// In single quotes, only the quote itself is special, and two of them stand for one.
    ///
    /// The method iterates over scalars: a quote followed by a combining mark is a single Swift character, but still a quote to the
    /// server.
    private mutating func text(_ value: some StringProtocol) -> String {
      var quoted = "'"
      for scalar in value.unicodeScalars {
        if scalar.properties.generalCategory == .control {
          return refused(
            "The text \(String(value.prefix(60)).debugDescription) has a control character, so it can't be part of a query."
          )
        }
        if scalar == "'" { quoted += "'" }
        quoted.unicodeScalars.append(scalar)
      }
      return quoted + "'"
    }

    private func number(_ value: some BinaryInteger) -> String { signed("\(value)") }

    private mutating func number(_ value: some BinaryFloatingPoint) -> String {
      guard value.isFinite else {
        return refused("\(value) can't be part of a query. Numbers must be finite.")
      }
      if value == 0 { return "0" }
      let text = "\(value)"
      return signed(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// Without parentheses, a minus sign after another one would begin a comment.
    private func signed(_ number: String) -> String {
      number.utf8.first == UInt8(ascii: "-") ? "(\(number))" : number
    }

    private mutating func timestamp(_ date: Date, in zone: FixedZone) -> String {
      // A date within a day of either end of the calendar may be beyond it in the zone.
      let seconds = date.timeIntervalSince1970
      guard seconds > -62_135_510_400, seconds < 253_402_214_400 else {
        return refused("\(seconds) seconds from 1970 are outside of the years 1 to 9999.")
      }
      return "'\(TimestampWriter.iso8601(date, in: zone))'"
    }

    private mutating func checked(_ fragment: SoQL) -> String {
      do {
        return try fragment.checked()
      } catch {
        return refused(error.message)
      }
    }

    /// Notes why the text can't be sent, and returns a value for its place.
    private mutating func refused(_ reason: String) -> String {
      problem = problem ?? reason
      return "null"
    }
  }
}
