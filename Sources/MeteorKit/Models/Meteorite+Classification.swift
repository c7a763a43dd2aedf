extension Meteorite {
  /// The class of a meteorite, in the words of the Meteoritical Bulletin.
  ///
  /// The source has 466 classes, some of them the same but for a trailing blank; new ones are taken
  /// as they come. Compare ``name`` when blanks should not count.
  public struct Classification: RawRepresentable, Hashable, Sendable, Codable {
    /// The class as the source has it.
    public var rawValue: String
    /// Makes a class from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source does not say.
    public static var unknown: Self { Self(rawValue: "") }

    /// The class without surrounding blanks.
    public var name: String { rawValue.trimmingBlanks }

    /// The group that the class belongs to.
    public var group: ClassGroup { ClassGroup(of: rawValue) }
  }
}

extension Meteorite.Classification: ExpressibleByStringLiteral {
  /// Makes a class from the source's word.
  public init(stringLiteral value: String) { rawValue = value }
}

extension Meteorite.Classification: CustomStringConvertible {
  /// The class as the source has it.
  public var description: String { rawValue }
}

extension String {
  /// The text without the spaces and tabs around it; itself when there are none.
  var trimmingBlanks: String {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else {
      return self
    }
    guard let start = utf8.firstIndex(where: { !isBlank($0) }),
      let end = utf8.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(self[start...end])
  }
}
