import Foundation
import GRDB
import MeteorKit

/// The first answer of a new process, as CPU time from the start of `main`; both sides are in this executable,
/// so loading it costs both the same.
struct ColdBenchmarks {
  /// What a new process asks for.
  private enum Question: String, CaseIterable {
    case lookUp = "one look-up"
    case heaviest = "the 50 heaviest"
    case text = "\"yam\" in names, counted"
    case nearest = "the 10 nearest"

    var rival: String {
      switch self {
      case .lookUp: "GRDB, fetchOne"
      case .heaviest: "GRDB, index"
      case .text: "GRDB, FTS5 trigram"
      case .nearest: "GRDB, R*Tree of 10° square, sorted"
      }
    }
  }

  private static let option = "--in-a-new-process"
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  /// Answers a question if the process was started for that.
  static func answer(_ arguments: [String]) async throws -> Bool {
    guard arguments.count == 4, arguments[0] == option,
      let question = Question(rawValue: arguments[1])
    else { return false }
    let (path, side) = (arguments[2], arguments[3])
    let answer = side == "own" ? try await own(question, path) : try rival(question, path)
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    print(time.tv_sec * 1_000_000_000 + time.tv_nsec - startNanoseconds, answer)
    return true
  }

  /// What loading the executable has taken.
  private static let startNanoseconds: Int = {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }()

  func run(into table: inout ResultTable) async throws {
    let file = workbench.path("cold.store")
    let filling = FileStore<Meteorite>(file)
    try await filling.commit(
      Changes(upserting: workbench.meteorites), checkpoint: Checkpoint(), expecting: nil)
    try await filling.close()
    let database = workbench.path("cold.sqlite")
    try fill(database)
    for question in Question.allCases {
      var best = (own: Duration.seconds(60), rival: Duration.seconds(60))
      for _ in 0..<15 {
        let (own, found) = try ask(question, file, "own")
        let (rival, expected) = try ask(question, database, "rival")
        try require(found == expected)
        best = (min(best.own, own), min(best.rival, rival))
      }
      table.add(
        "new process to \(question.rawValue), CPU", own: best.own, against: question.rival,
        best.rival)
    }
  }

  /// With the indexes that a user of SQLite would create.
  private func fill(_ database: URL) throws {
    let queue = try Rival.database(at: database)
    try Rival.insert(workbench.meteorites, into: queue)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE INDEX heaviest ON meteorite (mass DESC);
          CREATE VIRTUAL TABLE names USING fts5(name, tokenize = 'trigram', content = '');
          INSERT INTO names (rowid, name) SELECT id, name FROM meteorite;
          CREATE VIRTUAL TABLE place USING rtree(id, south, north, west, east);
          INSERT INTO place SELECT id, latitude, latitude, longitude, longitude FROM meteorite
            WHERE latitude IS NOT NULL
          """)
    }
    try queue.close()
  }

  private func ask(_ question: Question, _ path: URL, _ side: String) throws -> (
    Duration, Substring
  ) {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [Self.option, question.rawValue, path.path, side]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.split(separator: "\n")[0].split(separator: " ", maxSplits: 1)
    guard words.count == 2, let nanoseconds = Int(words[0]) else { throw WrongResult() }
    return (.nanoseconds(nanoseconds), words[1])
  }

  private static func own(_ question: Question, _ path: String) async throws -> String {
    _ = startNanoseconds
    let store = FileStore<Meteorite>(URL(filePath: path))
    if question == .lookUp { return try await store.snapshot()[id: "10036"]?.name ?? "none" }
    let view = try await MeteoriteCatalog(
      source: MeteoriteFile(URL(filePath: path)), repository: store
    ).view()
    switch question {
    case .heaviest:
      let found = view.find(MeteoriteQuery(order: .massDescending, limit: 50))
      return "\(found.count) \(found.first?.name ?? "none")"
    case .text: return "\(view.count(MeteoriteQuery(text: "yam")))"
    case .lookUp, .nearest:
      let place = try Coordinate(latitude: 20.5, longitude: 55.5)
      return view.nearest(to: place, count: 10).first?.meteorite.name ?? "none"
    }
  }

  private static func rival(_ question: Question, _ path: String) throws -> String {
    _ = startNanoseconds
    return try DatabaseQueue(path: path).read { db in
      switch question {
      case .lookUp:
        return try StoredRow.fetchOne(db, sql: "SELECT * FROM meteorite WHERE id = 10036")?.name
          ?? "none"
      case .heaviest:
        let rows = try StoredRow.fetchAll(
          db, sql: "SELECT * FROM meteorite ORDER BY mass DESC LIMIT 50")
        return "\(rows.count) \(rows.first?.name ?? "none")"
      case .text:
        let count = try Int.fetchOne(
          db, sql: "SELECT count(*) FROM names WHERE names MATCH '\"yam\"'")
        return "\(count ?? 0)"
      case .nearest:
        let rows = try StoredRow.fetchAll(
          db,
          sql: """
            SELECT meteorite.* FROM place JOIN meteorite ON meteorite.id = place.id
            WHERE south <= 25.5 AND north >= 15.5 AND west <= 60.5 AND east >= 50.5
            """)
        let place = try Coordinate(latitude: 20.5, longitude: 55.5)
        let sorted = try rows.map { row in
          (
            try place.distance(
              to: Coordinate(latitude: row.latitude ?? 0, longitude: row.longitude ?? 0)), row.name
          )
        }.sorted { $0.0 < $1.0 }.prefix(10)
        return sorted.first?.1 ?? "none"
      }
    }
  }
}
