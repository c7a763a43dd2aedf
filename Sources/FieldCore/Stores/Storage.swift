#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where the kits keep what they have: in memory, in a folder, or wherever a provider of yours puts it.
///
/// ```swift
/// let field = Field(storage: .directory(folder), transport: URLSessionTransport())
/// ```
///
/// It is a value to hand around; nothing is opened until a store of it is used. Two values of the same
/// folder give stores that see each other's commits.
public struct Storage: Sendable {
  private let provider: any StorageProvider

  /// A storage of a provider of yours.
  public init(_ provider: some StorageProvider) { self.provider = provider }

  /// A new storage in memory, for tests, previews and what need not survive the process.
  public static var inMemory: Storage { Storage(MemoryStorageProvider()) }

  /// A storage in a folder, which is made when it is not there, for its owner alone.
  ///
  /// - Parameters:
  ///   - url: The folder.
  ///   - access: Whether anything may be changed; with `.readOnly` no lock is taken.
  ///   - durability: When a commit counts as done.
  public static func directory(
    _ url: URL, access: StoreAccess = .readWrite, durability: Durability = .full
  ) -> Storage {
    Storage(DirectoryStorageProvider(url, access: access, durability: durability))
  }

  /// The records of a store by its name, such as `meteorites`.
  ///
  /// The same name gives the same content; a name with another type of record is a mistake.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/invalidInput`` when the name has anything
  ///   but letters, digits, hyphens, underscores and dots between them, or is longer than 64.
  public func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    try Self.check(name)
    return try provider.records(name, of: type)
  }

  /// Names become names of files, so they must never be paths.
  static func check(_ name: String) throws {
    let letters = name.utf8
    let isPlain = letters.allSatisfy { letter in
      switch letter {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
    let dot = UInt8(ascii: ".")
    guard isPlain, (1...64).contains(letters.count), letters.first != dot, letters.last != dot
    else {
      throw FieldError(
        .invalidInput,
        "\"\(name)\" is no name of a store: letters, digits, - and _ are allowed, and dots inside")
    }
  }
}
