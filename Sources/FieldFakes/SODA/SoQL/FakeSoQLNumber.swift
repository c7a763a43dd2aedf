/// Numbers as SoQL compares them: as doubles. A portal has decimals of any length; so two texts that
/// differ after the seventeenth digit are equal here and not there.
enum FakeSoQLNumber {
  /// The number of a text; nil for what is none, and for what is not finite.
  static func value(_ text: String) -> Double? {
    guard let value = Double(text), value.isFinite else { return nil }
    return value
  }

  /// The text of a number: a whole one without a fraction.
  static func text(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 0x1p53 { return String(Int64(value)) }
    return "\(value)"
  }
}
