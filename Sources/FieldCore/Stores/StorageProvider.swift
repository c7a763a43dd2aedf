/// A type that provides stores by name, which determines where the kits keep their data.
///
/// ### When to implement it
///
/// Implement this protocol to keep the data of all kits somewhere else, such as in your own
/// database. Pass `Storage(MyProvider())` where a kit takes a storage.
///
/// ### How to implement it
///
/// Return stores that see each other's commits for equal names. A name consists of ASCII letters,
/// digits, `-`, `_`, and `.`; ``StorageName`` validates one. Don't open anything here: the stores
/// open themselves on first use, so creating a kit does no I/O. For an example, see
/// <doc:Storing-records>.
public protocol StorageProvider: Sendable {
  /// Returns the store of records with a name.
  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record>

  /// Returns the store of blobs with a name.
  func blobs(_ name: String) throws -> any BlobStore

  /// Returns the directory of the ``AssetCache`` with a name, or `nil` to keep assets in memory
  /// only.
  ///
  /// The contents can be fetched again, so choose a place that the system may empty and that
  /// backups exclude. By default, the method returns `nil`.
  func assets(_ name: String) throws -> AssetDirectory?

  /// Returns the directory of the journals with a name, which are written during a recording.
  ///
  /// By default, the journals are kept in memory, where they are lost when the process ends.
  func journals(_ name: String) throws -> JournalDirectory

  /// The observer of the stores and of the kits that use them; `nil` if there is none.
  ///
  /// By default, there is none.
  var observer: FieldObserver? { get }

  /// Returns a provider of the same stores that reports to an observer.
  ///
  /// By default, openings and commits are reported.
  func observed(by observer: FieldObserver) -> any StorageProvider
}

extension StorageProvider {
  /// Returns `nil` to keep assets in memory only.
  public func assets(_ name: String) throws -> AssetDirectory? { nil }

  /// Returns a new directory in memory.
  public func journals(_ name: String) throws -> JournalDirectory { .inMemory() }

  /// By default, there is no observer.
  public var observer: FieldObserver? { nil }

  /// Returns a provider that reports openings and commits.
  public func observed(by observer: FieldObserver) -> any StorageProvider {
    ObservedStorage(base: self, observer: self.observer?.and(observer) ?? observer)
  }
}
