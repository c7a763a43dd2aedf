import FieldKit
import Foundation

/// `day-out meteorites`: reads captures, as refreshes of one store, and prints what is in them.
struct MeteoritesCommand: Command {
  static let name = "meteorites"
  static let operands = "FILE… [options]"
  static let summary = "reads captures of NASA's meteorites"
  static let examples = ["day-out meteorites Meteorite_Landings.csv --near 48.15,17.11"]
  static let details: [Detail] = [
    (
      "FILE",
      """
      a file or an HTTP URL: rows.json, SODA JSON, NDJSON, GeoJSON, or CSV;
      several refresh one store in turn
      """
    ),
    ("--near LAT,LON", "lists the nearest meteorites with plausible positions"),
    ("--count N", "the number of meteorites to list (5)"),
    ("--search TEXT", "counts the names that contain the text"),
    ("--export FILE", "writes the result as GeoJSON or CSV, depending on the file extension"),
  ]
  static let flags: Set<String> = ["--json"]
  static let values: Set<String> = ["--near", "--count", "--search", "--export"]

  private let sources: [String]
  private let printsJSON: Bool
  private let place: Coordinate?
  private let count: Int
  private let search: String?
  private let export: String?

  init(_ arguments: Arguments) throws {
    sources = arguments.operands
    guard !sources.isEmpty else { throw UsageError("pass one or more files") }
    printsJSON = arguments.has("--json")
    place = try arguments.coordinate("--near")
    count = try arguments.count("--count", default: 5)
    search = arguments.value("--search")
    export = arguments.value("--export")
  }

  func run() async throws {
    let storage = Storage.inMemory
    var refreshes: [RefreshReport] = []
    for source in sources {
      do {
        refreshes.append(try await refresh(from: source, into: storage, isFirst: refreshes.isEmpty))
      } catch let error as FieldError {
        throw FieldError(error.code, "\(source): \(error.message)")
      }
    }
    let catalog = MeteoriteCatalog(source: file(sources[0]), storage: storage)
    let view = try await catalog.view()
    let report = MeteoritesReport(
      refreshes: refreshes, view: view,
      nearest: place.map { view.nearest(to: $0, count: count) } ?? [],
      search: search.map { view.count(MeteoriteQuery(text: $0)) })
    try write(view)
    if printsJSON { return try JSONOutput.print(report) }
    report.printTables(refreshes, search: search)
  }

  /// A file that says itself that it is a part of the table can only be a beginning: it is read into an
  /// empty store without removing anything, and refused over a fuller one.
  private func refresh(
    from source: String, into storage: Storage, isFirst: Bool
  ) async throws -> RefreshReport {
    let catalog = MeteoriteCatalog(source: file(source), storage: storage)
    do {
      return try await catalog.refresh(.now)
    } catch let error as FieldError where error.code == .snapshotRefused && isFirst {
      let lenient = MeteoriteCatalog(source: file(source, deletion: .never), storage: storage)
      let report = try await lenient.refresh(.now)
      guard report.rows > 0 else { throw error }
      let note = "day-out: \(source) is read as part of a table: \(error.message)\n"
      FileHandle.standardError.write(Data(note.utf8))
      return report
    }
  }

  private func file(
    _ source: String, deletion: DeletionPolicy = .bySnapshot
  ) -> any RecordSource<Meteorite> {
    if let url = URL(string: source), url.scheme == "http" || url.scheme == "https" {
      return Download<Meteorite>(url, transport: URLSessionTransport(), deletion: deletion)
    }
    return FileRows<Meteorite>(URL(filePath: source), deletion: deletion)
  }

  private func write(_ view: MeteoriteView) throws {
    guard let export else { return }
    let data = export.hasSuffix(".csv") ? view.all.csv() : view.all.geoJSON()
    try data.write(to: URL(filePath: export))
  }
}
