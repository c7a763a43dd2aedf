/// What a file store may do with its file.
public struct StoreAccess: Sendable, Hashable {
  private enum Mode: Sendable { case readWrite, readOnly }

  private let mode: Mode

  /// Reading and committing.
  public static let readWrite = StoreAccess(mode: .readWrite)

  /// Reading alone: no lock is taken, nothing is cut, nothing is written, and a commit throws
  /// ``FieldError/Code/readOnly``.
  ///
  /// A file that is not there yet is an empty store until somebody makes it.
  public static let readOnly = StoreAccess(mode: .readOnly)
}
