internal import FieldFoundation

/// The way in which a type is read from rows: the columns, which a type with an initializer of its own lists, and which the keys of a
/// `Decodable` type are.
struct RowForm: Sendable {
  /// The columns to read, of which the first identifies a row.
  var columns: [RowColumn]
  /// The columns to name if none of the rows can be read.
  var expected: [RowColumn]
  /// A Boolean value that indicates whether all other columns of the source are read, too, because the type may ask for any of them.
  var isOpen = false
  /// A text that differs if a `Decodable` type reads other values, or in another way; empty for other types.
  var signature = ""
  /// The key of the ID; `nil` if the ID is made of several values.
  var id: String?
  /// The keys of locations.
  private var locations: [String] = []
  /// The key of the only location.
  var location: String? { locations.count == 1 ? locations[0] : nil }

  private static let forms = Lock<[ObjectIdentifier: RowForm]>([:])
  private static let keyForms = Lock<[ObjectIdentifier: RowForm]>([:])

  /// Returns the way in which a type is read.
  static func of<Value: RowReadable>(_ type: Value.Type) -> RowForm {
    let key = ObjectIdentifier(type)
    if let known = forms.withLock({ $0[key] }) { return known }
    // Only the default initializer knows of trials; any other finds an empty row.
    let row = SourceRow(bytes: [], columns: [], format: .jsonArray)
    row.notes.isTrial = true
    _ = try? Value(row: row)
    var form = RowForm(columns: Value.columns, expected: Value.columns)
    if row.notes.decodedType == key, let type = type as? any (RowReadable & Decodable).Type {
      form = decoding(type)
    }
    return forms.withLock { forms in
      forms[key] = forms[key] ?? form
      return forms[key] ?? form
    }
  }

  /// Reads all columns from now on, because a type has asked for one that wasn't expected.
  static func open<Value: RowReadable>(_ type: Value.Type) {
    forms.withLock { $0[ObjectIdentifier(type)]?.isOpen = true }
  }

  /// Returns the coding keys of a type as columns, without the older names that the type adds.
  static func keys<Value: RowReadable & Decodable>(of type: Value.Type) -> RowForm {
    let key = ObjectIdentifier(type)
    if let known = keyForms.withLock({ $0[key] }) { return known }
    let form = RowForm(KeyProbe.keys(of: type), zone: type.timeZone)
    keyForms.withLock { $0[key] = form }
    return form
  }

  private static func decoding<Value: RowReadable & Decodable>(_ type: Value.Type) -> RowForm {
    let (keys, columns) = (keys(of: type), type.columns)
    return columns == keys.columns ? keys : keys.adding(columns)
  }

  private init(columns: [RowColumn], expected: [RowColumn]) {
    (self.columns, self.expected) = (columns, expected)
  }

  /// Creates the form of a type's keys.
  ///
  /// - Parameter zone: The time zone of dates that don't state one.
  private init(_ probe: KeyProbe, zone: FixedZone?) {
    var keys = probe.keys.map(\.name)
    if let id = probe.id, let place = keys.firstIndex(of: id) {
      keys.remove(at: place)
      keys.insert(id, at: 0)
    }
    expected = keys.map { RowColumn($0) }
    (columns, locations) = (expected, probe.locations)
    (id, isOpen) = (probe.id, probe.isOpen)
    signature = probe.signature + (zone.map { " \($0.secondsFromUTC)" } ?? "")
    addLocationColumns()
  }

  /// Returns the form of the same keys with further names.
  ///
  /// - Parameter given: Columns, each of which belongs to the key among its names.
  private func adding(_ given: [RowColumn]) -> RowForm {
    let known = RowSchema(given)
    var used: Set<Int> = []
    var form = self
    form.expected = expected.map { key in
      guard let column = known.match(key.names[0])?.column, used.insert(column).inserted else {
        return key
      }
      return given[column]
    }
    form.expected += given.enumerated().filter { !used.contains($0.offset) }.map(\.element)
    form.columns = form.expected
    form.addLocationColumns()
    return form
  }

  /// Returns the usual names of the columns that a body lacks, except for those of a location that may be in others.
  func missingColumns(of summary: RowSummary) -> [String] {
    guard summary.rowCount > 0 else { return [] }
    let missing = Set(summary.missingColumns)
    return expected.compactMap(\.names.first).filter {
      missing.contains($0) && !(locations.contains($0) && isElsewhere($0, missing))
    }
  }

  /// Returns whether a location may be in other columns than the one of its own name.
  private func isElsewhere(_ location: String, _ missing: Set<String>) -> Bool {
    let places = LocationColumns.columns(
      of: location, isOnly: location == self.location, besides: RowSchema([]))
    let schema = RowSchema(places)
    return columns.contains { column in
      column.names.first != location && column.names.contains { schema.match($0) != nil }
        && column.names.first.map(missing.contains) == false
    }
  }

  private mutating func addLocationColumns() {
    for name in locations {
      columns += LocationColumns.columns(
        of: name, isOnly: name == location, besides: RowSchema(columns))
    }
  }
}

extension StoredRecord {
  /// Returns the fingerprint of checkpoints whose records are read from rows in their own way, as far as they are, and stored in the
  /// current format.
  package static func rowFingerprint(_ source: String) -> String {
    guard let type = self as? any RowReadable.Type else { return fingerprint(source, columns: []) }
    let form = type.rowForm
    return fingerprint(source, columns: form.columns, form: form.signature)
  }
}

extension StoredRecord where Self: RowReadable {
  /// The column of the ID; `nil` if the ID is made of several values, or by an initializer of the type's own.
  package static var keyColumn: RowColumn? {
    let form = RowForm.of(self)
    return form.id == nil ? nil : form.columns.first
  }

  /// A Boolean value that indicates whether the record may ask for any column of its source.
  package static var readsAllColumns: Bool { RowForm.of(self).isOpen }

  /// Returns the ID for the text of a cell in the ``keyColumn``, or `nil` if there is none.
  package static func id(ofKey text: String) -> ID? { RowKey.id(of: text, as: ID.self) }
}

extension RowReadable {
  fileprivate static var rowForm: RowForm { RowForm.of(Self.self) }
}
