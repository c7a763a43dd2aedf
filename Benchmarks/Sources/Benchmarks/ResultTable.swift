import Foundation

/// What was measured, as ratios of a rival's time to ours.
struct ResultTable {
  private struct Line {
    let work: String
    let own: Duration
    let rival: String
    let rivalTime: Duration
    let wanted: Double?
    var ratio: Double { rivalTime / own }
  }

  private var lines: [Line] = []

  /// Notes a result, and prints it at once.
  mutating func add(
    _ work: String, own: Duration, against rival: String, _ rivalTime: Duration,
    wanted: Double? = nil
  ) {
    let line = Line(work: work, own: own, rival: rival, rivalTime: rivalTime, wanted: wanted)
    lines.append(line)
    Swift.print(Self.row(line))
    fflush(nil)
  }

  var allReached: Bool { lines.allSatisfy { $0.ratio >= $0.wanted ?? 0 } }

  func print() {
    Swift.print("\n| work | FieldKit | against | time | ratio | wanted |")
    Swift.print("|---|---|---|---|---|---|")
    for line in lines { Swift.print(Self.row(line)) }
  }

  private static func row(_ line: Line) -> String {
    let wanted = line.wanted.map { "\(line.ratio >= $0 ? "yes" : "NO"), ≥ \($0)" } ?? ""
    return "| \(line.work) | \(text(line.own)) | \(line.rival) | \(text(line.rivalTime)) "
      + "| \(rounded(line.ratio)) | \(wanted) |"
  }

  private static func text(_ duration: Duration) -> String {
    let nanoseconds = duration / .nanoseconds(1)
    return switch nanoseconds {
    case ..<1_000: "\(rounded(nanoseconds)) ns"
    case ..<1_000_000: "\(rounded(nanoseconds / 1_000)) µs"
    default: "\(rounded(nanoseconds / 1_000_000)) ms"
    }
  }

  private static func rounded(_ number: Double) -> Double {
    number < 100 ? (number * 100).rounded() / 100 : number.rounded()
  }
}

/// The median time of a few runs, after one that does not count.
func median(of runs: Int = 7, _ body: () throws -> Void) rethrows -> Duration {
  try body()
  var times: [Duration] = []
  for _ in 0..<runs {
    let start = ContinuousClock.now
    try body()
    times.append(ContinuousClock.now - start)
  }
  return times.sorted()[runs / 2]
}

/// The median time of a few runs, after one that does not count.
func median(of runs: Int = 7, _ body: () async throws -> Void) async rethrows -> Duration {
  try await body()
  var times: [Duration] = []
  for _ in 0..<runs {
    let start = ContinuousClock.now
    try await body()
    times.append(ContinuousClock.now - start)
  }
  return times.sorted()[runs / 2]
}

/// The median times of two works in turn, so that a slow moment of the machine meets both; what they
/// return is let go outside of the time, after a round that does not count.
func mediansInTurn<Own, Rival>(
  of runs: Int = 9, own: () async throws -> Own, rival: () async throws -> Rival,
  end: (Own, Rival) async throws -> Void = { _, _ in }
) async rethrows -> (own: Duration, rival: Duration) {
  var times: [(own: Duration, rival: Duration)] = []
  for run in 0...runs {
    let start = ContinuousClock.now
    let ownResult = try await own()
    let middle = ContinuousClock.now
    let rivalResult = try await rival()
    let stop = ContinuousClock.now
    if run > 0 { times.append((middle - start, stop - middle)) }
    try await end(ownResult, rivalResult)
  }
  return (
    times.map(\.own).sorted()[runs / 2], times.map(\.rival).sorted()[runs / 2]
  )
}

/// What was measured did not do its work.
struct WrongResult: Error {}

/// Throws unless the work that is measured has a result, which also keeps it from being left out.
func require(_ condition: Bool) throws {
  if !condition { throw WrongResult() }
}
