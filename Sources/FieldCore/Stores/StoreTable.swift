package import FieldFoundation

/// One of several tables in a store: some of its records, and an entry in its checkpoint.
package struct StoreTable<Record: StoredRecord>: Sendable {
  /// The name of the table's entry in the checkpoint.
  package let name: String
  /// A Boolean value that indicates whether the age of this table determines that of the store.
  package let determinesAge: Bool
  /// Returns a Boolean value that indicates whether a record is one of the table's rows.
  package let contains: @Sendable (Record) -> Bool

  package init(
    _ name: String, determinesAge: Bool, contains: @escaping @Sendable (Record) -> Bool
  ) {
    self.name = name
    self.determinesAge = determinesAge
    self.contains = contains
  }
}

extension Checkpoint {
  /// The entry of one table in a checkpoint.
  package struct Table: Codable, Sendable, Hashable {
    /// The time at which the source last confirmed the rows.
    package var lastSuccess: Date?
    /// A value that identifies how the entry was made.
    package var fingerprint: String?
    /// The time at which the source imported the newest row.
    package var importDate: Date?

    package init(
      lastSuccess: Date? = nil, fingerprint: String? = nil, importDate: Date? = nil
    ) {
      self.lastSuccess = lastSuccess
      self.fingerprint = fingerprint
      self.importDate = importDate
    }
  }

  /// The entry of a table.
  ///
  /// It is empty if the table was never read, or if another version wrote an entry that this one
  /// can't read; the table is then due.
  package subscript(table name: String) -> Table {
    get {
      guard let text = cursors[name] else { return Table() }
      return (try? JSONDecoder().decode(Table.self, from: Data(text.utf8))) ?? Table()
    }
    set {
      // Dates and strings can always be encoded.
      cursors[name] = (try? JSONEncoder().encode(newValue)).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }
}
