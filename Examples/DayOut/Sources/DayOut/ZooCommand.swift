import FieldKit
import Foundation

/// `day-out zoo`: reads captures of the zoo's tables, as refreshes of one store, and prints what is in
/// them.
struct ZooCommand: Command {
  static let name = "zoo"
  static let operands = "FILE… [options]"
  static let summary = "reads captures of the zoo's tables"
  static let examples = ["day-out zoo animals.json --search 熊貓 --near 24.9986,121.5809"]
  static let details: [Detail] = [
    (
      "FILE",
      """
      a JSON or CSV file of animals, areas, plants, or events, of any year; several
      refresh one store in turn
      """
    ),
    ("--near LAT,LON", "lists the nearest animals"),
    ("--count N", "the number of animals to list (5)"),
    ("--search TEXT", "counts the animals with the text in one of their names"),
    Usage.language,
  ]
  static let flags: Set<String> = ["--json"]
  static let values: Set<String> = ["--near", "--count", "--search", "--lang"]

  private let sources: [String]
  private let printsJSON: Bool
  private let place: Coordinate?
  private let count: Int
  private let search: String?
  private let language: TextLanguage

  init(_ arguments: Arguments) throws {
    sources = arguments.operands
    guard !sources.isEmpty else { throw UsageError("pass one or more files") }
    printsJSON = arguments.has("--json")
    place = try arguments.coordinate("--near")
    count = try arguments.count("--count", default: 5)
    search = arguments.value("--search")
    language = try arguments.language()
  }

  func run() async throws {
    let storage = Storage.inMemory
    var refreshes: [RefreshReport] = []
    var failures: [FieldError] = []
    for source in sources {
      do {
        let file = try await ZooFile(finding: [URL(filePath: source)])
        refreshes.append(try await refresh(from: file, into: storage, named: source))
      } catch let error as FieldError {
        // An error of the file names it already, without its folder.
        let name = "\(URL(filePath: source).lastPathComponent): "
        let message =
          error.message.hasPrefix(name) ? error.message.dropFirst(name.count) : error.message[...]
        failures.append(FieldError(error.code, "\(source): \(message)"))
      }
    }
    // Shows what was read, and reports each failure in one message.
    if !refreshes.isEmpty { try await show(refreshes, storage) }
    guard let last = failures.popLast() else { return }
    for failure in failures { Self.note(failure.message) }
    throw last
  }

  /// A file that declares itself to be part of a table, or of which many rows can't be used,
  /// can only be a beginning: it is read into an empty store, and refused over a fuller one.
  private func refresh(
    from file: ZooFile, into storage: Storage, named name: String
  ) async throws -> RefreshReport {
    do {
      return try await Zoo(sources: file.sources, storage: storage).refresh(.now)
    } catch let error as FieldError where error.code == .snapshotRefused {
      let zoo = Zoo(
        sources: ZooSources(
          uniqueKeysWithValues: file.tables.map { ($0, [ZooPart(file: file, table: $0)]) }),
        storage: storage,
        snapshotGuard: SnapshotGuard(maximumRemovedFraction: 0.5, maximumFailedFraction: 1))
      guard let table = file.tables.first, try await zoo.lastRefresh(of: table) == nil else {
        throw error
      }
      let report = try await zoo.refresh(.now)
      Self.note("\(name) is read as part of a table: \(error.message)")
      return report
    }
  }

  private func show(_ refreshes: [RefreshReport], _ storage: Storage) async throws {
    let view = try await Zoo(sources: [:], storage: storage).view()
    let near = place.map { view.nearest(to: $0, count: count) } ?? []
    let found = search.map { view.find(AnimalQuery(text: $0)) }
    let report = ZooReport(refreshes: refreshes, view: view, nearest: near, search: found)
    if printsJSON { return try JSONOutput.print(report) }
    report.printTables(refreshes, search: search, found: found ?? [], near: near, language)
  }

  private static func note(_ message: String) {
    FileHandle.standardError.write(Data("day-out: \(message)\n".utf8))
  }
}

/// A file that has less than its table has, and says so.
private struct ZooPart: RecordSource {
  let file: ZooFile
  let table: ZooTable

  var dataSource: DataSource? { .taipeiZoo }

  func fetch(_ request: RecordRequest) async throws -> Batch<ZooRecord> {
    var delivery = try await file.read(table)
    delivery.facts.announcedCount = nil
    return delivery
  }
}
