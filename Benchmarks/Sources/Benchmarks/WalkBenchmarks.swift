import FieldFakes
import Foundation
import GRDB
import WalkKit

/// What a diary of walks does most: a walk is saved, and the history is shown.
struct WalkBenchmarks {
  private static let pet = Pet(
    id: Pet.ID(rawValue: "mesh"), name: "mesh", breed: .welshCorgi, registered: .distantPast)
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    try await saving(points: 7_200, &table)
    try await history(of: 5_000, &table)
    try await routes(of: 5_000, points: 2_000, &table)
  }

  // MARK: Saving

  /// Two hours with a fix each second: from the end of the walk until it is on the device.
  private func saving(points count: Int, _ table: inout ResultTable) async throws {
    let folder = workbench.path("walks")
    try await StoredWalks(storage: .directory(folder)).add(WalkBatch(pets: [Self.pet]))
    let fixes = FixPolicy(maximumAge: .seconds(86_400))
    let diary = WalkDiary(
      storage: .directory(folder), transport: Offline(), recording: RecordingOptions(fixes: fixes))
    let queue = try database()
    var times: [(own: Duration, rival: Duration)] = []
    for run in 0...8 {
      let recorder = try await diary.start(pets: [Self.pet.id])
      let points = try Self.points(count)
      for point in points { _ = await recorder.record(point) }
      let start = ContinuousClock.now
      let walk = try await recorder.finish()
      let middle = ContinuousClock.now
      try insert([Self.walk(run)], with: points, into: queue)
      times.append((middle - start, ContinuousClock.now - middle))
      try require(try await diary.route(of: walk.id).pointCount == count)
    }
    table.add(
      "saving a walk of \(count) points", own: times.map(\.own).sorted()[4],
      against: "GRDB, one transaction", times.map(\.rival).sorted()[4], wanted: 1)
    try await diary.close()
    try queue.close()
  }

  // MARK: The history

  private func history(of count: Int, _ table: inout ResultTable) async throws {
    let folder = workbench.path("history")
    let walks = (0..<count).map(Self.walk)
    let filling = StoredWalks(storage: .directory(folder))
    _ = try await filling.add(WalkBatch(pets: [Self.pet], walks: walks))
    try await filling.close()
    let filled = try database()
    try insert(walks, with: [], into: filled)
    let path = filled.path
    try filled.close()

    let (own, rival) = try await mediansInTurn(of: 15) {
      let diary = WalkDiary(storage: .directory(folder), transport: Offline())
      return (diary, try await diary.walks(of: Self.pet.id))
    } rival: {
      let queue = try DatabaseQueue(path: path)
      return (queue, try await page(of: queue))
    } end: { own, rival in
      try require(own.1.map(\.id.rawValue) == rival.1.map(\.id))
      try await own.0.close()
      try rival.0.close()
    }
    table.add(
      "cold open to the first page of \(count) walks", own: own, against: "GRDB, LIMIT 50", rival,
      wanted: 0.2)
    let diary = WalkDiary(storage: .directory(folder), transport: Offline())
    let queue = try DatabaseQueue(path: path)
    let (warm, rivalWarm) = try await mediansInTurn(of: 101) {
      try await diary.walks(of: Self.pet.id).count
    } rival: {
      try await page(of: queue).count
    } end: { own, rival in
      try require(own == 50 && rival == 50)
    }
    table.add(
      "a page of \(count) walks, opened", own: warm, against: "GRDB, LIMIT 50", rivalWarm, wanted: 1
    )
    try await diary.close()
    try queue.close()
  }

  /// Walks whose routes are files of their own, which opening looks at and a page doesn't read.
  private func routes(of count: Int, points: Int, _ table: inout ResultTable) async throws {
    let folder = workbench.path("routes")
    let storage = Storage.directory(folder)
    _ = try await StoredWalks(storage: storage).add(WalkBatch(pets: [Self.pet]))
    let clock = ManualClock()
    let filling = WalkDiary(storage: storage, transport: Offline(), clock: clock)
    var recording = Duration.zero
    for number in 0..<count {
      let start = clock.now
      let recorder = try await filling.start(pets: [Self.pet.id])
      let fixes = try (0..<points).map { second in
        LocationFix(
          coordinate: try Coordinate(
            latitude: 37.5 + Double(number) * 1e-5 + 0.004 * sin(Double(second) / 300),
            longitude: 127 + 0.004 * cos(Double(second) / 300)),
          accuracy: .meters(5), time: start.addingTimeInterval(Double(second)))
      }
      for fix in fixes {
        clock.advance(by: .seconds(1))
        let begin = ContinuousClock.now
        _ = await recorder.record(fix)
        recording += ContinuousClock.now - begin
      }
      let walk = try await recorder.finish()
      if number == 0 { try require(try await filling.route(of: walk.id).pointCount == points) }
      clock.advance(by: .seconds(600))
    }
    try await filling.close()
    table.add(
      "recording a fix, \(count * points) of them", own: recording / (count * points),
      against: "the 5 µs that are allowed", .microseconds(5), wanted: 1)
    let (own, _) = try await mediansInTurn(of: 15) {
      let diary = WalkDiary(storage: storage, transport: Offline())
      return (diary, try await diary.walks(of: Self.pet.id).count)
    } rival: {
    } end: { own, _ in
      try require(own.1 == 50)
      try await own.0.close()
    }
    table.add(
      "cold open to the first page of \(count) walks with \(count * points) points", own: own,
      against: "the 100 ms that are allowed", .milliseconds(100), wanted: 1)
  }

  private func page(of queue: DatabaseQueue) async throws -> [WalkRow] {
    try await queue.read { db in
      try WalkRow.fetchAll(
        db,
        sql: """
          SELECT walk.* FROM walk JOIN participant ON participant.walk = walk.id
          WHERE participant.pet = ? ORDER BY walk.start DESC, walk.id LIMIT 50
          """, arguments: [Self.pet.id.rawValue])
    }
  }

  // MARK: What is stored

  private func database() throws -> DatabaseQueue {
    let queue = try Rival.database(at: workbench.path("walks.sqlite"))
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

  private static func walk(_ number: Int) -> Walk {
    let start = Date(timeIntervalSince1970: 1_600_000_000 + Double(number * 7_919 % 100_003) * 600)
    return Walk(
      id: Walk.ID(rawValue: "walk-\(number)"), pets: [.init(pet: pet.id, joined: start)],
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
  private struct WalkRow: FetchableRecord {
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
