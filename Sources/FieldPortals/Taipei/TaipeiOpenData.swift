public import FieldCore
public import FieldFoundation

/// A reader for the datasets of data.taipei, one page at a time, over any transport.
///
/// ```swift
/// let portal = TaipeiOpenData(transport: URLSessionTransport())
/// let stations = try await portal.table(of: .metroStations)
/// for row in stations.rows { print(row["StationName"] ?? "", row["StationAddress"] ?? "") }
/// ```
///
/// You can read any dataset as rows of text. The kits use this type to read theirs into models.
///
/// - **Paging.** The portal returns at most 1,000 rows at once, whatever the requested limit. Pages
///   are requested until all announced rows have been received.
/// - **IDs.** If one of the dataset's IDs is retired, the next one is tried. An array without rows
///   is accepted as it is: if the current ID has no rows, that is no reason to return the old data
///   of a former one.
/// - **Nothing is cached.** The portal sends no validators. For the age of the data, see
///   `_importdate` in ``OpenDataTable/importedAt``.
///
/// Errors, in addition to those of the transport:
///
/// | code | cause |
/// |---|---|
/// | `openData.retired` | 404, or JSON without rows, for all IDs of the dataset |
/// | `openData.incomplete` | fewer rows than announced, a repeated page, or rows that moved |
/// | `rows.notData` | an HTML page or a text such as `Unauthorized` instead of data, with status 200 |
/// | `http.status` | a status other than success; the portal has answered 500 for days |
/// | `rows.malformed`, `rows.cut`, `rows.encoding`, `rows.empty` | invalid or incomplete JSON |
public struct TaipeiOpenData: Sendable {
  /// The base URL of the portal, to which the paths of its API are appended.
  public var base: URL
  /// The API to use, of the portal's two.
  public var form: Form
  /// The number of rows per request, from 1 through 1,000.
  public var pageSize: Int { didSet { pageSize = Self.validPageSize(pageSize) } }
  /// The maximum number of pages to request.
  ///
  /// Defaults to 1,000.
  public var maximumPageCount: Int
  /// The `User-Agent` to send; `nil` leaves it to the transport.
  ///
  /// The portal has answered agents that don't look like a browser with an error page.
  public var userAgent: String?
  /// The maximum duration of a request for a page.
  ///
  /// Defaults to 60 seconds.
  public var timeout: Duration
  /// The maximum size of a page, in bytes.
  ///
  /// Defaults to 32 MiB.
  public var pageLimit: Int

  package let transport: any Transport

  /// Creates a reader of the portal.
  public init(
    transport: any Transport,
    base: URL = Self.portal,
    form: Form = .v1,
    pageSize: Int = 1000,
    maximumPageCount: Int = 1000,
    userAgent: String? = Self.defaultUserAgent,
    timeout: Duration = .seconds(60),
    pageLimit: Int = 32 << 20
  ) {
    self.transport = transport
    self.base = base
    self.form = form
    self.pageSize = Self.validPageSize(pageSize)
    self.maximumPageCount = maximumPageCount
    self.userAgent = userAgent
    self.timeout = timeout
    self.pageLimit = pageLimit
  }

  /// The URL of the portal, `https://data.taipei`.
  public static var portal: URL { URL(literal: "https://data.taipei") }

  /// The default `User-Agent`.
  public static var defaultUserAgent: String { "Mozilla/5.0 (compatible; FieldKit)" }

  private static func validPageSize(_ size: Int) -> Int { min(max(size, 1), 1000) }

  /// An API of the portal.
  public struct Form: RawRepresentable, Hashable, Sendable {
    /// The name of the API.
    public var rawValue: String
    /// Creates an API from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The current API: `/api/v1/dataset/{rid}?scope=resourceAquire&limit=…&offset=…`.
    public static var v1: Self { Self(rawValue: "v1") }
    /// The API of 2014 to 2019, for mirrors and recorded responses:
    /// `/opendata/datalist/apiAccess?scope=resourceAquire&rid={rid}&limit=…&offset=…`.
    public static var retired: Self { Self(rawValue: "retired") }
  }
}

extension TaipeiOpenData {
  /// Returns the URL of a page of a resource.
  ///
  /// - Parameters:
  ///   - resource: The ID of the data.
  ///   - text: The text that rows must contain in any of their columns; `nil` for all rows.
  ///   - offset: The number of rows before the page.
  /// - Throws: `FieldError` with the code `input.invalid` if ``base`` doesn't accept a path or
  ///   query.
  public func address(
    of resource: TaipeiDataset.Resource, matching text: String? = nil, offset: Int = 0
  ) throws -> URL {
    // The portal spells it without a c.
    var items = [(name: "scope", value: "resourceAquire")]
    let path: String
    if form == .retired {
      path = "/opendata/datalist/apiAccess"
      items.append(("rid", resource.rawValue))
    } else {
      path = "/api/v1/dataset/\(PercentEncoding.segment(resource.rawValue))"
    }
    if let text, !text.isEmpty { items.append(("q", text)) }
    items += [("limit", String(pageSize)), ("offset", String(offset))]
    var root = base.absoluteString
    while root.hasSuffix("/") { root.removeLast() }
    guard let url = URL(string: root + path, encodingInvalidCharacters: false) else {
      throw FieldError(.invalidInput, "\(base.absoluteString) can't be the URL of data.taipei.")
    }
    return try PercentEncoding.url(url, adding: items)
  }

  func request(_ url: URL, operation: String) -> TransportRequest {
    var fields: HTTPHeaderFields = ["Accept": "application/json"]
    fields["User-Agent"] = userAgent
    return TransportRequest(
      url: url, fields: fields, timeout: timeout, responseLimit: pageLimit, operation: operation)
  }
}

// MARK: - Paging

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

// MARK: - Table

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
