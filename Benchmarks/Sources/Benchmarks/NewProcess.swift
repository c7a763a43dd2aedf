import CivicKit
import Foundation
import GRDB
import MeteorKit
import WalkKit

/// The first answer of a new process; both sides are in this executable, so loading it costs both the same.
enum NewProcess {
  /// A question that a new process answers.
  enum Question: String {
    case lookUp, heaviest, text, nearest, unit, unitSearch, walks
    /// All records, of which nothing is asked, or the sum of their masses.
    case records, masses
  }

  /// What a process took from the start of `main`, except for the peak, which is of the whole process.
  struct Cost: Codable {
    let nanoseconds: Double
    let peakMemory: Double
    let addedMemory: Double
    let answer: String
  }

  private static let option = "--in-a-new-process"

  /// Answers a question if the process was started for that.
  static func answer(_ arguments: [String]) async throws -> Bool {
    guard arguments.count == 5, arguments[0] == option,
      let question = Question(rawValue: arguments[1])
    else { return false }
    let (side, path, argument) = (arguments[2], arguments[3], arguments[4])
    try await report {
      try side == "own"
        ? await own(question, URL(filePath: path), argument) : baseline(question, path, argument)
    }
    return true
  }

  /// Prints what an answer takes from now on; what is returned with it is alive until then.
  static func report(_ body: () async throws -> (String, Any)) async throws {
    let memory = Memory.anonymous
    let start = Clock.cpu.nanoseconds
    let (answer, kept) = try await body()
    let cost = Cost(
      nanoseconds: Double(Clock.cpu.nanoseconds - start), peakMemory: Memory.peak,
      addedMemory: Memory.anonymous - memory, answer: answer)
    withExtendedLifetime(kept) {}
    print(String(decoding: try JSONEncoder().encode(cost), as: UTF8.self))
  }

  /// Asks a new process.
  static func ask(
    _ question: Question, _ side: String, _ path: URL, _ argument: String
  ) throws -> Cost {
    let output = try run([option, question.rawValue, side, path.path, argument])
    return try JSONDecoder().decode(Cost.self, from: output)
  }

  /// Runs a program, by default this one again, and returns what it prints.
  static func run(
    _ arguments: [String], of program: URL = URL(filePath: CommandLine.arguments[0])
  ) throws -> Data {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try require(process.terminationStatus == 0, "\(arguments) failed")
    return data
  }

  // MARK: Answers, and what is alive with them

  private static func own(
    _ question: Question, _ path: URL, _ argument: String
  ) async throws -> (String, Any) {
    switch question {
    case .lookUp:
      let snapshot = try await FileStore<Meteorite>(path).snapshot()
      return (snapshot[id: Meteorite.ID(rawValue: argument)]?.name ?? "none", snapshot)
    case .records:
      let snapshot = try await FileStore<Meteorite>(path).snapshot()
      return ("\(snapshot.count)", snapshot)
    case .masses:
      let snapshot = try await FileStore<Meteorite>(path).snapshot()
      return ("\(snapshot.reduce(0) { $0 + ($1.massInGrams ?? 0) })", snapshot)
    case .heaviest, .text, .nearest:
      let view = try await MeteoriteCatalog(
        source: FileRows<Meteorite>(path), repository: FileStore<Meteorite>(path)
      ).view()
      return (try answer(question, view, argument), view)
    case .unit, .unitSearch:
      let directory = CivicDirectory(storage: .directory(path), transport: Offline())
      let view = try await directory.view()
      if question == .unit { return (view[CivicUnit.ID(rawValue: argument)]?.name ?? "none", view) }
      return (summary(view.search(CivicSearch(argument, fields: .name)).map(\.id.rawValue)), view)
    case .walks:
      let diary = WalkDiary(storage: .directory(path), transport: Offline())
      let page = try await diary.walks(of: WalkBenchmarks.pet.id)
      return (page.map(\.id.rawValue).joined(separator: " "), (diary, page))
    }
  }

  static func answer(
    _ question: Question, _ view: MeteoriteView, _ text: String
  ) throws -> String {
    switch question {
    case .heaviest:
      view.find(MeteoriteQuery(order: .massDescending, limit: 50)).map(\.id.rawValue)
        .joined(separator: " ")
    case .text: "\(view.count(MeteoriteQuery(text: text)))"
    default:
      view.nearest(to: try QueryBenchmarks.dhofar, count: 10).map(\.meteorite.id.rawValue)
        .joined(separator: " ")
    }
  }

  private static func baseline(
    _ question: Question, _ path: String, _ argument: String
  ) throws -> (String, Any) {
    if question == .records || question == .masses {
      let data = try Data(contentsOf: URL(filePath: path))
      let rows = try JSONDecoder().decode([WireMeteorite].self, from: data)
      if question == .records { return ("\(rows.count)", rows) }
      return ("\(rows.reduce(0) { $0 + ($1.mass.flatMap(Double.init) ?? 0) })", rows)
    }
    let queue = try DatabaseQueue(path: path)
    let text = try queue.read { db in
      switch question {
      case .lookUp: try SQLite.row(argument, db)?.name ?? "none"
      case .heaviest: try SQLite.heaviest(db).map { String($0.id) }.joined(separator: " ")
      case .text: "\(try SQLite.count(named: argument, db) ?? 0)"
      case .unit: try CivicBenchmarks.unit(argument, db)?.name ?? "none"
      case .walks: try WalkBenchmarks.page(db).map(\.id).joined(separator: " ")
      case .unitSearch: summary(try CivicBenchmarks.units(named: argument, db).map(\.id))
      case .nearest, .records, .masses:
        try SQLite.nearest(to: QueryBenchmarks.dhofar, db).map { String($0.id) }
          .joined(separator: " ")
      }
    }
    return (text, queue)
  }

  /// Describes units whose order differs between the sides.
  private static func summary(_ ids: [String]) -> String { "\(ids.count) \(ids.min() ?? "none")" }
}

extension ResultTable {
  /// Asks both sides in new processes in turn.
  mutating func raceCold(
    _ question: NewProcess.Question, _ name: String, against baselineName: String, floor: Double,
    rounds: Int = 15, unit: Unit = .nanoseconds,
    cost: (NewProcess.Cost) -> Double = { $0.nanoseconds }, own: URL, baseline: URL,
    argument: String = ""
  ) async throws {
    try await race(name, against: baselineName, floor: floor, rounds: rounds, unit: unit) {
      let run = try NewProcess.ask(question, "own", own, argument)
      return Run(cost: cost(run), answer: run.answer)
    } baseline: {
      let run = try NewProcess.ask(question, "baseline", baseline, argument)
      return Run(cost: cost(run), answer: run.answer)
    } check: { own, baseline in
      own == baseline && !own.isEmpty && own != "none"
    }
  }
}
