package import FieldCore
internal import FieldFoundation

extension TaipeiOpenData {
  /// Passes every row of a dataset to one closure, and calls another one after every page.
  ///
  /// - Parameters:
  ///   - dataset: The dataset, whose IDs are tried in turn until one has data.
  ///   - columns: The columns to read, by whose position the closure gets cells.
  ///   - key: The position of the column that identifies a row in a failure.
  ///   - text: The text that rows must contain in any of their columns; `nil` for all rows.
  ///   - operation: The stable ID of the requests, such as `zoo.animals.page`.
  ///   - page: A closure that is called after each page. No other ID is tried after the first page.
  package func eachRow(
    of dataset: TaipeiDataset, columns: [RowColumn], key: Int, matching text: String? = nil,
    operation: String, _ row: (borrowing SourceRow) throws(RowProblem) -> Void,
    page: () async throws -> Void
  ) async throws -> OpenDataSummary {
    try await withFirstAvailableResource(of: dataset, operation: operation) { resource in
      let reading = OpenDataColumns(columns, key: key)
      return try await paging(
        resource, matching: text, operation: operation,
        read: { bytes, notes in try reading.read(bytes, notes: &notes, row) }, page: page)
    }
  }

  /// Tries the IDs of a dataset in turn, and throws the first one's error if all are retired.
  func withFirstAvailableResource<Value>(
    of dataset: TaipeiDataset, operation: String,
    _ body: (TaipeiDataset.Resource) async throws -> Value
  ) async throws -> Value {
    var retired: [FieldError] = []
    for resource in dataset.resources {
      do {
        return try await body(resource)
      } catch let error as FieldError where error.code == .datasetRetired {
        retired.append(error)
      }
    }
    guard var error = retired.first else {
      throw FieldError(
        .invalidInput, "The dataset \(dataset.name) has no ID.", operation: operation)
    }
    error.problems = retired.map(\.message)
    error.message =
      "data.taipei no longer has the data of \(dataset.name) under "
      + dataset.resources.map(\.rawValue).joined(separator: " or ")
      + ". Look up the current ID on the dataset's page, and pass it as the first resource."
    throw error
  }

  func paging(
    _ resource: TaipeiDataset.Resource, matching text: String?, operation: String,
    read: ([UInt8], inout OpenDataNotes) throws -> RowSummary,
    page: () async throws -> Void = {}
  ) async throws -> OpenDataSummary {
    var summary = OpenDataSummary(resource: resource)
    var notes = OpenDataNotes()
    var seen: Set<UInt64> = []
    var unknown: Set<String> = []
    while true {
      try Task.checkCancellation()
      guard summary.pageCount < maximumPageCount else {
        throw incomplete(
          summary, operation,
          "more than \(maximumPageCount) pages (increase maximumPageCount if that is expected)")
      }
      let address = try address(of: resource, matching: text, offset: summary.rowCount)
      let answer = try await answer(address, isFirst: summary.pageCount == 0, operation: operation)
      let rows: RowSummary
      do {
        notes.fingerprint = OpenDataNotes.firstFingerprint
        rows = try read(answer.body.bytes(), &notes)
      } catch {
        throw Self.described(
          error, by: answer, isFirst: summary.pageCount == 0, operation: operation)
      }
      summary.origin = summary.origin ?? answer.url ?? address
      summary.serverDate = answer.serverDate ?? summary.serverDate
      if let announced = rows.announcedRows {
        // Added or removed rows have moved all others, so some are repeated or missing.
        if let before = summary.announcedRows, before != announced {
          throw incomplete(summary, operation, "a different number of rows, \(announced)")
        }
        summary.announcedRows = announced
      }
      summary.importedAt = notes.importedAt
      summary.failures += rows.failures.map { $0.shifted(by: summary.rowCount) }
      for name in rows.unknownColumns where unknown.insert(name).inserted {
        summary.unknownColumns.append(name)
      }
      if !seen.insert(notes.fingerprint).inserted {
        throw incomplete(summary, operation, "the rows of an earlier page again")
      }
      summary.rowCount += rows.rowCount
      summary.pageCount += 1
      if rows.rowCount > 0 { try await page() }
      if let announced = summary.announcedRows {
        if summary.rowCount >= announced { return summary }
        if rows.rowCount == 0 { throw incomplete(summary, operation, "an empty page") }
      } else if rows.rowCount == 0 {
        return summary
      }
    }
  }

  func answer(
    _ url: URL, isFirst: Bool, operation: String
  ) async throws -> TransportResponse {
    let answer = try await FieldError.wrapping(
      "data.taipei couldn't be reached.", as: .transport, operation: operation
    ) { try await transport.send(request(url, operation: operation)) }
    do throws(FieldError) {
      try answer.checkStatus(operation: operation)
    } catch {
      var error = error
      // On a later page, the ID has data; trying another ID would return the earlier rows again.
      if isFirst, error.code == .notFound { error.code = .datasetRetired }
      // The page in a 500 response is more informative than the number.
      if let page = ForeignBody.pageTitle(answer.body) { error.message += " \(page)" }
      throw error
    }
    return answer
  }

  /// Returns the error for a body: a retired ID answers with JSON without rows.
  private static func described(
    _ error: any Error, by answer: TransportResponse, isFirst: Bool, operation: String
  ) -> any Error {
    guard var error = error as? FieldError else { return error }
    let bytes = (try? answer.body.bytes()) ?? []
    let isRefusal = error.code == .malformed
    error = ForeignBody.explained(error, by: bytes)
    error.operation = operation
    error.response = answer.head
    // Bodies other than JSON have other codes, except for HTML pages and refusals.
    let isPage = bytes.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    if isFirst, !isPage, !isRefusal, error.code == .schema || error.code == .notData {
      error.code = .datasetRetired
      error.message = "The response has no rows under result.results: \(error.message)"
    }
    return error
  }

  private func incomplete(
    _ summary: OpenDataSummary, _ operation: String, _ what: String
  ) -> FieldError {
    let announced = summary.announcedRows.map { " of \($0)" } ?? ""
    return FieldError(
      .datasetIncomplete,
      "After \(summary.rowCount) rows\(announced), data.taipei returned \(what). Try again later.",
      operation: operation)
  }
}
