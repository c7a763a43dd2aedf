extension Meteorite {
  /// The key of a meteorite: the text that the source's `id` column holds.
  ///
  /// In NASA's files it is a number without leading zeros, 1 to 57458; any other text is a key too.
  /// Numbers are in order before texts.
  public struct ID: RawRepresentable, Hashable, Sendable {
    /// Nearly all keys are numbers, which take 8 bytes and are hashed and compared fast.
    @usableFromInline
    package enum Storage: Hashable, Sendable {
      case number(UInt64)
      case text(String)
    }

    @usableFromInline
    package let storage: Storage

    /// Makes a key from its text.
    public init(rawValue: String) {
      storage = Self.number(in: rawValue).map { .number($0) } ?? .text(rawValue)
    }

    /// Makes a key from its number.
    @inlinable
    public init(_ number: UInt64) { storage = .number(number) }

    /// The text.
    public var rawValue: String {
      switch storage {
      case .number(let number): String(number)
      case .text(let text): text
      }
    }

    /// Whether the keys are the same.
    public static func == (left: Self, right: Self) -> Bool { left.storage == right.storage }

    /// Hashes the number, or the text. By itself a `RawRepresentable` type would hash its raw value,
    /// and write a text for each look-up.
    public func hash(into hasher: inout Hasher) {
      switch storage {
      case .number(let number): hasher.combine(number)
      case .text(let text): hasher.combine(text)
      }
    }

    /// The number that the text spells, when it spells it as `String(number)` does: `07` stays a text.
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
  }
}

extension Meteorite.ID: Comparable {
  /// Numbers by value before texts by characters.
  public static func < (left: Self, right: Self) -> Bool {
    switch (left.storage, right.storage) {
    case (.number(let left), .number(let right)): left < right
    case (.number, .text): true
    case (.text, .number): false
    case (.text(let left), .text(let right)): left < right
    }
  }
}

extension Meteorite.ID: Codable {
  /// Reads the key's text, or its number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.init(rawValue: text)
    } else {
      self.init(try container.decode(UInt64.self))
    }
  }

  /// Writes the key's text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

extension Meteorite.ID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// Makes a key from its number.
  public init(integerLiteral value: UInt64) { self.init(value) }
  /// Makes a key from its text.
  public init(stringLiteral value: String) { self.init(rawValue: value) }
}

extension Meteorite.ID: CustomStringConvertible {
  /// The text.
  public var description: String { rawValue }
}
