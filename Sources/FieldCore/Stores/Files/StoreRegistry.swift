/// The open stores of this process, so that stores of the same file share one.
package enum StoreRegistry {
  private struct Key: Hashable, Sendable {
    var path: String
    var record: ObjectIdentifier
    var access: StoreAccess
    var placement: FilePlacement
  }

  private struct Entry: Sendable {
    weak let core: (any AnyObject & Sendable)?
  }

  private static let entries = Lock<[Key: Entry]>([:])

  /// Returns the open store of this file, or a new one.
  package static func core<Record: StoredRecord>(
    _ record: Record.Type, path: String, access: StoreAccess, placement: FilePlacement,
    clock: any FieldClock
  ) -> FileStoreCore<Record> {
    let path = PosixFileSystem().canonical(path)
    let key = Key(
      path: path, record: ObjectIdentifier(record), access: access, placement: placement)
    return entries.withLock { entries in
      if let core = entries[key]?.core as? FileStoreCore<Record> { return core }
      entries = entries.filter { $0.value.core != nil }
      let core = FileStoreCore<Record>(
        path: path, access: access,
        fileSystem: PlacedFileSystem(PosixFileSystem(), placement), clock: clock)
      entries[key] = Entry(core: core)
      return core
    }
  }
}
