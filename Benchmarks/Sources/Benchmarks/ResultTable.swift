import Foundation

/// A cost's unit.
enum Unit: String, Encodable {
  case nanoseconds, bytes
  /// A rate, of which more is better.
  case perSecond

  func text(_ cost: Double) -> String {
    if self == .perSecond { return rounded(cost) }
    let names = self == .bytes ? ["B", "kB", "MB"] : ["ns", "µs", "ms"]
    let power = cost < 1_000 ? 0 : cost < 1_000_000 ? 1 : 2
    return "\(rounded(cost / pow(1_000, Double(power)))) \(names[power])"
  }
}

/// Three digits of a number, without an exponent.
func rounded(_ number: Double) -> String {
  number.formatted(
    .number.precision(.significantDigits(1...3)).grouping(.never)
      .locale(Locale(identifier: "en_US_POSIX")))
}

/// The costs of the runs of one side.
struct Spread: Encodable {
  let minimum: Double
  let median: Double
  let maximum: Double

  /// A cost below 1 is one that the clock couldn't measure.
  init(_ costs: [Double]) {
    let sorted = costs.map { max($0, 1) }.sorted()
    (minimum, median, maximum) = (sorted[0], sorted[sorted.count / 2], sorted[sorted.count - 1])
  }
}

/// The costs of FieldKit and a baseline.
struct Race: Encodable {
  let name: String
  let against: String
  let unit: Unit
  let runs: Int
  let fieldKit: Spread
  let baseline: Spread
  /// The baseline's minimum divided by FieldKit's.
  let ratio: Double
  /// The lowest ratio that is acceptable.
  let floor: Double
  let isMet: Bool
}

/// What was measured, as ratios of a baseline's cost to FieldKit's.
struct ResultTable: Encodable {
  let date: String
  let rows: Int
  let isQuick: Bool
  private(set) var races: [Race] = []
  var scaling: [Scaling] = []
  var records: RecordTable

  init(date: String, rows: Int, isQuick: Bool) {
    (self.date, self.rows, self.isQuick) = (date, rows, isQuick)
    records = RecordTable(date: date, count: rows, isQuick: isQuick)
  }

  /// A Boolean value that indicates whether nothing was measured beside the records.
  var isEmpty: Bool { races.isEmpty && scaling.isEmpty }

  /// Runs two sides in turn, so that a slow moment of the machine meets both.
  ///
  /// The first round only checks that the answers are the same; the others are checked outside of the time.
  ///
  /// - Parameter floor: The lowest ratio that is acceptable, which the quick form ignores.
  mutating func race<Own, Baseline>(
    _ name: String, against baselineName: String, floor: Double, rounds: Int = 9,
    unit: Unit = .nanoseconds, own: () async throws -> Run<Own>,
    baseline: () async throws -> Run<Baseline>,
    check: (Own, Baseline) async throws -> Bool = { _, _ in true }
  ) async throws {
    var costs: (own: [Double], baseline: [Double]) = ([], [])
    for round in 0...(isQuick ? 1 : rounds) {
      let ownRun = try await own()
      let baselineRun = try await baseline()
      guard try await check(ownRun.answer, baselineRun.answer) else {
        throw WrongResult(description: "\(name): not the same answer as \(baselineName)")
      }
      guard round > 0 else { continue }
      costs.own.append(ownRun.cost)
      costs.baseline.append(baselineRun.cost)
    }
    let (own, baseline) = (Spread(costs.own), Spread(costs.baseline))
    let ratio = baseline.minimum / own.minimum
    let race = Race(
      name: name, against: baselineName, unit: unit, runs: costs.own.count, fieldKit: own,
      baseline: baseline, ratio: ratio, floor: floor, isMet: ratio >= floor)
    races.append(race)
    print(Self.row(race))
  }

  /// The races below their floor, which don't count in the quick form.
  var missed: [String] {
    isQuick ? [] : races.filter { !$0.isMet }.map { "\($0.name), \($0.against)" }
  }

  // MARK: Writing

  /// Writes the files that were asked for.
  func write(to options: Options) throws {
    if let path = options.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: path))
    }
    if let path = options.chart {
      try Data(Chart(races: races).svg.utf8).write(to: URL(filePath: path))
    }
    if let path = options.markdown {
      var page = try String(contentsOfFile: path, encoding: .utf8)
      if !isEmpty { try Self.replace("results", in: &page) { _ in markdown } }
      if !records.isEmpty {
        try Self.replace("records", in: &page) { records.markdown(keeping: $0) }
      }
      try Data(page.utf8).write(to: URL(filePath: path))
    }
  }

  /// Replaces a section of a page.
  private static func replace(
    _ name: String, in page: inout String, by text: (Substring) -> String
  ) throws {
    let (begin, end) = ("<!-- \(name) -->\n", "<!-- end of \(name) -->")
    guard let first = page.range(of: begin), let last = page.range(of: end) else {
      throw UsageError("the page has no lines \(begin)and \(end)")
    }
    let section = first.upperBound..<last.lowerBound
    page.replaceSubrange(section, with: "\(text(page[section]))\n")
  }

  /// All results, as tables.
  var markdown: String {
    var lines = [
      "\(date), \(rows) rows\(isQuick ? ", quick form" : ""); minimum (median to maximum).", "",
      "| benchmark | FieldKit | baseline | cost | ratio | floor met |", "|---|---|---|---|---|---|",
    ]
    lines += races.map(Self.row)
    if !scaling.isEmpty { lines += ["", Scaling.markdown(scaling)] }
    return lines.joined(separator: "\n")
  }

  private static func row(_ race: Race) -> String {
    func text(_ spread: Spread) -> String {
      let rest = [spread.median, spread.maximum].map(race.unit.text).joined(separator: " to ")
      return spread.minimum == spread.maximum
        ? race.unit.text(spread.minimum) : "\(race.unit.text(spread.minimum)) (\(rest))"
    }
    return "| \(race.name) | \(text(race.fieldKit)) | \(race.against) | \(text(race.baseline)) "
      + "| \(rounded(race.ratio)) | \(race.isMet ? "yes" : "NO"), ≥ \(rounded(race.floor)) |"
  }
}
