package import FieldFoundation

/// One of several tables in a store: some of its records, and an entry in its checkpoint.
package struct StoreTable<Record: StoredRecord>: Sendable {
  /// The name of the table's entry in the checkpoint.
  package let name: String
  /// A Boolean value that indicates whether the age of this table determines that of the store.
  package let determinesAge: Bool
  /// Returns a Boolean value that indicates whether a record is one of the table's rows.
  package let contains: @Sendable (Record) -> Bool
  /// Returns `false` for a record of the table, be it a row or the order, whose content is lost.
  ///
  /// If there is one, all rows are requested again, even if the source hasn't changed.
  let isReadable: @Sendable (Record) -> Bool
  /// Returns the record that stores the order of the rows; `nil` if the order isn't stored.
  let order: (@Sendable ([Record.ID]) -> Record)?

  package init(
    _ name: String, determinesAge: Bool, contains: @escaping @Sendable (Record) -> Bool,
    isReadable: @escaping @Sendable (Record) -> Bool = { _ in true },
    order: (@Sendable ([Record.ID]) -> Record)? = nil
  ) {
    self.name = name
    self.determinesAge = determinesAge
    self.contains = contains
    self.isReadable = isReadable
    self.order = order
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
    /// The validators of the rows, by the exact URL; `nil` if there are none.
    ///
    /// They are stored with the entry: a version that doesn't know them drops them with the rows that they describe.
    package var validators: [String: HTTPValidators]?

    package init(
      lastSuccess: Date? = nil, fingerprint: String? = nil, importDate: Date? = nil,
      validators: [String: HTTPValidators] = [:]
    ) {
      self.lastSuccess = lastSuccess
      self.fingerprint = fingerprint
      self.importDate = importDate
      self.validators = validators.isEmpty ? nil : validators
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
