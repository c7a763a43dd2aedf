import FieldFakes
import FieldKit
import Foundation

/// `day-out civic`: reads a city hall's tables and prints how much is in them.
struct CivicCommand: Command {
  static let name = "civic"
  static let operands = "FOLDER [options]"
  static let summary = "reads a city hall's tables"
  static let examples = ["day-out civic tables/ --search 社會"]
  static let details: [Detail] = [
    (
      "FOLDER",
      """
      a folder with a JSON file for each table, such as edm.json or tainan-administrativeunit.json
      """
    ),
    ("--search TEXT", "counts the units with any of the words in their name or description"),
    ("--all", "counts only units with all of the words; --any is the default"),
    ("--in WHERE", "searches the name, the description, or both (both)"),
  ]
  static let flags: Set<String> = ["--json", "--any", "--all"]
  static let values: Set<String> = ["--search", "--in"]

  private let folder: String
  private let printsJSON: Bool
  private let search: CivicSearch?

  init(_ arguments: Arguments) throws {
    guard let folder = arguments.operands.first, arguments.operands.count == 1 else {
      throw UsageError("pass one folder")
    }
    if arguments.has("--any"), arguments.has("--all") {
      throw UsageError("--any and --all can't be combined")
    }
    self.folder = folder
    printsJSON = arguments.has("--json")
    let fields = try Self.fields(arguments.value("--in") ?? "both")
    search = arguments.value("--search").map {
      CivicSearch($0, words: arguments.has("--all") ? .all : .any, fields: fields)
    }
  }

  private static func fields(_ word: String) throws -> CivicSearch.Fields {
    switch word {
    case "name": .name
    case "description": .details
    case "both": [.name, .details]
    default: throw UsageError("--in needs name, description, or both, not \"\(word)\"")
    }
  }

  func run() async throws {
    // Nothing is sent: the tables are files, and no feed is asked.
    let directory = CivicDirectory(storage: .inMemory, transport: FakeCivicService())
    let rows = try await directory.importTables(in: URL(filePath: folder))
    let view = try await directory.view()
    let hits = search.map { view.search($0) }
    let report = CivicReport(view, hits: hits)
    if printsJSON { return try JSONOutput.print(report) }
    show(report, view, hits)
    for failure in rows.failures.prefix(5) { print("  \(failure)") }
  }

  private func show(_ report: CivicReport, _ view: CivicView, _ hits: [CivicHit]?) {
    var figures = Table("figure", "value")
    figures.add("units", "\(report.units)")
    figures.add("categories", "\(report.categories)")
    figures.add("links", "\(report.links)")
    figures.add("departments", "\(report.departments)")
    figures.add("quick services", "\(report.quickServices)")
    for tile in view.categories(of: .facility) {
      figures.add("facility \(tile.name)", "\(view.units(in: tile.id).count)")
    }
    if let hits { figures.add("units found", "\(hits.count)") }
    figures.print()
    for hit in hits?.prefix(10) ?? [] {
      print("  \(CivicReport.marked(hit.unit.name, hit.nameRanges))")
    }
  }
}

/// The output of `day-out civic --json`.
struct CivicReport: Encodable {
  let units: Int
  let categories: Int
  let links: Int
  let departments: Int
  let quickServices: Int
  /// How many units each kind of facility has.
  let facilities: [String: Int]
  /// How many units were found; null when nothing was searched for.
  let search: Int?

  init(_ view: CivicView, hits: [CivicHit]?) {
    units = view.units.count
    categories = view.categories.count
    links = view.memberships.count
    departments = view.categories(of: .administrative).count
    quickServices = view.categories(of: .quickService).count
    facilities = Dictionary(
      view.categories(of: .facility).map { ($0.name, view.units(in: $0.id).count) },
      uniquingKeysWith: +)
    search = hits?.count
  }

  private enum CodingKeys: String, CodingKey {
    case units, categories, links, departments, quickServices, facilities, search
  }

  /// As synthesized, but that a missing search is null and not left out.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(units, forKey: .units)
    try container.encode(categories, forKey: .categories)
    try container.encode(links, forKey: .links)
    try container.encode(departments, forKey: .departments)
    try container.encode(quickServices, forKey: .quickServices)
    try container.encode(facilities, forKey: .facilities)
    try container.encode(search, forKey: .search)
  }

  /// A text with brackets around what was found in it.
  static func marked(_ text: String, _ ranges: [Range<String.Index>]) -> String {
    var marked = ""
    var place = text.startIndex
    for range in ranges {
      marked += text[place..<range.lowerBound] + "[" + text[range] + "]"
      place = range.upperBound
    }
    return marked + text[place...]
  }
}
