internal import FieldCore

extension TaipeiOpenData {
  /// Reads a whole dataset as text.
  ///
  /// - Parameters:
  ///   - dataset: The dataset, whose IDs are tried in turn until one has data.
  ///   - text: The text that rows must contain in any of their columns; `nil` for all rows.
  ///   - operation: The stable ID of the requests, for stubs and logs.
  /// - Throws: `FieldError`; see the table in ``TaipeiOpenData``.
  @concurrent
  public func table(
    of dataset: TaipeiDataset, matching text: String? = nil,
    operation: String = "openData.table.page"
  ) async throws -> OpenDataTable {
    try await withFirstAvailableResource(of: dataset, operation: operation) { resource in
      var table = OpenDataTable(resource: resource)
      let summary = try await paging(resource, matching: text, operation: operation) {
        bytes, notes in
        try table.addPage(bytes, notes: &notes)
      }
      table.failures = summary.failures
      table.importedAt = summary.importedAt
      table.origin = summary.origin
      table.serverDate = summary.serverDate
      return table
    }
  }
}

extension OpenDataTable {
  /// Reads a page: once for the names of its columns, and once for their content.
  fileprivate mutating func addPage(
    _ bytes: [UInt8], notes: inout OpenDataNotes
  ) throws(FieldError) -> RowSummary {
    let outline = try RowReader.forEachRow(
      of: bytes, columns: [], key: 0, format: OpenDataColumns.format
    ) { _ throws(RowProblem) in }
    let keys = outline.unknownColumns
    let names = keys.map(Self.plain)
    for name in names where !columns.contains(name) { columns.append(name) }
    var rows: [OpenDataRow] = []
    let count = keys.count
    let reading = OpenDataColumns(keys.map { RowColumn($0) }, key: names.firstIndex(of: "_id") ?? 0)
    let summary = try reading.read(bytes, notes: &notes) { row throws(RowProblem) in
      rows.append(OpenDataRow(columns: names, values: (0..<count).map { row.rawText($0) }))
    }
    self.rows += rows
    return summary
  }

  private static func plain(_ key: String) -> String {
    let isDropped = { (scalar: Unicode.Scalar) in
      scalar == "\u{FEFF}" || scalar.properties.isWhitespace
    }
    let head = key.unicodeScalars.drop(while: isDropped)
    return String(String.UnicodeScalarView(head.reversed().drop(while: isDropped).reversed()))
  }
}
