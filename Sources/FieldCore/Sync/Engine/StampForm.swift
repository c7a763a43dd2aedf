internal import FieldFoundation

/// The form in which a source writes the time of its rows, to write another time like it.
///
/// Sources compare such times as text, or read them with a parser that knows one form. A form is used only
/// if reading confirms it: the text must mean what its fields say, and so must the new text.
struct StampForm {
  private enum Part {
    case literal(Substring)
    /// A field, by its position in ``Fields``, with the number of digits.
    case field(Int, digits: Int)
  }

  /// The year, the month, the day, the hour, the minute, the second, and the fraction.
  private typealias Fields = [Int]

  private static let fraction = 6
  /// The digits of a text without separators, by their number.
  private static let compact: [Int: [Int]] = [
    17: [4, 2, 2, 2, 2, 2, 3], 14: [4, 2, 2, 2, 2, 2], 12: [4, 2, 2, 2, 2], 10: [4, 2, 2, 2],
    8: [4, 2, 2], 13: [3, 2, 2, 2, 2, 2], 11: [3, 2, 2, 2, 2], 9: [3, 2, 2, 2], 7: [3, 2, 2],
  ]

  private var parts: [Part] = []
  private var isMinguo = false
  private let zone: FixedZone

  /// Creates the form of a text, or returns `nil` if it isn't understood.
  init?(of text: String) {
    guard let instant = Self.read(text) else { return nil }
    zone = instant.zone
    var fields: Fields = []
    var rest = text[...]
    while let start = rest.firstIndex(where: Self.isDigit) {
      let literal = rest[..<start]
      // After the time, a sign or a name begins the zone.
      if fields.count > 3, let last = literal.last, last == "+" || last == "-" || last == "−" {
        break
      }
      if !literal.isEmpty { parts.append(.literal(literal)) }
      let run = rest[start...].prefix(while: Self.isDigit)
      guard add(run, after: literal.last, to: &fields) else { return nil }
      rest = rest[run.endIndex...]
      if fields.count > Self.fraction { break }
    }
    if !rest.isEmpty { parts.append(.literal(rest)) }
    guard fields.count >= 3 else { return nil }
    if isMinguo { fields[0] += 1911 }
    guard Self.seconds(of: fields, in: zone) == instant.seconds else { return nil }
  }

  /// Returns the text of a moment, rounded down to the precision of the form, or `nil` if it can't
  /// be written in this form.
  func text(of date: Date) -> String? {
    let interval = date.timeIntervalSince1970
    // Years have four digits.
    guard abs(interval) < 200e9 else { return nil }
    let whole = interval.rounded(.down)
    let seconds = Int64(whole) + Int64(zone.secondsFromUTC)
    let day = CivilCalendar.date(ofDays: CivilCalendar.days(ofSeconds: seconds))
    let second = CivilCalendar.secondOfDay(seconds)
    let fields = [
      day.year, day.month, day.day, second / 3600, second / 60 % 60, second % 60,
      Int((interval - whole) * 1000),
    ]
    let isDatePadded = isPadded(1...2)
    // In `8:05`, the minute has its zero although the hour has none.
    let (isHourPadded, isMinutePadded) = (isPadded(3...5), isPadded(4...5))
    var text = ""
    var count = 0
    for part in parts {
      switch part {
      case .literal(let literal): text += literal
      case .field(Self.fraction, let digits):
        text +=
          (padded(fields[Self.fraction], 3) + String(repeating: "0", count: max(0, digits - 3)))
          .prefix(digits)
      case .field(0, let digits):
        let year = isMinguo ? fields[0] - 1911 : fields[0]
        guard year > 0, String(year).utf8.count <= max(digits, 3) else { return nil }
        text += padded(year, digits)
      case .field(let field, _):
        let isPadded = field < 3 ? isDatePadded : field == 3 ? isHourPadded : isMinutePadded
        text += padded(fields[field], isPadded ? 2 : 1)
      }
      if case .field(let field, _) = part { count = min(field + 1, Self.fraction) }
    }
    let expected = Self.seconds(of: Array(fields.prefix(count)), in: zone)
    return Self.read(text)?.seconds == expected ? text : nil
  }

  /// Adds a run of digits, and returns whether it can be part of a time.
  private mutating func add(
    _ run: Substring, after literal: Character?, to fields: inout Fields
  ) -> Bool {
    let digits = run.utf8.count
    var widths = [digits]
    if fields.isEmpty, digits > 4 {
      guard let known = Self.compact[digits] else { return false }
      widths = known
    } else if fields.isEmpty {
      guard digits >= 2 else { return false }
    } else if fields.count == 3, digits == 6 || digits == 4 {
      widths = Array(repeating: 2, count: digits / 2)
    } else if fields.count == Self.fraction {
      guard literal == "." || literal == ",", digits <= 18 else { return false }
    } else if digits > 2 {
      return false
    }
    if fields.isEmpty { isMinguo = widths[0] < 4 }
    var rest = run
    for width in widths {
      guard let value = Int(rest.prefix(width)) else { return false }
      parts.append(.field(fields.count, digits: width))
      fields.append(value)
      rest = rest.dropFirst(width)
    }
    return true
  }

  /// Returns whether fields of one digit have a zero before them.
  private func isPadded(_ range: ClosedRange<Int>) -> Bool {
    !parts.contains { part in
      if case .field(let field, 1) = part { range.contains(field) } else { false }
    }
  }

  private func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  private static func seconds(of fields: Fields, in zone: FixedZone) -> Int64 {
    let all = fields + Array(repeating: 0, count: max(0, 6 - fields.count))
    let days = CivilCalendar.days(year: all[0], month: all[1], day: all[2])
    let seconds = all[3] * 3600 + all[4] * 60 + all[5] - zone.secondsFromUTC
    return Int64(days) * 86_400 + Int64(seconds)
  }

  private static func read(_ text: String) -> ParsedInstant? {
    TimestampParser(zone: .utc).instant(text)
  }

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character) && character.utf8.count == 1
  }
}
