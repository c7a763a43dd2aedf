import FieldKit
import Foundation

/// `day-out portal`: shows which dataset an address leads to, syncs its rows, and queries what is stored.
struct PortalCommand: Command {
  static let name = "portal"
  static let operands = "[URL] [options]"
  static let summary = "shows, syncs, and queries a dataset of any open-data portal"
  static let examples = [
    "day-out portal https://data.example.org/dataset/trees --sync --store trees",
    "day-out portal https://data.example.org/dataset/trees --store trees --near 50.08,14.42",
  ]
  static let details: [Detail] = [
    (
      "URL",
      """
      the address of a dataset's page or API: Socrata, ArcGIS, CKAN, OpenDataSoft, or data.taipei (a
      demonstration with a portal of each on this machine); a token is taken from the environment:
      PORTAL_TOKEN
      """
    ),
    ("--sync", "stores the rows, and says what came and what failed"),
    ("--store FOLDER", "keeps the rows there, so that the next call continues or updates them"),
    ("--key COLUMN", "the column that identifies rows (the portal's own, or else all cells)"),
    ("--search TEXT", "shows the stored rows that contain a text"),
    ("--near LAT,LON", "shows the stored rows closest to a location"),
    ("--page N", "the number of rows per page (10000)"),
    ("--count N", "the number of rows to show (3)"),
  ]
  static let flags: Set<String> = ["--json", "--sync"]
  static let values: Set<String> = [
    "--store", "--key", "--search", "--near", "--page", "--count",
  ]

  private let dataset: PortalDataset?
  private let folder: String?
  private let syncs: Bool
  private let key: String?
  private let search: String?
  private let place: Coordinate?
  private let pageSize: Int
  private let rowCount: Int
  private let printsJSON: Bool

  init(_ arguments: Arguments) throws {
    guard arguments.operands.count <= 1 else { throw UsageError("pass one address") }
    dataset = try arguments.operands.first.map { text in
      guard let url = URL(string: text) else { throw UsageError("\"\(text)\" isn't an address") }
      do {
        return try PortalDataset(url)
      } catch let error as FieldError {
        throw UsageError(
          error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message)
      }
    }
    folder = arguments.value("--store")
    syncs = arguments.has("--sync")
    key = arguments.value("--key")
    search = arguments.value("--search")
    place = try arguments.coordinate("--near")
    pageSize = max(1, try arguments.count("--page", default: 10_000))
    rowCount = try arguments.count("--count", default: 3)
    printsJSON = arguments.has("--json")
    if search != nil || place != nil, !syncs, folder == nil {
      throw UsageError(
        "--search and --near query stored rows: add --sync, or --store with a folder")
    }
  }

  func run() async throws {
    guard let dataset else { return try await PortalDemonstration.run(printsJSON: printsJSON) }
    let token = ProcessInfo.processInfo.environment["PORTAL_TOKEN"].map { PortalToken($0) }
    var report = PortalReport(dataset)
    let queriesOnly = !syncs && (search != nil || place != nil)
    let reader = PortalReader(
      dataset: dataset, transport: URLSessionTransport().retrying(.portal), token: token,
      storage: folder.map { .directory(URL(filePath: $0)) } ?? .inMemory, key: key,
      pageSize: pageSize)
    if queriesOnly, let folder {
      guard FileManager.default.fileExists(atPath: folder) else {
        throw FieldError(.io, "There is no folder \(folder). Add --sync to fill it.")
      }
      let catalog = reader.storedRows()
      try await query(catalog, &report)
    } else {
      let description = try await reader.describe()
      report.add(description, key: reader.key(of: description))
      if syncs {
        let catalog = reader.rows(of: description)
        let refresh =
          printsJSON
          ? try await catalog.refresh(.now)
          : try await ProgressBar.following(catalog.refreshProgress()) {
            try await catalog.refresh(.now)
          }
        report.sync = PortalReport.Sync(refresh)
        try await query(catalog, &report)
      }
    }
    if printsJSON { return try JSONOutput.print(report) }
    report.print()
    if syncs { sayHowToAsk(report) }
  }

  /// Adds the stored rows that were asked for, or the first ones.
  private func query(_ catalog: Catalog<PortalRow>, _ report: inout PortalReport) async throws {
    let view = try await catalog.view()
    report.stored = view.count
    let matching = search.map { view.search($0) }
    report.matches = matching?.count
    if let place {
      let wanted = matching.map { Set($0.map(\.id)) }
      report.rows = view.nearest(to: place, count: rowCount) { wanted?.contains($0.id) ?? true }
        .map { PortalReport.Row($0.record, meters: $0.distance.meters) }
    } else {
      report.rows = (matching ?? Array(view.all.prefix(rowCount))).prefix(rowCount)
        .map { PortalReport.Row($0) }
    }
    try await catalog.close()
  }

  private func sayHowToAsk(_ report: PortalReport) {
    guard let folder else {
      return say("\nThe rows were in memory. Add --store FOLDER to keep and query them.")
    }
    print("\n  Query them without the portal:")
    let call = "day-out portal \(report.address) --store \(folder)"
    print("    \(call) --search TEXT")
    print("    \(call) --near LAT,LON")
  }
}
