import FieldKit
import FieldPortals
import FieldTransit
import Foundation

/// A dataset that a visitor has brought, as it's stored.
struct OwnEntry: StoredRecord {
  /// Where a dataset comes from.
  enum Source: Codable, Equatable, Sendable {
    case file(String)
    case address(URL)
    case portal(URL, family: String)
  }

  let id: String
  var title: String
  var source: Source
  var isTimetable: Bool
  var credit: DataSource?
  /// The date of the data itself, as far as the file or the server states it.
  var dataDate: Date?
  var added: Date
  /// The size of the file or the response, in bytes.
  var size: Int
  /// The seconds since the last day of a timetable that had ended when it was added; 0 for others.
  var endedBefore: Double = 0
  /// The way in which a table is read.
  var plan: OwnPlan?
  /// The findings in the newest rows.
  var validation: OwnValidation?
}

/// The findings in rows, for the page.
struct OwnValidation: Codable, Equatable, Sendable {
  struct Failure: Codable, Equatable, Sendable {
    var file: String?
    var row: Int
    var line: Int?
    var reason: String
    var excerpt: String
  }

  var rows: Int
  var failures: [Failure]
  var failureCount: Int
  var repeatedIDs: [String] = []
  var repeatedCount = 0
  /// The number of rows whose place can't be read.
  var unreadablePlaces = 0
  var date: Date
}

/// The datasets that visitors bring: each is a `Catalog` or a `TimetableCatalog` of its own.
actor OwnData {
  /// A dataset that is open.
  struct Dataset: Sendable {
    enum Content: Sendable {
      case table(Catalog<OwnRow>, OwnSource)
      case timetable(OwnTimetable)
    }

    var entry: OwnEntry
    let content: Content

    var kit: any Kit {
      switch content {
      case .table(let catalog, _): catalog
      case .timetable(let timetable): timetable.catalog
      }
    }
  }

  private let folder: URL
  private let storage: Storage
  private let store: any RecordStore<OwnEntry>
  private let transport: any Transport
  private var datasets: [String: Dataset] = [:]
  private var isAdding = false

  /// Creates the datasets in a folder.
  ///
  /// - Parameter transport: The transport for addresses, which must be fit for those that anybody may type in.
  init(folder: URL, transport: any Transport) throws {
    self.folder = folder
    try FileManager.default.createDirectory(
      at: folder.appending(path: "files"), withIntermediateDirectories: true)
    storage = .directory(folder.appending(path: "store"))
    store = storage.store("datasets")
    self.transport = transport.retrying(RetryPolicy(attempts: 2)).coalescing()
  }

  // atlas:begin own
  /// Opens the datasets that are stored. Their rows are there without a network.
  func open() async throws {
    for entry in try await store.snapshot() { datasets[entry.id] = try dataset(entry) }
  }
  // atlas:end own

  /// All datasets, the newest first.
  var all: [Dataset] { datasets.values.sorted { $0.entry.added > $1.entry.added } }

  /// Returns a dataset, or `nil` if there is none with this ID.
  subscript(id: String) -> Dataset? { datasets[id] }

  func close() async {
    for dataset in datasets.values { try? await dataset.kit.close() }
    try? await store.close()
  }

  // MARK: Adding

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - file: The received file, which is moved.
  ///   - name: Its name, which only the page shows.
  ///   - date: The date of its last change, as the browser states it.
  func add(file: URL, named name: String, changed date: Date?) async throws -> Dataset {
    try await adding {
      let bytes = [UInt8](try Data(contentsOf: file))
      guard !bytes.isEmpty else { throw FieldError(.emptyBody, "The file is empty.") }
      let format = try OwnFormat(of: bytes)
      let id = Self.newID()
      try FileManager.default.moveItem(at: file, to: self.file(id))
      var entry = OwnEntry(
        id: id, title: Self.title(of: name), source: .file(name), isTimetable: format == .timetable,
        dataDate: date, added: Date(), size: bytes.count)
      if format != .timetable {
        do {
          let lines = Locked<[Int]>([])
          let rows = try await Self.rows(self.fileRows(id, lines))
          entry.plan = try Self.plan(rows)
          return try self.dataset(entry, first: rows, lines: lines)
        } catch {
          try? FileManager.default.removeItem(at: self.file(id))
          throw error
        }
      }
      do {
        entry.endedBefore = try OwnTimetable.secondsSinceEnd(of: bytes)
        return try self.dataset(entry)
      } catch {
        try? FileManager.default.removeItem(at: self.file(id))
        throw error
      }
    }
  }

  /// Adds what is at an address: a dataset of a portal, or a file.
  func add(address text: String) async throws -> Dataset {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.utf8.count <= OwnLimits.addressLength, let url = URL(string: Self.completed(text)),
      url.host()?.isEmpty == false
    else {
      throw FieldError(
        .invalidInput, "This isn't an address, such as https://data.example/cafes.csv.")
    }
    let address = try PublicTransport.checked(url)
    return try await adding {
      if let dataset = try? PortalDataset(address) {
        do {
          return try await self.portal(dataset)
        } catch let error as FieldError where Self.isFile(address) && Self.isOfNoPortal(error) {
          // A path like that of a portal's page, but a file.
        }
      }
      return try await self.download(address)
    }
  }

  private func portal(_ dataset: PortalDataset) async throws -> Dataset {
    let portal = OwnPortal(dataset, transport: transport)
    let rows = try await Self.rows(portal)
    let description = portal.description.withLock { $0 }
    let entry = OwnEntry(
      id: Self.newID(), title: Self.title(of: description?.name ?? dataset.address.host() ?? ""),
      source: .portal(dataset.address, family: "\(dataset.family)"), isTimetable: false,
      credit: description?.dataSource, dataDate: description?.updatedAt, added: Date(), size: 0,
      plan: try Self.plan(rows))
    return try self.dataset(entry, first: rows)
  }

  private func download(_ url: URL) async throws -> Dataset {
    let response = try await transport.send(
      TransportRequest(
        url: url, timeout: .seconds(60), responseLimit: OwnLimits.fileSize, operation: "own.file"))
    guard response.isSuccess else {
      throw FieldError(
        response.status == 404 ? .notFound : .status,
        "The server responded with \(response.status).", response: response.head)
    }
    let bytes = try response.body.bytes()
    guard !bytes.isEmpty else { throw FieldError(.emptyBody, "The response is empty.") }
    let format = try OwnFormat(of: bytes)
    var entry = OwnEntry(
      id: Self.newID(), title: Self.title(of: url.lastPathComponent), source: .address(url),
      isTimetable: format == .timetable,
      dataDate: response.fields["Last-Modified"].flatMap(OwnSight.date), added: Date(),
      size: bytes.count)
    let primed = PrimedTransport(transport, first: response)
    guard format != .timetable else {
      entry.endedBefore = try OwnTimetable.secondsSinceEnd(of: bytes)
      return try dataset(entry, over: primed)
    }
    let lines = Locked<[Int]>([])
    let rows = try await Self.rows(download(of: url, over: primed, lines))
    entry.plan = try Self.plan(rows)
    return try dataset(entry, first: rows, lines: lines)
  }

  /// Adds one dataset at a time, stores its rows, and then the dataset; if that fails, none of them is kept.
  private func adding(_ body: () async throws -> Dataset) async throws -> Dataset {
    guard !isAdding else {
      throw FieldError(
        .operationInProgress, "Another dataset is being read. Try again in a moment.")
    }
    guard datasets.count < OwnLimits.datasets else {
      throw FieldError(
        .tooManyRequests,
        "There are \(OwnLimits.datasets) datasets already. Remove one of them first.")
    }
    isAdding = true
    defer { isAdding = false }
    var dataset = try await PublicTransport.$deadline.withValue(
      ContinuousClock.now + OwnLimits.time
    ) {
      try await body()
    }
    do {
      try await refresh(&dataset, .now)
      try await store.commit(Changes(upserting: [dataset.entry]), checkpoint: nil, expecting: nil)
    } catch {
      await erase(dataset)
      throw error
    }
    datasets[dataset.entry.id] = dataset
    return dataset
  }

  // MARK: Refreshing

  /// Refreshes a dataset, and keeps what its rows were like.
  func refresh(_ id: String, _ when: RefreshTrigger) async throws -> RefreshReport {
    guard var dataset = datasets[id] else {
      throw FieldError(.notFound, "There is no such dataset.")
    }
    let before = dataset.entry
    let report = try await refresh(&dataset, when)
    guard datasets[id] != nil else { return report }
    datasets[id] = dataset
    if dataset.entry != before {
      try await store.commit(Changes(upserting: [dataset.entry]), checkpoint: nil, expecting: nil)
    }
    return report
  }

  /// Refreshes the datasets that are due.
  func refreshDue() async {
    for id in datasets.keys { _ = try? await refresh(id, .scheduled) }
  }

  @discardableResult
  private func refresh(
    _ dataset: inout Dataset, _ when: RefreshTrigger
  ) async throws -> RefreshReport {
    let kit = dataset.kit
    let report = try await PublicTransport.$deadline.withValue(ContinuousClock.now + OwnLimits.time)
    {
      try await kit.refresh(when)
    }
    // atlas:begin own
    switch dataset.content {
    case .table(let catalog, let source):
      guard let sight = source.seen.withLock({ $0 }) else { break }
      dataset.entry.validation = OwnValidation(
        sight, lines: source.lines.withLock { $0 }, at: report.date)
      dataset.entry.dataDate = sight.date ?? dataset.entry.dataDate
      if let portal = source.base as? OwnPortal, let found = portal.description.withLock({ $0 }) {
        dataset.entry.dataDate = found.updatedAt ?? dataset.entry.dataDate
      }
      // The indexes are built now, and not by the first query.
      _ = try await catalog.view().count(matching: "-")
    case .timetable(let timetable):
      dataset.entry.validation = try await timetable.validation(at: report.date)
    }
    // atlas:end own
    return report
  }

  /// Removes a dataset with all of its files.
  func remove(_ id: String) async throws {
    guard let dataset = datasets.removeValue(forKey: id) else { return }
    var changes = Changes<OwnEntry>()
    changes.remove(id)
    try await store.commit(changes, checkpoint: nil, expecting: nil)
    await erase(dataset)
  }

  private func erase(_ dataset: Dataset) async {
    try? await dataset.kit.eraseAll()
    try? await dataset.kit.close()
    try? FileManager.default.removeItem(at: file(dataset.entry.id))
  }

  // MARK: Catalogs

  /// Creates the catalog of a dataset.
  ///
  /// - Parameters:
  ///   - first: The rows that have been read already.
  ///   - lines: The lines in which rows begin, as far as they are known.
  ///   - primed: The transport that has received a timetable already.
  private func dataset(
    _ entry: OwnEntry, first: Batch<OpenRow>? = nil, lines: Locked<[Int]> = Locked([]),
    over primed: PrimedTransport? = nil
  ) throws -> Dataset {
    let name = "own-\(entry.id)"
    if entry.isTimetable {
      return Dataset(entry: entry, content: .timetable(timetable(name, entry, primed)))
    }
    // atlas:begin own
    let source = OwnSource(
      base: base(of: entry, lines), plan: entry.plan ?? OwnPlan(of: []), first: Locked(first),
      lines: lines,
      seen: Locked(nil))
    // A visitor wants to see bad rows, so more of them are accepted than in an app.
    let catalog = Catalog(
      name, sources: [source], storage: storage, policy: .every(.seconds(3_600)),
      snapshotGuard: SnapshotGuard(maximumFailedFraction: 0.5, pageSize: nil))
    // atlas:end own
    return Dataset(entry: entry, content: .table(catalog, source))
  }

  private func base(of entry: OwnEntry, _ lines: Locked<[Int]>) -> any RecordSource<OpenRow> {
    switch entry.source {
    case .file: return fileRows(entry.id, lines)
    case .address(let url): return download(of: url, over: transport, lines)
    case .portal(let url, _):
      guard let dataset = try? PortalDataset(url) else {
        return download(of: url, over: transport, lines)
      }
      return OwnPortal(dataset, transport: transport)
    }
  }

  private func fileRows(_ id: String, _ lines: Locked<[Int]>) -> FileRows<OpenRow> {
    FileRows(
      file(id), byteLimit: OwnLimits.fileSize, operation: "own.file",
      fingerprint: OwnReading.fingerprint
    ) { try OwnReading.rows($0, lines: lines) }
  }

  private func download(
    of url: URL, over transport: any Transport, _ lines: Locked<[Int]>
  ) -> Download<OpenRow> {
    Download(
      url, transport: transport, byteLimit: OwnLimits.fileSize, operation: "own.file",
      fingerprint: OwnReading.fingerprint
    ) { try OwnReading.rows($0, charset: $1, lines: lines) }
  }

  private func timetable(
    _ name: String, _ entry: OwnEntry, _ primed: PrimedTransport?
  ) -> OwnTimetable {
    let address: URL
    let base: any Transport
    if case .address(let url) = entry.source {
      (address, base) = (url, primed ?? PrimedTransport(transport))
    } else {
      address = DroppedFiles.address(of: entry.id)
      base = PrimedTransport(DroppedFiles(folder: folder.appending(path: "files")))
    }
    return OwnTimetable(
      name, at: address, storage: storage, transport: base, endedBefore: entry.endedBefore)
  }

  private func file(_ id: String) -> URL { folder.appending(path: "files/\(id)") }

  // MARK: Helpers

  @concurrent
  private static func rows(_ source: some RecordSource<OpenRow>) async throws -> Batch<OpenRow> {
    try await source.fetch(RecordRequest())
  }

  private static func plan(_ rows: Batch<OpenRow>) throws -> OwnPlan {
    if rows.records.isEmpty {
      throw FieldError(
        .malformed,
        "None of the \(rows.facts.rowCount) rows can be read."
          + (rows.failures.first.map { " The first: \($0)" } ?? ""))
    }
    return OwnPlan(of: rows.records)
  }

  private static func newID() -> String {
    String(UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(16))
  }

  /// Returns a name to show, which may be anything, without what can't be shown in a line.
  private static func title(of name: String) -> String {
    let scalars = name.unicodeScalars.filter { scalar in
      !scalar.properties.isDefaultIgnorableCodePoint
        && scalar.properties.generalCategory != .control
    }
    let title = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespaces)
    return title.isEmpty ? "—" : String(title.prefix(80))
  }

  private static func completed(_ text: String) -> String {
    text.contains("://") ? text : "https://\(text)"
  }

  private static func isFile(_ url: URL) -> Bool {
    ["csv", "json", "geojson", "ndjson", "zip", "txt", "tsv"].contains(
      url.pathExtension.lowercased())
  }

  private static func isOfNoPortal(_ error: FieldError) -> Bool {
    [.notFound, .notData, .malformed, .schema, .unknownFormat, .status].contains(error.code)
  }

  /// Returns a text that differs if bytes differ.
  static func checksum(_ bytes: [UInt8]) -> String {
    var sum = Checksum()
    for start in stride(from: 0, to: bytes.count, by: 4_096) {
      let hash = bytes[start..<min(start + 4_096, bytes.count)].reduce(into: UInt64(7)) {
        $0 = $0 &* 31 &+ UInt64($1)
      }
      sum.add("\(hash)")
    }
    return sum.text
  }
}

extension OwnValidation {
  /// Creates the validation of a table.
  ///
  /// - Parameter lines: The lines in which rows begin, if they are known.
  init(_ sight: OwnSight, lines: [Int], at date: Date) {
    rows = sight.rowCount
    failures = sight.failures.prefix(OwnLimits.failures).map { failure in
      Failure(
        row: failure.index + 1,
        line: lines.indices.contains(failure.index) ? lines[failure.index] : nil,
        reason: failure.reason, excerpt: String(failure.excerpt.prefix(120)))
    }
    failureCount = sight.failures.count
    repeatedIDs = Array(sight.repeatedIDs.prefix(20))
    repeatedCount = sight.repeatedIDs.count
    unreadablePlaces = sight.unreadablePlaces
    self.date = date
  }
}
