internal import FieldCore
internal import FieldFoundation

/// The rows of a dataset on data.taipei as records, all at once.
///
/// The portal has only offsets, which move with the rows. So the pages are used only if they belong together: all of them announce the
/// same number of rows, none is repeated, and that many rows arrive.
struct TaipeiRows<Record: StoredRecord & RowReadable>: RecordSource {
  let dataset: TaipeiDataset
  let portal: TaipeiOpenData
  let operation: String

  var fingerprint: String { "taipei/1 \(portal.base.absoluteString) \(dataset.id)" }

  @concurrent
  func fetch(_ request: RecordRequest) async throws -> Batch<Record> {
    let operation = "\(operation).page"
    return try await portal.withFirstAvailableResource(of: dataset, operation: operation) {
      resource in
      var whole = Batch<Record>(records: [], facts: PageMetadata(rowCount: 0))
      let columns = OpenDataColumns(Record.columns, key: 0)
      let summary = try await portal.paging(resource, matching: nil, operation: operation) {
        bytes, notes in
        request.willRead()
        let summary = try columns.read(bytes, notes: &notes) { _ in }
        if summary.rowCount > 0 { whole.append(try Batch(reading: bytes)) }
        return summary
      }
      whole.facts.announcedCount = summary.announcedRows
      whole.facts.sourceDate = summary.importedAt
      whole.facts.serverDate = summary.serverDate
      whole.facts.origin = summary.origin
      return whole
    }
  }
}
