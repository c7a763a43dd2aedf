public import FieldCore
public import FieldFoundation

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
