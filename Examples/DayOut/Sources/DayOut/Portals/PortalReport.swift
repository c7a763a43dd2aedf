import FieldKit
import Foundation

/// The output of `day-out portal --json`: what a dataset is, what a sync did, and the rows that were found.
struct PortalReport: Encodable {
  struct Column: Encodable {
    let name: String
    let title: String
    let type: String
    let kind: String
  }

  struct Sync: Encodable {
    let outcome: String
    let rows: Int
    let added: Int
    let updated: Int
    let removed: Int
    let unchanged: Int
    let failures: Int
    let firstFailures: [String]
    let notices: [String]

    init(_ report: RefreshReport) {
      outcome = report.outcome.rawValue
      rows = report.rows
      added = report.added
      updated = report.updated
      removed = report.removed
      unchanged = report.unchanged
      failures = report.failureCount
      firstFailures = report.failures.prefix(5).map { "\($0)" }
      notices = report.notices.map(\.message)
    }
  }

  struct Row: Encodable {
    let id: String
    let meters: Double?
    let cells: [String: String]

    init(_ row: PortalRow, meters: Double? = nil) {
      (id, cells, self.meters) = (row.id, row.cells, meters)
    }
  }

  let family: String
  let address: String
  var name: String?
  var summary: String?
  var url: String?
  var isFile: Bool?
  var rowCount: Int?
  var updatedAt: String?
  /// The day of the last change, and how long ago it was.
  var age: String?
  var columns: [Column]?
  var publisher: String?
  var license: String?
  var attribution: String?
  var page: String?
  var key: String?
  var sync: Sync?
  var stored: Int?
  /// The number of rows that contain the text.
  var matches: Int?
  var rows: [Row] = []

  init(_ dataset: PortalDataset) {
    (family, address) = (dataset.family.rawValue, dataset.address.absoluteString)
  }

  mutating func add(_ description: PortalDescription, key: String?) {
    name = description.name
    summary = description.summary
    url = description.url.absoluteString
    isFile = description.isFile
    rowCount = description.rowCount
    updatedAt = description.updatedAt.map { $0.formatted(.iso8601) }
    age = description.updatedAt.map(Self.age)
    columns = description.columns.map {
      Column(name: $0.name, title: $0.title, type: $0.type, kind: $0.kind.rawValue)
    }
    publisher = description.dataSource.publisher
    license = description.dataSource.license
    attribution = description.dataSource.attribution
    page = description.dataSource.page.absoluteString
    self.key = key
  }

  // MARK: Printing

  func print() {
    Swift.print("  \(family): \(name ?? address)")
    if let summary, !summary.isEmpty { say(String(summary.prefix(300)), indent: 4) }
    var facts = Table("fact", "value")
    for (fact, value) in labeledFacts where !value.isEmpty { facts.add(fact, value) }
    facts.print()
    if let columns, !columns.isEmpty {
      var table = Table("column", "kind", "portal's type", "title")
      for column in columns { table.add(column.name, column.kind, column.type, column.title) }
      table.print()
    }
    printSync()
    for row in rows {
      let distance = row.meters.map { "\(Int($0.rounded())) m  " } ?? ""
      let cells = row.cells.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      let text = cells.joined(separator: ", ").replacing("\n", with: " ")
      Swift.print("  \(distance)\(row.id)  \(text.prefix(160))")
    }
  }

  private var labeledFacts: [(String, String)] {
    let updated = age ?? (name == nil ? "" : "the portal doesn't say")
    let count = rowCount.map(grouped) ?? (name == nil ? "" : "the portal doesn't say")
    return [
      ("rows", isFile == true ? "those of a file, which is downloaded as a whole" : count),
      ("last changed", updated), ("publisher", publisher ?? ""),
      ("license", license.map { $0.isEmpty ? "the portal doesn't say" : $0 } ?? ""),
      ("credit", attribution ?? ""), ("page", page ?? ""), ("rows from", url ?? ""),
      ("rows are identified by", name == nil ? "" : key ?? "all of their cells"),
    ]
  }

  /// A day, and how long ago it was.
  private static func age(of date: Date) -> String {
    let text = date.formatted(.iso8601.year().month().day())
    let days = Int(Date().timeIntervalSince(date) / 86_400)
    switch days {
    case ..<1: return "\(text), today"
    case 1: return "\(text), a day ago"
    default: return "\(text), \(grouped(days)) days ago"
    }
  }

  private func printSync() {
    if let sync {
      say(
        "\(sync.outcome): \(grouped(sync.rows)) rows received, \(grouped(sync.added)) new, "
          + "\(grouped(sync.updated)) changed, \(grouped(sync.removed)) removed, "
          + "\(grouped(sync.unchanged)) unchanged, \(grouped(sync.failures)) unreadable")
      for notice in sync.notices { say("note: \(notice)") }
      for failure in sync.firstFailures { say("failed: \(failure)") }
    }
    if let stored { say("\(grouped(stored)) rows are stored") }
    if let matches { say("\(grouped(matches)) of them contain the text") }
  }
}
