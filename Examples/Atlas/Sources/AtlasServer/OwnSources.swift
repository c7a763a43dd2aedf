import FieldKit
import FieldPortals
import Foundation

// atlas:begin own
/// The rows of a source as the records of a table whose columns are known.
struct OwnSource: RecordSource {
  /// The source: a dropped file, a download, or a portal.
  let base: any RecordSource<OpenRow>
  let plan: OwnPlan
  /// The rows that the plan was made of, which needn't be fetched again.
  let first: Locked<Batch<OpenRow>?>
  /// The lines in which rows begin, if they are known.
  let lines: Locked<[Int]>
  /// The findings in the newest rows.
  let seen: Locked<OwnSight?>

  var dataSource: DataSource? { base.dataSource }
  var fingerprint: String { "\(plan.fingerprint) \(base.fingerprint)" }

  func fetch(_ request: RecordRequest) async throws -> Batch<OwnRow> {
    let known = first.withLock { first in
      defer { first = nil }
      return first
    }
    let rows: Batch<OpenRow>
    if let known { rows = known } else { rows = try await base.fetch(request) }
    guard !rows.facts.isNotModified else {
      return .notModified(validators: rows.facts.validators, origin: rows.facts.origin)
    }
    var unreadable = 0
    let batch = plan.batch(of: rows, unreadable: &unreadable)
    seen.withLock { [unreadable] in $0 = OwnSight(batch, unreadablePlaces: unreadable) }
    return batch
  }
}
// atlas:end own

/// The findings in rows, besides the records.
struct OwnSight: Sendable {
  var failures: [RowFailure]
  var rowCount: Int
  var repeatedIDs: [String]
  var unreadablePlaces: Int
  var date: Date?

  init(_ batch: Batch<OwnRow>, unreadablePlaces: Int) {
    failures = batch.failures
    rowCount = batch.facts.rowCount
    repeatedIDs = batch.repeatedIDs
    self.unreadablePlaces = unreadablePlaces
    date =
      batch.facts.sourceDate
      ?? batch.facts.validators.values.compactMap(\.lastModified).first.flatMap(OwnSight.date)
  }

  /// Returns the date of a field such as `Last-Modified`.
  static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }
}

/// The rows of a dataset on a portal, found by the address of its page.
///
/// The portal is asked what the dataset is when its rows are fetched, and not before, so that the stored rows open
/// without a network.
struct OwnPortal: RecordSource {
  let dataset: PortalDataset
  let transport: any Transport
  let description: Locked<PortalDescription?>

  init(_ dataset: PortalDataset, transport: any Transport) {
    self.dataset = dataset
    self.transport = transport
    description = Locked(nil)
  }

  var dataSource: DataSource? { description.withLock { $0?.dataSource } }
  var fingerprint: String { "portal" }

  func fetch(_ request: RecordRequest) async throws -> Batch<OpenRow> {
    let found = try await dataset.describe(over: transport)
    guard found.rowCount ?? 0 <= OwnLimits.rows else { throw OwnFormat.tooManyRows }
    description.withLock { $0 = found }
    let options = SyncOptions(pageSize: 5_000, pageLimit: OwnLimits.rows / 500)
    let batch = try await found.rows(of: OpenRow.self, transport: transport, options: options)
      .fetch(request)
    guard batch.facts.rowCount <= OwnLimits.rows else { throw OwnFormat.tooManyRows }
    return batch
  }
}

/// A transport that answers from the files that visitors have dropped.
struct DroppedFiles: Transport {
  let folder: URL

  /// The host of the addresses of dropped files.
  static let host = "dropped.example"

  static func address(of id: String) -> URL { URL(filePath: "/\(id)").dropped }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let file = folder.appending(path: request.url.lastPathComponent)
    guard let data = try? Data(contentsOf: file) else {
      return TransportResponse(status: 404, url: request.url, body: .text("The file was removed."))
    }
    let tag = "\"\(OwnData.checksum([UInt8](data)))\""
    if request.fields["If-None-Match"] == tag {
      return TransportResponse(
        status: 304, fields: ["ETag": tag], url: request.url, body: .text(""))
    }
    return TransportResponse(
      status: 200, fields: ["ETag": tag, "Content-Type": "application/zip"], url: request.url,
      body: .data(data))
  }
}

extension URL {
  /// The address of a dropped file with this name.
  fileprivate var dropped: URL {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.path) = ("https", DroppedFiles.host, "/" + lastPathComponent)
    return parts.url ?? self
  }
}

/// A transport that returns a response again that has been received, once, and refuses archives that are too large.
struct PrimedTransport: Transport {
  let base: any Transport
  let first: Locked<TransportResponse?>

  init(_ base: any Transport, first: TransportResponse? = nil) {
    self.base = base
    self.first = Locked(first)
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let known = first.withLock { first in
      defer { first = nil }
      return first
    }
    if let known { return known }
    var request = request
    request.responseLimit = min(request.responseLimit, OwnLimits.fileSize)
    let response = try await base.send(request)
    if response.isSuccess, let archive = try? ZipArchive(response.body.bytes()) {
      try OwnFormat.checkSize(of: archive)
    }
    return response
  }
}
