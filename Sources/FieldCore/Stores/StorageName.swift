/// The name of a store in a storage, which can be part of a file name and is never a path.
public struct StorageName: Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let rawValue: String

  /// Creates a name of 1 through 64 ASCII letters, digits, `-`, `_`, and `.`, beginning with a
  /// letter or digit.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` if the name is
  ///   invalid.
  public init(_ name: String) throws {
    let isGood =
      (1...64).contains(name.utf8.count) && name.utf8.allSatisfy(Self.isAllowed)
      && name.utf8.first?.isLetterOrDigit == true
    guard isGood else {
      throw FieldError(
        .invalidInput,
        "\"\(name)\" isn't the name of a store or catalog. Use 1 to 64 ASCII letters, digits, \"-\", \"_\", "
          + "and \".\", beginning with a letter or digit."
      )
    }
    rawValue = name
  }

  /// The name.
  public var description: String { rawValue }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-_.".utf8.contains(byte)
  }
}
