/// Gives stores by name: the seam between the kits and where their data is kept.
///
/// ### When to implement it
///
/// To keep the data of all kits somewhere else, such as in a database of yours: implement this and pass
/// `Storage(MyProvider())` where a kit takes a storage.
///
/// ### How to implement it
///
/// Equal names give stores that see each other's commits. A name is made of ASCII letters, digits,
/// `-`, `_` and `.`; ``StorageName`` checks one. Do not open anything here: the stores open themselves
/// on first use, so that making a kit never waits. <doc:Storing-records> has an example.
public protocol StorageProvider: Sendable {
  /// The store of records of this name.
  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record>

  /// The store of blobs of this name.
  func blobs(_ name: String) throws -> any BlobStore

  /// Where the ``AssetCache`` of this name may keep its files; nil, the default, for memory alone.
  ///
  /// What is there can be fetched again: choose a place that the system may empty and that is not in
  /// backups.
  func assets(_ name: String) throws -> AssetDirectory?

  /// Where the journals of this name are kept, into which something is recorded while it goes on; a place
  /// in memory, the default, loses them with the process.
  func journals(_ name: String) throws -> JournalDirectory
}

extension StorageProvider {
  /// Nil: assets are kept in memory alone.
  public func assets(_ name: String) throws -> AssetDirectory? { nil }

  /// A new place in memory.
  public func journals(_ name: String) throws -> JournalDirectory { .inMemory() }
}
