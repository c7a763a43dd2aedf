import FieldFakes
import Foundation
import GRDB
import WalkKit

/// What a diary of walks does most: a walk is saved, and the history is shown.
struct WalkBenchmarks {
  static let pet = Pet(
    id: Pet.ID(rawValue: "mesh"), name: "mesh", breed: .welshCorgi, registered: .distantPast)
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    try await saving(points: workbench.scaled(7_200), &table)
    try await history(of: workbench.scaled(5_000), &table)
    try await routes(of: workbench.scaled(5_000), points: 200, &table)
  }

  /// Stores the pet, and walks with it.
  private static func fill(_ storage: Storage, _ walks: [Walk] = []) async throws {
    let diary = WalkDiary(storage: storage, transport: Offline())
    try await diary.add(WalkArchive(pets: [pet], walks: walks, exported: .distantPast))
    try await diary.close()
  }

  // MARK: Saving

  /// Two hours with a fix each second: from the end of the walk until it is on the device.
  private func saving(points count: Int, _ table: inout ResultTable) async throws {
    let folder = workbench.path("walks")
    try await Self.fill(.directory(folder))
    let fixes = FixPolicy(maximumAge: .seconds(86_400))
    let diary = WalkDiary(
      storage: .directory(folder), transport: Offline(), recording: RecordingOptions(fixes: fixes))
    let queue = try database()
    for (name, clock, floor) in [("CPU", Clock.cpu, 1.5), ("wall clock", .wall, 0.3)] {
      var points: [LocationFix] = []
      var round = 0
      try await table.race(
        "saving a walk of \(count) points, \(name)", against: "GRDB, one transaction",
        floor: floor
      ) {
        let recorder = try await diary.start(pets: [Self.pet.id])
        points = try Self.points(count)
        for point in points { _ = await recorder.record(point) }
        return try await measured(clock) { try await recorder.finish() }
      } baseline: {
        round += 1
        let walk = Self.walk("\(name) \(round)", round)
        return try await measured(clock) {
          try insert([walk], with: points, into: queue)
          return walk
        }
      } check: { own, baseline in
        let stored = try await diary.route(of: own.id).pointCount
        return try await queue.read { db in
          try stored
            == Int.fetchOne(
              db, sql: "SELECT count(*) FROM point WHERE walk = ?",
              arguments: [baseline.id.rawValue])
        }
      }
    }
    try await diary.close()
    try queue.close()
  }

  // MARK: The history

  private func history(of count: Int, _ table: inout ResultTable) async throws {
    let folder = workbench.path("history")
    let walks = (0..<count).map { Self.walk("walk-\($0)", $0) }
    try await Self.fill(.directory(folder), walks)
    let path = try file(walks)
    try await table.raceCold(
      .walks, "new process to the first 50 of \(count) walks", against: "GRDB, LIMIT 50",
      floor: 0.8, own: folder, baseline: path)
    let diary = WalkDiary(storage: .directory(folder), transport: Offline())
    let queue = try DatabaseQueue(path: path.path)
    try await table.race(
      "a page of \(count) walks, opened", against: "GRDB, LIMIT 50", floor: 20, rounds: 21
    ) {
      try await measured(times: 5) { try await diary.walks(of: Self.pet.id) }
    } baseline: {
      try await measured(times: 5) { try await queue.read(Self.page) }
    } check: { own, baseline in
      own.map(\.id.rawValue) == baseline.map(\.id) && own.count == 50
    }
    try await diary.close()
    try queue.close()
  }

  /// Walks whose routes are files of their own, which opening looks at and a page doesn't read.
  private func routes(of count: Int, points: Int, _ table: inout ResultTable) async throws {
    let folder = workbench.path("routes")
    let storage = Storage.directory(folder)
    try await Self.fill(storage)
    let clock = ManualClock()
    let diary = WalkDiary(storage: storage, transport: Offline(), clock: clock)
    var number = 0
    /// Records a walk with a fix each second; the cost is that of a fix.
    func record() async throws -> Run<Walk.ID> {
      number += 1
      let start = clock.now
      let recorder = try await diary.start(pets: [Self.pet.id])
      let fixes = try (0..<points).map { second in
        LocationFix(
          coordinate: try Coordinate(
            latitude: 37.5 + Double(number) * 1e-5 + 0.004 * sin(Double(second) / 300),
            longitude: 127 + 0.004 * cos(Double(second) / 300)),
          accuracy: .meters(5), time: start.addingTimeInterval(Double(second)))
      }
      let run = await measured(per: points) {
        for fix in fixes {
          clock.advance(by: .seconds(1))
          _ = await recorder.record(fix)
        }
      }
      let walk = try await recorder.finish()
      clock.advance(by: .seconds(600))
      return Run(cost: run.cost, answer: walk.id)
    }
    for _ in 0..<count - 30 { _ = try await record() }
    try await table.race(
      "recording a fix", against: "the limit of 5 µs", floor: 0.6, rounds: 29
    ) {
      try await record()
    } baseline: {
      .limit(.microseconds(5))
    } check: { walk, _ in
      try await diary.route(of: walk).pointCount == points
    }
    let path = try file(try await diary.allWalks())
    try await diary.close()
    try await table.raceCold(
      .walks, "the same with \(number * points) points in routes", against: "GRDB, LIMIT 50",
      floor: 0.7, own: folder, baseline: path)
  }

  static func page(_ db: Database) throws -> [WalkRow] {
    try WalkRow.fetchAll(
      db,
      sql: """
        SELECT walk.* FROM walk JOIN participant ON participant.walk = walk.id
        WHERE participant.pet = ? ORDER BY walk.start DESC, walk.id LIMIT 50
        """, arguments: [pet.id.rawValue])
  }

  /// A new database of walks.
  private func file(_ walks: [Walk]) throws -> URL {
    let queue = try database()
    try insert(walks, with: [], into: queue)
    try queue.close()
    return URL(filePath: queue.path)
  }

  // MARK: What is stored

  private func database() throws -> DatabaseQueue {
    let queue = try SQLite.database(at: workbench.path("walks.sqlite"))
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE walk (
            id TEXT PRIMARY KEY, start DOUBLE NOT NULL, ended DOUBLE NOT NULL,
            active DOUBLE NOT NULL, distance DOUBLE NOT NULL, weather TEXT);
          CREATE INDEX walkByStart ON walk (start DESC, id);
          CREATE TABLE participant (walk TEXT NOT NULL, pet TEXT NOT NULL,
            PRIMARY KEY (walk, pet)) WITHOUT ROWID;
          CREATE TABLE point (
            walk TEXT NOT NULL, place INTEGER NOT NULL, latitude DOUBLE NOT NULL,
            longitude DOUBLE NOT NULL, elevation DOUBLE, accuracy DOUBLE, time DOUBLE,
            PRIMARY KEY (walk, place)) WITHOUT ROWID
          """)
    }
    return queue
  }

  private func insert(
    _ walks: [Walk], with points: [LocationFix], into queue: DatabaseQueue
  ) throws {
    try queue.write { db in
      let insert = try db.makeStatement(sql: "INSERT INTO walk VALUES (?, ?, ?, ?, ?, ?)")
      let join = try db.makeStatement(sql: "INSERT INTO participant VALUES (?, ?)")
      for walk in walks {
        try insert.execute(arguments: [
          walk.id.rawValue, walk.start.timeIntervalSince1970, walk.end.timeIntervalSince1970,
          walk.duration / .seconds(1), walk.distance.meters, walk.weather?.rawValue,
        ])
        try join.execute(arguments: [walk.id.rawValue, Self.pet.id.rawValue])
      }
      let add = try db.makeStatement(sql: "INSERT INTO point VALUES (?, ?, ?, ?, ?, ?, ?)")
      for (place, point) in points.enumerated() {
        try add.execute(arguments: [
          walks[0].id.rawValue, place, point.coordinate.latitude, point.coordinate.longitude,
          point.elevation, point.accuracy.meters, point.time.timeIntervalSince1970,
        ])
      }
    }
  }

  private static func walk(_ id: String, _ number: Int) -> Walk {
    let start = Date(timeIntervalSince1970: 1_600_000_000 + Double(number * 7_919 % 100_003) * 600)
    return Walk(
      id: Walk.ID(rawValue: id), pets: [.init(pet: pet.id, joined: start)],
      start: start, end: start.addingTimeInterval(Double(1_200 + number % 3_600)),
      utcOffset: .seoul, distance: .meters(Double(number % 5_000)), weather: .clear)
  }

  /// Fixes of the last two hours, a second and about 1.4 m apart.
  private static func points(_ count: Int) throws -> [LocationFix] {
    let end = Date()
    return try (0..<count).map { second in
      let turn = Double(second) / 300
      return LocationFix(
        coordinate: try Coordinate(
          latitude: 37.5 + 0.004 * sin(turn), longitude: 127 + 0.004 * cos(turn)),
        accuracy: .meters(5), time: end.addingTimeInterval(Double(second - count)),
        elevation: 30 + 5 * sin(turn / 3))
    }
  }

  /// The row as GRDB fetches it.
  struct WalkRow: FetchableRecord {
    let id: String
    let start: Double
    let end: Double
    let active: Double
    let distance: Double
    let weather: String?

    init(row: Row) {
      id = row[0]
      start = row[1]
      end = row[2]
      active = row[3]
      distance = row[4]
      weather = row[5]
    }
  }
}
