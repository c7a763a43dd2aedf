@preconcurrency import Foundation
import MeteorKit

/// FieldKit beside its rivals, in one run, as ratios.
///
///     swift run -c release --package-path Benchmarks Benchmarks [SODA.ndjson] [--only arrivals,walks]
///
/// Without a file it makes rows of the same shape and number as NASA's table. With names only those
/// works are measured: `reading`, `arrivals`, `stores`, `cold`, `queries`, `commits`, `routes`, `civic`, `walks`.
@main
struct Benchmarks {
  static func main() async throws {
    setvbuf(stdout, nil, _IOLBF, 0)  // A crash must not discard what was printed.
    var arguments = Array(CommandLine.arguments.dropFirst())
    if try await ColdBenchmarks.answer(arguments) { return }
    var names: Set<Substring>?
    if let option = arguments.firstIndex(of: "--only"), option + 1 < arguments.count {
      names = Set(arguments[option + 1].split(separator: ","))
      arguments.removeSubrange(option...option + 1)
    }
    let ndjson =
      try arguments.first.map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
      ?? SyntheticRows.ndjson(count: 45_716)
    let workbench = try Workbench(ndjson: ndjson)
    print("\(workbench.meteorites.count) rows, \(workbench.json.count) bytes of SODA JSON\n")
    var table = ResultTable()
    func measures(_ name: Substring) -> Bool { names?.contains(name) ?? true }
    if measures("reading") { try await ReadingBenchmarks(workbench).run(into: &table) }
    if measures("arrivals") { try await ArrivalBenchmarks().run(into: &table) }
    if measures("stores") { try await StoreBenchmarks(workbench).run(into: &table) }
    if measures("cold") { try await ColdBenchmarks(workbench).run(into: &table) }
    if measures("queries") { try await QueryBenchmarks(workbench).run(into: &table) }
    if measures("commits") { try await CommitBenchmarks(workbench).run(into: &table) }
    if measures("routes") { try RouteBenchmarks().run(into: &table) }
    if measures("civic") { try await CivicBenchmarks(workbench).run(into: &table) }
    if measures("walks") { try await WalkBenchmarks(workbench).run(into: &table) }
    table.print()
    try FileManager.default.removeItem(at: workbench.folder)
    exit(table.allReached ? 0 : 1)
  }
}
