package import FieldFoundation

/// Reads the `Retry-After` field of an answer (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// How long the server asks to wait, at most `longest`; nil when it does not say, or says what
  /// cannot be meant: a negative number, a date that is past, or no number and no date.
  ///
  /// A date is measured from the answer's own `Date`, when it has one, since the clock of the device
  /// may be wrong; else from `now`.
  package static func wait(_ fields: HTTPHeaderFields, now: Date, longest: Duration) -> Duration? {
    guard let text = fields.values(of: "Retry-After").first.map(trimmed), !text.isEmpty else {
      return nil
    }
    if text.utf8.allSatisfy({ (48...57).contains($0) }) {
      // More digits than a number holds are a longer wait than anyone's limit.
      guard let seconds = Int32(text) else { return longest }
      return min(.seconds(seconds), longest)
    }
    let answered = fields.values(of: "Date").first.flatMap { HTTPDate.date(from: $0, now: now) }
    guard let date = HTTPDate.date(from: text, now: now) else { return nil }
    let seconds = date.timeIntervalSince(answered ?? now)
    return seconds < 0 ? nil : min(.seconds(seconds), longest)
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let tail = text.drop(while: isBlank)
    return String(tail.reversed().drop(while: isBlank).reversed())
  }
}
