/// The open stores of this process, so that stores of the same file share one.
package enum StoreRegistry {
  private struct Key: Equatable, Sendable {
    var path: String
    var record: ObjectIdentifier
    var access: StoreAccess
    var placement: FilePlacement
  }

  private struct Entry: Sendable {
    let key: Key
    weak let core: (any AnyObject & Sendable)?
  }

  // There are few, and the first use of a dictionary with another kind of key takes a fifth of a millisecond.
  private static let entries = Lock<[Entry]>([])

  /// Returns the open store of this file, or a new one.
  package static func core<Record: StoredRecord>(
    _ record: Record.Type, path: String, access: StoreAccess, placement: FilePlacement,
    clock: any FieldClock
  ) -> FileStoreCore<Record> {
    let path = PosixFileSystem().canonical(path)
    let key = Key(
      path: path, record: ObjectIdentifier(record), access: access, placement: placement)
    return entries.withLock { entries in
      entries.removeAll { $0.core == nil }
      for entry in entries where entry.key == key {
        if let core = entry.core as? FileStoreCore<Record> { return core }
      }
      let core = FileStoreCore<Record>(
        path: path, access: access,
        fileSystem: PlacedFileSystem(PosixFileSystem(), placement), clock: clock,
        provingClock: .system)
      entries.append(Entry(key: key, core: core))
      return core
    }
  }
}
