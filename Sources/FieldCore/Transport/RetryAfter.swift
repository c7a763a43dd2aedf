package import FieldFoundation

/// A reader of the `Retry-After` field of a response (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// Returns the time that the server asks to wait, at most `longest`.
  ///
  /// The result is `nil` if the field is missing or invalid: a negative number, a date in the past,
  /// or neither a number nor a date. A date is measured from the response's own `Date` if it has
  /// one, because the device's clock may be wrong, and otherwise from `now`.
  package static func wait(_ fields: HTTPHeaderFields, now: Date, longest: Duration) -> Duration? {
    guard let text = fields.values(of: "Retry-After").first.map(trimmed), !text.isEmpty else {
      return nil
    }
    if text.utf8.allSatisfy({ (48...57).contains($0) }) {
      // More digits than a number holds exceed any limit.
      guard let seconds = Int32(text) else { return longest }
      return min(.seconds(seconds), longest)
    }
    let answered = fields.values(of: "Date").first.flatMap { HTTPDate.date(from: $0, now: now) }
    guard let date = HTTPDate.date(from: text, now: now) else { return nil }
    let seconds = date.timeIntervalSince(answered ?? now)
    return seconds < 0 ? nil : min(Duration(limiting: seconds), longest)
  }

  private static func trimmed(_ text: String) -> String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
    let tail = text.unicodeScalars.drop(while: isBlank)
    return String(String.UnicodeScalarView(tail.reversed().drop(while: isBlank).reversed()))
  }
}
