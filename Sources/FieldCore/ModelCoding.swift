internal import FieldFoundation

// The synthesized coding of the package's models uses these methods in files that import FieldCore,
// so that their JSON is readable for people and other programs.

extension KeyedEncodingContainer {
  /// Encodes a duration as a number of seconds, with full precision.
  package mutating func encode(_ value: Duration, forKey key: Key) throws {
    try encode(value.decimalSeconds, forKey: key)
  }

  package mutating func encodeIfPresent(_ value: Duration?, forKey key: Key) throws {
    try encodeIfPresent(value?.decimalSeconds, forKey: key)
  }

  /// Encodes a set in the order of its raw values, so that equal sets are encoded alike.
  package mutating func encode<Element: RawRepresentable & Encodable>(
    _ value: Set<Element>, forKey key: Key
  ) throws where Element.RawValue: Comparable {
    try encode(value.sorted { $0.rawValue < $1.rawValue }, forKey: key)
  }

  package mutating func encodeIfPresent<Element: RawRepresentable & Encodable>(
    _ value: Set<Element>?, forKey key: Key
  ) throws where Element.RawValue: Comparable {
    if let value { try encode(value, forKey: key) }
  }
}

extension KeyedDecodingContainer {
  /// Decodes a duration from a number of seconds, or from the standard library's form.
  package func decode(_ type: Duration.Type, forKey key: Key) throws -> Duration {
    do {
      return Duration(decimalSeconds: try decode(Decimal.self, forKey: key))
    } catch DecodingError.typeMismatch {
      return try standard(type, forKey: key)
    }
  }

  package func decodeIfPresent(_ type: Duration.Type, forKey key: Key) throws -> Duration? {
    try contains(key) && !decodeNil(forKey: key) ? decode(type, forKey: key) : nil
  }

  private func standard<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decode(type, forKey: key)
  }
}

extension Duration {
  fileprivate var decimalSeconds: Decimal {
    let (seconds, attoseconds) = components
    return Decimal(seconds) + Decimal(attoseconds)
      * Decimal(sign: .plus, exponent: -18, significand: 1)
  }

  /// Creates the nearest representable duration, rounded down to the attosecond.
  fileprivate init(decimalSeconds: Decimal) {
    let text = "\(decimalSeconds)"
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let digits = (parts.dropFirst().first ?? "").prefix(18)
    let fraction = Int64(digits + String(repeating: "0", count: 18 - digits.count)) ?? 0
    self.init(
      secondsComponent: Int64(parts[0]) ?? (text.hasPrefix("-") ? .min : .max),
      attosecondsComponent: text.hasPrefix("-") ? -fraction : fraction)
  }
}
