import FieldFakes
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("Ordered queries and ranges", .heavy)
struct OrderedQueryTests {
  private static func any<Value>(
    _ values: Value..., using generator: inout SeededGenerator
  ) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  private static func stone(_ id: Int, _ generator: inout SeededGenerator) throws -> Meteorite {
    let coordinate = try Coordinate(
      latitude: Double.random(in: -90...90, using: &generator).rounded(),
      longitude: Double.random(in: -180...180, using: &generator).rounded())
    return Meteorite(
      id: id % 11 == 0 ? Meteorite.ID(rawValue: "x\(id)") : Meteorite.ID(UInt64(id)),
      name: any("Ölbach", "olbach", "Talwald", "निज़ामाबाद", using: &generator),
      massInGrams: any(nil, 0, 1.5, 1_000, 2_000, 5_000, 60_000, using: &generator),
      fall: Bool.random(using: &generator) ? .fell : .found,
      year: any(nil, 1880, 1990, 1995, 1999, 2101, using: &generator),
      coordinate: coordinate)
  }

  private static func query(_ generator: inout SeededGenerator) throws -> MeteoriteQuery {
    var query = MeteoriteQuery(
      order: any(
        .source, .massDescending, .massAscending, .yearDescending, .yearAscending, .name, .id,
        using: &generator))
    func choose(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &generator) == 0 }
    if choose(2) {
      query.massInGrams = [
        ValueRange(lower: 1_000, upper: 5_000), ValueRange(lower: 1_000, upper: nil),
        ValueRange(lower: nil, upper: 1_000, includesUpper: false),
      ].randomElement(using: &generator)
    }
    if choose(2) {
      query.years = [
        ValueRange(lower: 1990, upper: 1999), ValueRange(lower: .min, upper: 1995),
        ValueRange(lower: 1990, upper: 1999, includesUpper: false),
      ].randomElement(using: &generator)
    }
    if choose(4) { query.fall = .fell }
    if choose(4) { query.text = ["olbach", "d", "न"].randomElement(using: &generator) }
    if choose(4) { query.box = try GeoBox(south: -40, west: 100, north: 60, east: -30) }
    if choose(5) {
      query.circle = MeteoriteQuery.Circle(
        center: try Coordinate(latitude: 80, longitude: 5), radius: .kilometers(4_000))
    }
    if choose(2) { query.limit = Int.random(in: 0...30, using: &generator) }
    if choose(3) { query.offset = Int.random(in: 0...10, using: &generator) }
    return query
  }

  @Test(
    "ordered queries give the answers of a scan after every kind of change",
    arguments: Sample.of([1, 2, 3, 4], 2, inDebug: 1))
  func sameAsScan(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let store = InMemoryStore<Meteorite>()
    let catalog = MeteoriteCatalog(
      source: FixedSource(rows: [Batch(records: [])]), repository: store)
    try await store.commit(
      Changes(
        upserting: try (1...Sample.rounds(400, 400, inDebug: 200)).map {
          try Self.stone($0, &generator)
        }), checkpoint: nil,
      expecting: nil)
    for round in 0..<24 {
      var changes = Changes<Meteorite>()
      let all = Array(try await store.snapshot())
      switch round % 6 {
      case 1:  // replaced
        for stone in all.shuffled(using: &generator).prefix(9) {
          guard let number = Int(stone.id.rawValue) else { continue }
          changes.upsert(try Self.stone(number, &generator))
        }
      case 2:  // removed
        for stone in all.shuffled(using: &generator).prefix(9) { changes.remove(stone.id) }
      case 3:  // new
        for number in 1...9 {
          changes.upsert(try Self.stone(1_000 + round * 20 + number, &generator))
        }
      case 4:  // removed and inserted again, at the end
        for stone in all.shuffled(using: &generator).prefix(5) {
          changes.remove(stone.id)
          changes.upsert(stone)
        }
      case 5 where round > 12:  // most of them at once
        for stone in all.shuffled(using: &generator).prefix(all.count / 2) {
          changes.remove(stone.id)
        }
        for number in 1...200 { changes.upsert(try Self.stone(5_000 + number, &generator)) }
      default: break
      }
      try await store.commit(changes, checkpoint: nil, expecting: nil)
      let view = try await catalog.view()
      let model = Array(view.all)
      // The first rounds of queries scan, the later ones have an index.
      for number in 0..<Sample.rounds(60, 60, inDebug: 14) {
        let query = try Self.query(&generator)
        #expect(
          view.find(query) == query.find(in: model), "seed \(seed), \(round)/\(number): \(query)")
        var whole = query
        (whole.limit, whole.offset, whole.order) = (nil, 0, .source)
        let found = whole.find(in: model)
        #expect(view.count(query) == found.count, "seed \(seed), \(round)/\(number): \(query)")
        #expect(
          view.statistics(of: query).total.massInGrams
            == found.reduce(0) { $0 + ($1.massInGrams ?? 0) },
          "seed \(seed), \(round)/\(number): \(query)")
      }
    }
  }

  private static let path = "/data/meteorites.store"

  private static func catalog(_ store: any MeteoriteRepository) -> MeteoriteCatalog {
    MeteoriteCatalog(source: FixedSource(rows: [Batch(records: [])]), repository: store)
  }

  @Test(
    "ordered queries from a file give the same answers, whatever was decoded or stored",
    arguments: Sample.of([5, 6, 7], 2, inDebug: 1), [true, false])
  func fromFile(seed: UInt64, isStoring: Bool) async throws {
    var generator = SeededGenerator(seed: seed)
    let fileSystem = MemoryFileSystem()
    func open() -> FileStore<Meteorite> {
      FileStore(
        unsharedPath: Self.path, fileSystem: fileSystem, program: { isStoring ? [1] : nil })
    }
    func catalog(_ store: any MeteoriteRepository) -> MeteoriteCatalog { Self.catalog(store) }
    var model = Snapshot(
      try (1...1_500).map { number in
        var stone = try Self.stone(number, &generator)
        if number % 7 == 0 { stone.unreadable = ["mass": "heavy", "reclat": "北"] }
        if number % 13 == 0 { (stone.fall, stone.nameType) = (.unknown, .relict) }
        if number % 5 == 0 { stone.coordinate = nil }
        if number % 3 == 0 { stone.classification = "Iron, IIIAB" }
        return stone
      })
    let filling = open()
    try await filling.commit(Changes(upserting: model), checkpoint: nil, expecting: nil)
    try await filling.close()
    for round in 0..<Sample.rounds(8, 8, inDebug: 3) {
      let store = open()
      // The first round has an untouched file, and the others replaced and removed meteorites.
      if round > 0 {
        var changes = Changes<Meteorite>()
        for stone in model.shuffled(using: &generator).prefix(9) { changes.remove(stone.id) }
        for _ in 0..<9 {
          let number = Int.random(in: 1...1_600, using: &generator)
          changes.upsert(try Self.stone(number, &generator))
        }
        try await store.commit(changes, checkpoint: nil, expecting: nil)
        model = model.applying(changes)
      }
      let view = try await catalog(store).view()
      let other = try await catalog(InMemoryStore(Array(model))).view()
      for number in 0..<Sample.rounds(60, 60, inDebug: 15) {
        var query = try Self.query(&generator)
        if number % 4 == 0 { query.classes = ["Iron, IIIAB"] }
        if number % 5 == 0 { query.plausibleOnly = true }
        let comment = "seed \(seed), \(round)/\(number): \(query)"
        #expect(view.find(query) == query.find(in: model), "\(comment)")
        #expect(view.count(query) == other.count(query), "\(comment)")
        #expect(view.statistics(of: query) == other.statistics(of: query), "\(comment)")
        let place = try Coordinate(
          latitude: Double.random(in: -90...90, using: &generator),
          longitude: Double.random(in: -180...180, using: &generator))
        #expect(
          view.nearest(to: place, count: 9, matching: query)
            == other.nearest(to: place, count: 9, matching: query), "\(comment)")
      }
      #expect(Array(view.all) == Array(model))
      // Views of later commits go on with the indexes that were read or built.
      for _ in 0..<3 {
        var changes = Changes<Meteorite>()
        for _ in 0..<[1, 1, 12][Int.random(in: 0..<3, using: &generator)] {
          let number = Int.random(in: 1...1_600, using: &generator)
          if choose(3, &generator), let stone = model.randomElement(using: &generator) {
            changes.remove(stone.id)
          } else {
            changes.upsert(try Self.stone(number, &generator))
          }
        }
        try await store.commit(changes, checkpoint: nil, expecting: nil)
        model = model.applying(changes)
        let view = MeteoriteView(of: try await store.snapshot(), after: view)
        for number in 0..<Sample.rounds(20, 20, inDebug: 6) {
          let query = try Self.query(&generator)
          #expect(
            view.find(query) == query.find(in: model), "\(seed), \(round)/\(number): \(query)")
        }
      }
      try await store.close()
    }
    #expect((fileSystem[Self.path + ".derived"] != nil) == isStoring)
  }

  /// The queries that use the indexes of orders, texts, and places.
  private static func answers(_ view: MeteoriteView, by orders: [MeteoriteQuery.Order]) throws
    -> [[Meteorite.ID]]
  {
    let here = try Coordinate(latitude: 10, longitude: 20)
    return orders.map { view.find(MeteoriteQuery(order: $0, limit: 20)).map(\.id) }
      + [
        view.find(MeteoriteQuery(text: "olbach")).map(\.id),
        view.nearest(to: here, count: 5).map(\.meteorite.id),
      ]
  }

  private static let orders: [MeteoriteQuery.Order] = [
    .massDescending, .yearAscending, .name, .id,
  ]

  @Test(
    "ordered queries of a new process read the index that an earlier one needed, and no other"
  )
  func newProcess() async throws {
    var generator = SeededGenerator(seed: Sample.seed())
    let stones = try (1...600).map { try Self.stone($0, &generator) }
    let files = MemoryFileSystem()
    func open() -> FileStore<Meteorite> {
      FileStore(unsharedPath: Self.path, fileSystem: files, program: { [1] })
    }
    try await open().commit(Changes(upserting: stones), checkpoint: nil, expecting: nil)
    let model = try Self.answers(
      MeteoriteView(of: Snapshot(stones)), by: Self.orders)
    // The first process has only one query of each kind, which goes through all meteorites.
    let first = Self.catalog(open())
    #expect(try Self.answers(try await first.view(), by: Self.orders) == model)
    try await first.close()
    let stored = try #require(files[Self.path + ".derived"])
    let store = open()
    let view = MeteoriteView(of: try await store.snapshot())
    func bytesRead(_ query: MeteoriteQuery) -> Int {
      let before = files.readByteCount
      _ = view.find(query)
      return files.readByteCount - before
    }
    // The order of the slots takes 4 bytes for each, and the rest of the file isn't read.
    let heaviest = bytesRead(MeteoriteQuery(order: .massDescending, limit: 3))
    #expect((4 * 600..<stored.count / 2).contains(heaviest), "\(heaviest) of \(stored.count)")
    #expect(bytesRead(MeteoriteQuery(massInGrams: 1...9, order: .massAscending)) == 0)
    #expect(bytesRead(MeteoriteQuery(order: .name, limit: 3)) < 4 * 600 + 5_000)
    #expect(try Self.answers(view, by: Self.orders) == model)
    try await store.close()
    #expect(files[Self.path + ".derived"] == stored)
  }

  @Test("Meteorites are found by their numbers after any small changes")
  func numbers() async throws {
    var generator = SeededGenerator(seed: Sample.seed())
    var snapshot = Snapshot(try (1...300).map { try Self.stone($0, &generator) })
    var view = MeteoriteView(of: snapshot)
    for round in 0..<40 {
      // After some look-ups, there is a table.
      for number in 1...450 {
        let ids = [Meteorite.ID(UInt64(number)), Meteorite.ID(rawValue: "x\(number)")]
        for id in ids { #expect(view[id] == snapshot[id: id], "\(round): \(id)") }
      }
      var changes = Changes<Meteorite>()
      for _ in 0..<[0, 1, 3, 40][Int.random(in: 0..<4, using: &generator)] {
        let stone = try Self.stone(Int.random(in: 1...440, using: &generator), &generator)
        if choose(3, &generator) { changes.remove(stone.id) } else { changes.upsert(stone) }
      }
      snapshot = snapshot.applying(changes)
      view = MeteoriteView(of: snapshot, after: view)
    }
  }

  private func choose(_ times: Int, _ generator: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<times, using: &generator) == 0
  }

  @Test("ordered queries work without an index of numbers that have no order")
  func withoutIndex() async throws {
    let stones = (1...50).map { number in
      Meteorite(
        id: Meteorite.ID(UInt64(number)), name: "Stone",
        massInGrams: number == 25 ? .nan : Double(number), year: Meteorite.Year(.max - number))
    }
    let catalog = MeteoriteCatalog(
      source: FixedSource(rows: [Batch(records: [])]),
      repository: InMemoryStore(stones))
    let view = try await catalog.view()
    for _ in 0..<9 {
      #expect(view.count(MeteoriteQuery(massInGrams: 40...)) == 12)
      #expect(
        view.find(MeteoriteQuery(order: .yearDescending, limit: 3)).map(\.id) == [1, 2, 3])
    }
  }
}
