package import FieldFoundation

/// A table of a store that holds several: some of its records, and an entry in its checkpoint.
package struct StoreTable<Record: StoredRecord>: Sendable {
  /// The name of the table's entry in the checkpoint.
  package let name: String
  /// A Boolean value that indicates whether the store is as old as this table.
  package let determinesAge: Bool
  /// Returns a Boolean value that indicates whether a record is one of the table's rows.
  package let contains: @Sendable (Record) -> Bool

  /// Creates a table.
  package init(
    _ name: String, determinesAge: Bool, contains: @escaping @Sendable (Record) -> Bool
  ) {
    self.name = name
    self.determinesAge = determinesAge
    self.contains = contains
  }
}

extension Checkpoint {
  /// What a checkpoint contains about one of several tables.
  package struct Table: Codable, Sendable, Hashable {
    /// When the source last confirmed the rows.
    package var lastSuccess: Date?
    /// What the rows were read from, and how.
    package var fingerprint: String?
    /// When the source itself took in the newest row.
    package var importDate: Date?

    /// Creates an entry.
    package init(
      lastSuccess: Date? = nil, fingerprint: String? = nil, importDate: Date? = nil
    ) {
      self.lastSuccess = lastSuccess
      self.fingerprint = fingerprint
      self.importDate = importDate
    }
  }

  /// The entry of a table. It is empty if the table was never read, or if another version wrote an entry
  /// that this one can't read, which only means that the table is due.
  package subscript(table name: String) -> Table {
    get {
      guard let text = cursors[name] else { return Table() }
      return (try? JSONDecoder().decode(Table.self, from: Data(text.utf8))) ?? Table()
    }
    set {
      // Dates and texts can always be encoded.
      cursors[name] = (try? JSONEncoder().encode(newValue)).map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }
}
