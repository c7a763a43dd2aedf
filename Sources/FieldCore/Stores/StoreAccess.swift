/// The kind of access that a file store has to its file.
public struct StoreAccess: Sendable, Hashable {
  private enum Mode: Sendable { case readWrite, readOnly }

  private let mode: Mode

  /// The store may read and commit.
  public static let readWrite = StoreAccess(mode: .readWrite)

  /// The store may only read.
  ///
  /// It takes no lock and writes nothing, and a commit throws ``FieldError/Code/readOnly``.
  ///
  /// If the file doesn't exist, the store is empty until another store creates the file.
  public static let readOnly = StoreAccess(mode: .readOnly)
}
