@preconcurrency import Foundation

/// FieldKit beside its baselines, in one run, as ratios. `Docs/benchmarks.md` describes the options.
///
///     swift run -c release --package-path Benchmarks Benchmarks [SODA.ndjson] [OPTIONS]
///
/// Without a file it makes rows of the same shape and number as NASA's table.
@main
struct Benchmarks {
  private typealias Benchmark = @Sendable (Workbench, inout ResultTable) async throws -> Void

  private static let all: KeyValuePairs<String, Benchmark> = [
    "reading": { try await ReadingBenchmarks($0).run(into: &$1) },
    "arrivals": { try await ArrivalBenchmarks().run(into: &$1) },
    "feeds": { try await FeedBenchmarks($0).run(into: &$1) },
    "stores": { try await StoreBenchmarks($0).run(into: &$1) },
    "cold": { try await ColdBenchmarks($0).run(into: &$1) },
    "queries": { try await QueryBenchmarks($0).run(into: &$1) },
    "commits": { try await CommitBenchmarks($0).run(into: &$1) },
    "sharing": { try await SharingBenchmarks($0).run(into: &$1) },
    "routes": { try await RouteBenchmarks().run(into: &$1) },
    "civic": { try await CivicBenchmarks($0).run(into: &$1) },
    "walks": { try await WalkBenchmarks($0).run(into: &$1) },
    "records": { try await RecordBenchmarks($0).run(into: &$1.records) },
  ]

  /// The main thread only waits: valgrind crashes if an asynchronous `main` ends it.
  static func main() {
    setvbuf(stdout, nil, _IOLBF, 0)  // A crash must not discard what was printed.
    Task.detached {
      do {
        exit(try await start(Array(CommandLine.arguments.dropFirst())) ? 0 : 1)
      } catch {
        print("error: \(error)")
        exit(1)
      }
    }
    while true { pause() }
  }

  private static func start(_ arguments: [String]) async throws -> Bool {
    if try await NewProcess.answer(arguments) { return true }
    if try await RecordProcess.answer(arguments) { return true }
    if try await Operation.answer(arguments) { return true }
    return try await run(Options(arguments, names: all.map(\.key)))
  }

  /// Returns whether no ratio is below its floor.
  private static func run(_ options: Options) async throws -> Bool {
    let workbench = try Workbench(options)
    defer { try? FileManager.default.removeItem(at: workbench.folder) }
    print("\(workbench.meteorites.count) rows, \(workbench.json.count) bytes of SODA JSON\n")
    var table = ResultTable(
      date: options.date, rows: workbench.meteorites.count, isQuick: options.isQuick)
    for (name, run) in all where options.names.contains(name) { try await run(workbench, &table) }
    if options.measuresScaling { table.scaling = try await Scaling.measure(workbench) }
    if !table.isEmpty { print("\n\(table.markdown)") }
    if !table.records.isEmpty { print("\n\(table.records.markdown())") }
    try table.write(to: options)
    for name in table.missed { print("below its floor: \(name)") }
    for work in table.records.missed { print("far from its goal beside `Meteorite`: \(work)") }
    return table.missed.isEmpty && table.records.missed.isEmpty
  }
}
