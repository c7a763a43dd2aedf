extension Meteorite {
  /// The key of a meteorite: the text in the source's `id` column.
  ///
  /// In NASA's files, it is a number from 1 through 57458 without leading zeros, but any other text
  /// is a key, too. Numbers come before other texts.
  public struct ID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The key's storage, in which nearly all keys are numbers: 8 bytes, and fast to hash and
    /// compare.
    @usableFromInline
    package enum Storage: Hashable, Comparable, Sendable {
      case number(UInt64)
      case text(String)
    }

    @usableFromInline
    package let storage: Storage

    /// Creates a key from its text.
    public init(rawValue: String) {
      storage = Self.number(in: rawValue).map { .number($0) } ?? .text(rawValue)
    }

    /// Creates a key from its number.
    @inlinable
    public init(_ number: UInt64) { storage = .number(number) }

    /// The key's text.
    public var rawValue: String {
      switch storage {
      case .number(let number): String(number)
      case .text(let text): text
      }
    }

    /// Returns a Boolean value that indicates whether two keys are equal.
    public static func == (left: Self, right: Self) -> Bool { left.storage == right.storage }

    /// Hashes the number or the text.
    ///
    /// The default for `RawRepresentable` types would hash the raw value, and create a string for
    /// each lookup.
    public func hash(into hasher: inout Hasher) {
      switch storage {
      case .number(let number): hasher.combine(number)
      case .text(let text): hasher.combine(text)
      }
    }

    /// Returns the number in a text that spells it as `String(number)` does, so `07` stays a text.
    private static func number(in text: String) -> UInt64? {
      let digits = text.utf8
      guard (1...19).contains(digits.count), digits.first != UInt8(ascii: "0") || digits.count == 1
      else { return nil }
      var number: UInt64 = 0
      for digit in digits {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
        number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
      }
      return number
    }

    /// The key's text.
    public var description: String { rawValue }
  }
}

extension Meteorite.ID: Comparable {
  /// Orders numbers by value, and before texts, which are ordered by characters.
  public static func < (left: Self, right: Self) -> Bool { left.storage < right.storage }
}

extension Meteorite.ID: Codable {
  /// Creates a key by decoding its text or its number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.init(rawValue: text)
    } else {
      self.init(try container.decode(UInt64.self))
    }
  }

  /// Encodes the key's text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension Meteorite.ID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// Creates a key from its number.
  public init(integerLiteral value: UInt64) { self.init(value) }
  /// Creates a key from its text.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}
