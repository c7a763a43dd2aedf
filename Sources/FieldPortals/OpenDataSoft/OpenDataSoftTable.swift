internal import FieldCore
internal import FieldFoundation

/// A dataset on an OpenDataSoft portal, by version 2.1 of its Explore API.
///
/// Rows have no number of their own. So there are two ways to read them, neither of which uses an offset where rows may move:
///
/// - If the record's ID is a column of integers, pages are the exported rows with greater ones, in their order. An interrupted
///   refresh continues after the last page. Of rows with the same integer, one may be skipped.
/// - Otherwise, all rows are exported in one response, which the portal takes from one state of the dataset.
///
/// If a portal denies exports, its records are requested, at most 100 at a time. Then, a dataset without a column of integers
/// needs offsets, which end at 10,000. It is read only if the portal states before and after that it is in the same state.
final class OpenDataSoftTable: PortalTable {
  let address: URL
  private let column: RowColumn?
  private let client: PortalClient
  private let state = Lock(State())

  private struct State {
    var description: OpenDataSoftDescription?
    var refusesExports = false
  }

  /// - Parameters:
  ///   - column: The column of the record's ID.
  init(root: URL, dataset: String, column: RowColumn?, client: PortalClient) {
    address = Self.address(of: dataset, at: root)
    self.column = column
    self.client = client
  }

  /// Returns the API's URL of a dataset.
  static func address(of dataset: String, at root: URL) -> URL {
    root.appending(path: "api/explore/v2.1/catalog/datasets/\(dataset)")
  }

  /// The maximum number of rows in a response of the records, and the maximum offset after them.
  static let (recordLimit, offsetLimit) = (100, 10_000)

  var reader: String { "opendatasoft/1" }

  func version(isNew: Bool) async throws -> String? {
    try await description(isNew: isNew).version
  }

  private func description(
    isNew: Bool = false, operation: String = "opendatasoft.dataset"
  ) async throws -> OpenDataSoftDescription {
    if !isNew, let known = state.withLock(\.description) { return known }
    let answer = try await client.ask(address, operation: operation)
    let description = try OpenDataSoftDescription(answer.outline, operation: operation)
    guard description.hasRecords else {
      throw FieldError(
        .portalUnsupported, "The dataset \(description.id) has no rows, only files or links.",
        operation: operation)
    }
    state.withLock { $0.description = description }
    return description
  }

  func count(operation: String) async throws -> Int? {
    try await client.ask(
      address.appending(path: "records"), [("limit", "0")], rows: "results", operation: operation
    ).outline["total_count"]?.integer
  }

  func page(after key: Int64?, size: Int, operation: String) async throws -> PortalPage {
    try await page(after: key, size: size, field: nil, operation: operation)
  }

  func keys(
    after key: Int64?, size: Int, of column: RowColumn, operation: String
  ) async throws -> PortalPage {
    let fields = try await description().fields.map(\.name)
    return try await page(
      after: key, size: size, field: column.field(among: fields), operation: operation)
  }

  /// Returns rows.
  ///
  /// - Parameters:
  ///   - field: The only field to read; `nil` for all.
  private func page(
    after key: Int64?, size: Int, field: String?, operation: String
  ) async throws -> PortalPage {
    let description = try await description()
    let selection = field.map { [("select", Self.quoted($0))] } ?? []
    let name = column?.field(among: description.fields.map(\.name))
    guard let name, description.fields.contains(where: { $0.name == name && $0.type == "int" })
    else {
      return key == nil
        ? try await whole(selection, description, operation) : PortalPage(isLast: true)
    }
    var items = selection + [("order_by", Self.quoted(name))]
    if let key { items.append(("where", "\(Self.quoted(name)) > \(key)")) }
    var answer = try await export(items + [("limit", String(size))], operation)
    if answer == nil {
      let limit = String(min(size, Self.recordLimit))
      answer = try await records(items + [("limit", limit)], operation)
    }
    guard let answer else { return PortalPage(isLast: true) }
    var page = try PortalPage(
      reading: answer.body, as: Self.format(of: answer), key: name, after: key, isUnique: false)
    note(answer, description, in: &page)
    return page
  }

  private func note(
    _ answer: PortalClient.Answer, _ description: OpenDataSoftDescription,
    in page: inout PortalPage
  ) {
    page.origin = answer.head.url
    page.serverDate = answer.serverDate
    page.sourceDate = description.updatedAt
    page.announcedCount = answer.outline["total_count"]?.integer ?? description.rowCount
  }

  private static func quoted(_ field: String) -> String { "`\(field)`" }

  private static func format(of answer: PortalClient.Answer) -> RowFormat {
    answer.outline["total_count"] == nil ? .jsonArray : .envelope(path: ["results"])
  }

  // MARK: Exports and records

  /// Returns exported rows, or `nil` if the portal denies exports.
  private func export(
    _ items: [(name: String, value: String)], _ operation: String
  ) async throws -> PortalClient.Answer? {
    guard !state.withLock(\.refusesExports) else { return nil }
    do {
      return try await client.ask(
        address.appending(path: "exports/json"), items, rows: "", operation: operation)
    } catch let error as FieldError where error.code == .portalDenied {
      state.withLock { $0.refusesExports = true }
      return nil
    }
  }

  private func records(
    _ items: [(name: String, value: String)], _ operation: String
  ) async throws -> PortalClient.Answer {
    try await client.ask(
      address.appending(path: "records"), items, rows: "results", operation: operation)
  }

  /// The position after all rows of one response.
  private static let end = Int64.max

  private func whole(
    _ selection: [(name: String, value: String)], _ description: OpenDataSoftDescription,
    _ operation: String
  ) async throws -> PortalPage {
    var page: PortalPage
    if let answer = try await export(selection + [("limit", "-1")], operation) {
      page = try PortalPage(whole: answer.body, as: .jsonArray)
      note(answer, description, in: &page)
    } else {
      page = try await wholeByOffsets(selection, description, operation)
    }
    page.end = Self.end
    page.isLast = true
    return page
  }

  private func wholeByOffsets(
    _ selection: [(name: String, value: String)], _ description: OpenDataSoftDescription,
    _ operation: String
  ) async throws -> PortalPage {
    guard let version = description.version else {
      throw FieldError(
        .portalUnsupported,
        "The portal denies exports, and doesn't state when the rows of \(description.id) were "
          + "processed, so pages of them can't be told to belong together.", operation: operation)
    }
    var page = PortalPage()
    var total = 1
    while page.rowCount < total {
      try Task.checkCancellation()
      let answer = try await records(
        selection + [
          ("limit", String(min(Self.recordLimit, Self.offsetLimit - page.rowCount))),
          ("offset", String(page.rowCount)),
        ], operation)
      let part = try PortalPage(whole: answer.body, as: .envelope(path: ["results"]))
      if page.rowCount == 0 {
        note(answer, description, in: &page)
        total = page.announcedCount ?? 0
      }
      guard total <= Self.offsetLimit else {
        throw FieldError(
          .portalUnsupported,
          "The portal denies exports, and returns no more than \(Self.offsetLimit) of the \(total) "
            + "rows otherwise. Use a token that allows exports, or a record with a column of "
            + "integers as its ID.", operation: operation)
      }
      guard part.rowCount > 0 || total == 0 else { break }
      page.append(part)
      guard answer.outline["total_count"]?.integer == total else { break }
    }
    let isSame = try await self.version(isNew: true) == version
    guard page.rowCount == total, isSame else {
      throw FieldError(
        .datasetIncomplete,
        "The dataset \(description.id) changed while its pages were read. Try again later.",
        operation: operation)
    }
    return page
  }
}

extension PortalPage {
  /// Creates a page of all rows of a response, which have no key.
  fileprivate init(whole body: [UInt8], as format: RowFormat) throws(FieldError) {
    try self.init(reading: body, as: format, key: "", after: nil, isKeyRequired: false)
  }

  fileprivate init(isLast: Bool) {
    self.init()
    self.isLast = isLast
  }

  /// Adds the rows of a page after this one.
  fileprivate mutating func append(_ page: PortalPage) {
    let count = rowCount
    if !page.rows.isEmpty {
      if rows.isEmpty {
        rows = page.rows
      } else {
        rows.removeLast()
        rows.append(UInt8(ascii: ","))
        rows += page.rows.dropFirst()
      }
    }
    indexes += page.indexes.map { $0 + count }
    failures += page.failures.map { $0.shifted(by: count) }
  }
}
