import Foundation

/// What plain records cost beside `Meteorite` and GRDB, and what a `Field` adds.
struct RecordTable: Encodable {
  /// What a plain record must reach.
  struct Goal: Encodable {
    /// The highest ratio to the cost of the kit's own record.
    var overMeteorite: Double?
    /// The highest ratio to the cost of GRDB.
    var overGRDB: Double?
    /// The highest ratio of the cost of the kit's own record to that of GRDB.
    var meteoriteOverGRDB: Double?
    /// The highest cost.
    var most: Double?
    /// The lowest rate.
    var least: Double?
  }

  /// The costs of one benchmark on three sides.
  struct Row: Encodable {
    let work: String
    let unit: Unit
    let plain: Spread
    let meteorite: Spread
    let grdb: Spread
    let goal: Goal
    /// The plain record's minimum divided by that of `Meteorite`.
    let overMeteorite: Double
    /// The plain record's minimum divided by that of GRDB.
    let overGRDB: Double
  }

  /// The costs of one benchmark through a `Field`, and without one.
  struct FieldRow: Encodable {
    let work: String
    let field: Spread
    let alone: Spread?
    let goal: Double
    let isMet: Bool
  }

  let date: String
  let count: Int
  let isQuick: Bool
  private(set) var rows: [Row] = []
  private(set) var fieldRows: [FieldRow] = []

  init(date: String, count: Int, isQuick: Bool) {
    (self.date, self.count, self.isQuick) = (date, count, isQuick)
  }

  var isEmpty: Bool { rows.isEmpty && fieldRows.isEmpty }

  // MARK: Measuring

  /// Runs three sides in turn, and requires the same answer of all.
  mutating func race<Answer: Equatable>(
    _ work: String, unit: Unit = .nanoseconds, rounds: Int = 9, goal: Goal = Goal(),
    plain: () async throws -> Run<Answer>, meteorite: () async throws -> Run<Answer>,
    grdb: () async throws -> Run<Answer>
  ) async throws {
    var costs: [[Double]] = [[], [], []]
    for round in 0...(isQuick ? 1 : rounds) {
      let runs = [try await plain(), try await meteorite(), try await grdb()]
      for run in runs where run.answer != runs[0].answer {
        throw WrongResult(
          description: "\(work): not the same answers: \(runs.map { "\($0.answer)" })")
      }
      guard round > 0 else { continue }
      for (side, run) in runs.enumerated() { costs[side].append(run.cost) }
    }
    add(work, unit: unit, goal: goal, plain: costs[0], meteorite: costs[1], grdb: costs[2])
  }

  /// Adds the costs of one benchmark.
  mutating func add(
    _ work: String, unit: Unit = .nanoseconds, goal: Goal = Goal(), plain: [Double],
    meteorite: [Double], grdb: [Double]
  ) {
    let (plain, meteorite, grdb) = (Spread(plain), Spread(meteorite), Spread(grdb))
    let row = Row(
      work: work, unit: unit, plain: plain, meteorite: meteorite, grdb: grdb, goal: goal,
      overMeteorite: plain.minimum / meteorite.minimum, overGRDB: plain.minimum / grdb.minimum)
    rows.append(row)
    print(row.markdown(before: ""))
  }

  /// Measures a benchmark through a `Field`, in turn with the kit alone, if that does the same.
  ///
  /// - Parameter goal: The highest ratio of the two, or the highest cost if there is no other.
  mutating func raceField(
    _ work: String, rounds: Int = 15, goal: Double, field: () throws -> Run<String>,
    alone: (() throws -> Run<String>)? = nil
  ) throws {
    var costs: (field: [Double], alone: [Double]) = ([], [])
    for round in 0...(isQuick ? 1 : rounds) {
      let run = try field()
      let other = try alone?()
      try require(other.map { $0.answer == run.answer } ?? true, "\(work): not the same answer")
      guard round > 0 else { continue }
      costs.field.append(run.cost)
      if let other { costs.alone.append(other.cost) }
    }
    let through = Spread(costs.field)
    let other = costs.alone.isEmpty ? nil : Spread(costs.alone)
    let row = FieldRow(
      work: work, field: through, alone: other, goal: goal,
      isMet: through.minimum / (other?.minimum ?? 1) <= goal)
    fieldRows.append(row)
    print(row.markdown(before: ""))
  }

  /// The benchmarks that take a plain record more than twice as long as the goal allows beside `Meteorite`, which don't
  /// count in the quick form.
  var missed: [String] { isQuick ? [] : rows.filter(\.isFar).map(\.work) }

  // MARK: Writing

  /// All results, as tables.
  ///
  /// - Parameter page: The tables before, whose cells of the column "before" were written by hand and are kept.
  func markdown(keeping page: Substring = "") -> String {
    var before: [String: String] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.count > 1 { before[cells[0]] = cells[1] }
    }
    let header = [
      "\(date), \(count) rows\(isQuick ? ", quick form" : "").", "",
      "| | before | plain record | `Meteorite` | GRDB | plain ÷ `Meteorite` | plain ÷ GRDB | goal | met |",
      "|---|---|---|---|---|---|---|---|---|",
    ]
    let fieldHeader = [
      "", "| | before | through a `Field` | the kit alone | ratio | goal | met |",
      "|---|---|---|---|---|---|---|",
    ]
    let lines =
      header + rows.map { $0.markdown(before: before[$0.work] ?? "") } + fieldHeader
      + fieldRows.map { $0.markdown(before: before[$0.work] ?? "") }
    return lines.joined(separator: "\n")
  }
}

extension RecordTable.Row {
  /// A Boolean value that indicates whether all goals are reached; `nil` if there are none.
  var isMet: Bool? {
    let bounds = [
      goal.overMeteorite.map { overMeteorite <= $0 }, goal.overGRDB.map { overGRDB <= $0 },
      goal.meteoriteOverGRDB.map { meteorite.minimum / grdb.minimum <= $0 },
      goal.most.map { plain.minimum <= $0 }, goal.least.map { plain.minimum >= $0 },
    ].compactMap(\.self)
    return bounds.isEmpty ? nil : bounds.allSatisfy(\.self)
  }

  /// A Boolean value that indicates whether the ratio to `Meteorite` is more than twice its goal.
  var isFar: Bool { overMeteorite > 2 * (goal.overMeteorite ?? .infinity) }

  fileprivate func markdown(before: String) -> String {
    let goals = [
      goal.overMeteorite.map { "≤ \(rounded($0)) × `Meteorite`" },
      goal.overGRDB.map { "≤ \(rounded($0)) × GRDB" },
      goal.meteoriteOverGRDB.map { "`Meteorite` ≤ \(rounded($0)) × GRDB" },
      goal.most.map { "≤ \(unit.text($0))" },
      goal.least.map { "≥ \(unit.text($0))" },
    ].compactMap(\.self)
    let cells =
      [work, before] + [plain, meteorite, grdb].map { unit.text($0.minimum) }
      + [
        rounded(overMeteorite), rounded(overGRDB), goals.joined(separator: ", "),
        isMet.map { $0 ? "yes" : "NO" } ?? "",
      ]
    return "| \(cells.joined(separator: " | ")) |"
  }
}

extension RecordTable.FieldRow {
  fileprivate func markdown(before: String) -> String {
    let cells = [
      work, before, Unit.nanoseconds.text(field.minimum),
      alone.map { Unit.nanoseconds.text($0.minimum) } ?? "",
      alone.map { rounded(field.minimum / $0.minimum) } ?? "",
      alone == nil ? "≤ \(Unit.nanoseconds.text(goal))" : "≤ \(rounded(goal))",
      isMet ? "yes" : "NO",
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }
}
