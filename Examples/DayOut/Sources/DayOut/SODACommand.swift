import FieldKit
import Foundation

/// `day-out soda`: syncs any dataset of any Socrata portal, and prints what came of it.
struct SODACommand: Command {
  static let name = "soda"
  static let operands = "URL [options]"
  static let summary = "syncs any dataset of a Socrata portal"
  static let examples = [
    """
    day-out soda https://data.sfgov.org/resource/5rq2-4hqu.json \
    --key treeid --store trees
    """
  ]
  static let details: [Detail] = [
    (
      "URL",
      """
      such as https://data.example.org/resource/abcd-1234.json; an app token is
      taken from the environment: SODA_APP_TOKEN
      """
    ),
    ("--key COLUMN", "the column that identifies rows (the portal's :id)"),
    ("--store FOLDER", "stores the rows there, so that the next call requests only changes"),
    ("--page N", "the number of rows per page (10000)"),
    ("--deletion P", "never, keys (changes, then all IDs), or snapshot (all rows every time)"),
    ("--count N", "the number of rows to show (3)"),
  ]
  static let flags: Set<String> = ["--json"]
  static let values: Set<String> = ["--key", "--store", "--page", "--deletion", "--count"]

  private let address: URL
  private let key: String?
  private let folder: String?
  private let pageSize: Int
  private let deletion: DeletionPolicy
  private let rowCount: Int
  private let printsJSON: Bool

  init(_ arguments: Arguments) throws {
    guard let operand = arguments.operands.first, arguments.operands.count == 1,
      let url = URL(string: operand)
    else { throw UsageError("pass the URL of one dataset") }
    address = url
    key = arguments.value("--key")
    folder = arguments.value("--store")
    pageSize = max(1, try arguments.count("--page", default: 10_000))
    rowCount = try arguments.count("--count", default: 3)
    deletion =
      switch arguments.value("--deletion") {
      case nil, "keys": .byKeys
      case "never": .never
      case "snapshot": .bySnapshot
      case let other?:
        throw UsageError("--deletion needs never, keys, or snapshot, not \"\(other)\"")
      }
    printsJSON = arguments.has("--json")
  }

  func run() async throws {
    let table = SODATable(
      try SODADataset(address), key: key,
      storage: folder.map { .directory(URL(filePath: $0)) } ?? .inMemory,
      transport: URLSessionTransport(),
      // A token on the command line would end up in the history of the shell.
      token: ProcessInfo.processInfo.environment["SODA_APP_TOKEN"].map { SODAToken($0) },
      deletion: deletion, options: SyncOptions(pageSize: pageSize))
    let report: RefreshReport
    if printsJSON {
      report = try await table.refresh(.now)
    } else {
      report = try await ProgressBar.following(table.refreshProgress()) {
        try await table.refresh(.now)
      }
    }
    let rows = try await table.rows()
    try await table.close()
    if printsJSON {
      try JSONOutput.print(Summary(report, stored: rows.count))
    } else {
      write(report, rows)
    }
  }

  private func write(_ report: RefreshReport, _ rows: Snapshot<SODARow>) {
    say("\(report.summary); \(grouped(rows.count)) rows stored")
    for notice in report.notices { say("note: \(notice.message)") }
    for failure in report.failures.prefix(5) { print("  \(failure)") }
    for row in rows.prefix(rowCount) {
      let cells = row.cells.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }
      print("  \(row.id)  \(cells.joined(separator: ", ").prefix(160))")
    }
  }

  /// The output with `--json`.
  private struct Summary: Encodable {
    var outcome: String
    var rows: Int
    var added: Int
    var updated: Int
    var removed: Int
    var unchanged: Int
    var failures: Int
    var notices: [String]
    var stored: Int

    init(_ report: RefreshReport, stored: Int) {
      outcome = report.outcome.rawValue
      rows = report.rows
      added = report.added
      updated = report.updated
      removed = report.removed
      unchanged = report.unchanged
      failures = report.failureCount
      notices = report.notices.map(\.code.rawValue)
      self.stored = stored
    }
  }
}

extension RefreshReport {
  /// A one-line summary of the sync.
  var summary: String {
    "\(outcome): \(grouped(rows)) rows received, \(grouped(added)) new, "
      + "\(grouped(updated)) changed, \(grouped(removed)) removed, "
      + "\(grouped(unchanged)) unchanged, \(grouped(failureCount)) unreadable"
  }
}
