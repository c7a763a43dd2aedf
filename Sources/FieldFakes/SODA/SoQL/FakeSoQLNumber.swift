/// Numbers as SoQL compares them here: as doubles. A portal has decimals of any length, so two
/// numbers that differ after the seventeenth digit are equal here but not there.
enum FakeSoQLNumber {
  /// Returns the number in a text, or `nil` if it isn't a finite number.
  static func value(_ text: String) -> Double? {
    Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns the text of a number, without a fraction if it is an integer.
  static func text(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 0x1p53 { return String(Int64(value)) }
    return "\(value)"
  }
}
