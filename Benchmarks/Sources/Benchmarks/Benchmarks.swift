import Foundation
import MeteorKit

/// FieldKit beside its rivals, in one run, as ratios.
///
///     swift run -c release --package-path Benchmarks Benchmarks [SODA.ndjson]
///
/// Without a file it makes rows of the same shape and number as NASA's table.
@main
struct Benchmarks {
  static func main() async throws {
    let ndjson =
      try CommandLine.arguments.dropFirst().first.map {
        [UInt8](try Data(contentsOf: URL(filePath: $0)))
      } ?? SyntheticRows.ndjson(count: 45_716)
    let workbench = try Workbench(ndjson: ndjson)
    print("\(workbench.meteorites.count) rows, \(workbench.json.count) bytes of SODA JSON\n")
    var table = ResultTable()
    try await ReadingBenchmarks(workbench).run(into: &table)
    try await ArrivalBenchmarks().run(into: &table)
    try await StoreBenchmarks(workbench).run(into: &table)
    try await QueryBenchmarks(workbench).run(into: &table)
    try await CommitBenchmarks(workbench).run(into: &table)
    try RouteBenchmarks().run(into: &table)
    try await CivicBenchmarks(workbench).run(into: &table)
    table.print()
    exit(table.allReached ? 0 : 1)
  }
}
