internal import FieldCore
internal import FieldFoundation

/// The facts that are recorded while the rows are read.
struct OpenDataNotes {
  static let firstFingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

  /// A hash that pages with the same rows share (FNV-1a).
  var fingerprint = firstFingerprint
  var importedAt: Date?

  mutating func mix(_ byte: UInt8) {
    fingerprint = (fingerprint ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}

/// The requested columns, and those that every dataset of the portal also has.
struct OpenDataColumns {
  static let format = RowFormat.envelope(path: ["result", "results"])

  private let columns: [RowColumn]
  private let key: Int
  private let importDate: Int

  init(_ wanted: [RowColumn], key: Int) {
    var columns = wanted
    func position(of name: String) -> Int {
      if let position = wanted.firstIndex(where: { $0.names.contains(name) }) { return position }
      columns.append(RowColumn(name))
      return columns.count - 1
    }
    // The ID distinguishes pages whose rows are equal in all requested columns.
    _ = position(of: "_id")
    importDate = position(of: ImportDate.column)
    self.columns = columns
    self.key = key
  }

  func read(
    _ bytes: [UInt8], notes: inout OpenDataNotes,
    _ body: (borrowing SourceRow) throws(RowProblem) -> Void
  ) throws(FieldError) -> RowSummary {
    var lastDate: String?
    return try RowReader.forEachRow(
      of: bytes, columns: columns, key: key, format: Self.format
    ) { row throws(RowProblem) in
      for column in columns.indices {
        _ = row.withUTF8(column) { text in
          for index in text.indices { notes.mix(text[index]) }
        }
        notes.mix(0xFF)
      }
      // Rows that were imported together often have the same date.
      if let text = row.rawText(importDate), text != lastDate {
        lastDate = text
        if let date = row.json(importDate).flatMap(ImportDate.date) {
          notes.importedAt = max(notes.importedAt ?? date, date)
        }
      }
      try body(row)
    }
  }
}
