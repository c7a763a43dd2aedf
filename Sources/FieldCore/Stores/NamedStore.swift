/// A store of a storage, by name.
///
/// It opens on first use.
///
/// Creating one never fails: an error of the name or the storage is thrown by the first call.
package final class NamedStore<Record: StoredRecord>: ForwardingRecordStore {
  private let name: String
  private let storage: any StorageProvider
  private let opened = Lock<(any RecordStore<Record>)?>(nil)

  package init(_ name: String, in storage: any StorageProvider) {
    self.name = name
    self.storage = storage
  }

  package func target() throws -> any RecordStore<Record> {
    try opened.withLock { opened in
      let store = try opened ?? storage.records(name, of: Record.self)
      opened = store
      return store
    }
  }

  package var observer: FieldObserver? { storage.observer }
}

extension Storage {
  /// Returns the store of records with a name, which opens on first use.
  ///
  /// ```swift
  /// let visits: any RecordStore<Visit> = storage.store("visits")
  /// try await visits.open()
  /// ```
  public func store<Record: StoredRecord>(
    _ name: String, of type: Record.Type = Record.self
  ) -> any RecordStore<Record> {
    NamedStore<Record>(name, in: self)
  }
}
