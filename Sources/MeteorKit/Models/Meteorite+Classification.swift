extension Meteorite {
  /// The class of a meteorite, in the words of the Meteoritical Bulletin.
  ///
  /// The source has 466 classes, some of which differ only by a trailing blank. New classes are
  /// accepted as they appear. Compare ``name`` to ignore surrounding blanks.
  public struct Classification: RawRepresentable, Hashable, Sendable, Codable {
    /// The class as the source spells it.
    public var rawValue: String
    /// Creates a class from the source's word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source doesn't give a class.
    public static var unknown: Self { Self(rawValue: "") }

    /// The class without surrounding blanks.
    public var name: String { rawValue.trimmingBlanks }

    /// The group to which the class belongs.
    public var group: ClassGroup { ClassGroup(of: rawValue) }
  }
}

extension Meteorite.Classification: ExpressibleByStringLiteral {
  /// Creates a class from the source's word.
  public init(stringLiteral value: String) { rawValue = value }
}

extension Meteorite.Classification: CustomStringConvertible {
  /// The class as the source spells it.
  public var description: String { rawValue }
}

extension String {
  /// The text without the spaces and tabs around it, or the text itself if there are none.
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
