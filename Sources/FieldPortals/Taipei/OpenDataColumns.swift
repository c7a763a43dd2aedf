internal import FieldCore
internal import FieldFoundation

/// What is noted of the rows while they are read.
struct OpenDataNotes {
  static let firstFingerprint: UInt64 = 0xCBF2_9CE4_8422_2325

  /// A number that pages with the same rows have in common (FNV-1a).
  var fingerprint = firstFingerprint
  var importedAt: Date?

  mutating func mix(_ byte: UInt8) {
    fingerprint = (fingerprint ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
}

/// The columns that somebody reads, and those that every dataset of the portal has besides.
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
    // The id tells pages apart whose rows are the same in all that is wanted.
    _ = position(of: "_id")
    importDate = position(of: ImportDate.column)
    self.columns = columns
    self.key = key
  }

  /// Reads a page.
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
      // Rows that were taken in together often have the same date.
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
