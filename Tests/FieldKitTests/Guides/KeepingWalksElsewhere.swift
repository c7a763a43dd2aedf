import FieldKit
import FieldTesting
import Foundation
import Testing
import WalkTesting

// What the article "Keeping walks elsewhere" shows, at work: each slice is a part of the page.

/// All records of a diary in one value behind one actor, as a transaction of a database has them.
actor WalkTable {
  struct Content: Codable {
    var pets: [Pet.ID: Pet] = [:]
    var walks: [Walk.ID: Walk] = [:]
    var places: [Place.ID: Place] = [:]
    var aliases: [Pet.ID: Pet.ID] = [:]
    var selected: Pet.ID?
  }

  private var content = Content()
  private var observers: [UUID: AsyncStream<WalkDiaryChange>.Continuation] = [:]
  private var isClosed = false

  // snippet.transaction
  /// Reads or changes the content atomically, and reports the changes.
  private func transaction<Result>(
    _ body: (inout Content, inout WalkDiaryChange) throws -> Result
  ) throws -> Result {
    guard !isClosed else { throw FieldError(.closed, "The table of walks is closed.") }
    var (next, change) = (content, WalkDiaryChange())
    let result = try body(&next, &change)
    content = next
    if change != WalkDiaryChange() { for observer in observers.values { observer.yield(change) } }
    return result
  }
  // snippet.end
}

// snippet.pets
extension WalkTable: PetRepository {
  func pets() throws -> [Pet] {
    try transaction { content, _ in
      content.pets.values.sorted {
        ($0.registered, $0.id.rawValue) < ($1.registered, $1.id.rawValue)
      }
    }
  }

  func add(_ pet: Pet) throws {
    try transaction { content, change in
      guard content.pets[pet.id] != pet else { return }
      guard content.pets[pet.id] == nil else {
        throw FieldError(.conflict, "There is already a pet with the ID \(pet.id).")
      }
      try content.put(pet)
      change.pets.insert(pet.id)
    }
  }

  func update(_ id: Pet.ID, _ edit: @Sendable (inout Pet) throws -> Void) throws -> Pet {
    try transaction { content, change in
      guard let old = content.pets[id] else {
        throw FieldError(.unknownPet, "There is no pet with the ID \(id).")
      }
      var pet = old
      try edit(&pet)
      (pet.id, pet.registered) = (old.id, old.registered)
      try content.put(pet)
      change.pets.insert(id)
      return pet
    }
  }

  func remove(_ id: Pet.ID) throws -> Bool {
    try transaction { content, change in
      guard content.pets.removeValue(forKey: id) != nil else { return false }
      for var walk in content.walks.values where walk.includes(id) {
        walk.pets.removeAll { $0.pet == id }
        for place in walk.notes.indices where walk.notes[place].pet == id {
          walk.notes[place].pet = nil
        }
        content.walks[walk.id] = walk.pets.isEmpty ? nil : walk  // others were along, or nobody was
        change.walks.insert(walk.id)
      }
      if content.selected == id { content.selected = nil }
      content.aliases = content.aliases.filter { $0.value != id }
      change.pets.insert(id)
      return true
    }
  }
}

extension WalkTable.Content {
  /// Stores a pet, when no other one has its name.
  mutating func put(_ pet: Pet) throws {
    if pets.values.contains(where: { $0.id != pet.id && $0.nameKey == pet.nameKey }) {
      throw FieldError(.nameTaken, "There is already a pet named \(pet.name).")
    }
    pets[pet.id] = pet
  }

  // snippet.hide
  /// Stores a walk, when its pets are there and its times are numbers.
  mutating func put(_ walk: Walk) throws {
    for along in walk.pets where pets[along.pet] == nil {
      throw FieldError(.unknownPet, "There is no pet with the ID \(along.pet).")
    }
    for date in [walk.start, walk.end] where !date.timeIntervalSinceReferenceDate.isFinite {
      throw FieldError(.invalidInput, "A walk needs a start and an end.")
    }
    walks[walk.id] = walk
  }
  // snippet.show
}
// snippet.end

extension WalkTable: WalkRepository {
  func save(_ walk: Walk) throws -> Walk {
    try transaction { content, change in
      if let present = content.walks[walk.id] { return present }
      try content.put(walk)
      change.walks.insert(walk.id)
      change.pets.formUnion(walk.pets.map(\.pet))
      return walk
    }
  }

  func walk(_ id: Walk.ID) throws -> Walk? { try transaction { content, _ in content.walks[id] } }

  // snippet.page
  func walks(_ query: WalkQuery) throws -> WalkPage {
    guard query.limit > 0 else { throw FieldError(.invalidInput, "A page needs at least 1 walk.") }
    let last = try query.after?.position  // the start and the id that the page before ended with
    return try transaction { content, _ in
      let found = content.walks.values.sorted(by: Walk.isNewer).filter { walk in
        (query.pet.map(walk.includes) ?? true)
          && (query.period?.contains(walk.start) ?? true)
          && (last.map { (walk.start, $0.id.rawValue) < ($0.start, walk.id.rawValue) } ?? true)
      }
      let page = Array(found.prefix(query.limit))
      return WalkPage(
        walks: page, next: found.count > page.count ? page.last.map { .init(after: $0) } : nil)
    }
  }
  // snippet.end

  func update(_ id: Walk.ID, _ edit: @Sendable (inout Walk) throws -> Void) throws -> Walk {
    try transaction { content, change in
      guard let old = content.walks[id] else {
        throw FieldError(.unknownWalk, "There is no walk with the ID \(id).")
      }
      var walk = old
      try edit(&walk)
      walk.id = id
      try content.put(walk)
      change.walks.insert(id)
      change.pets.formUnion((old.pets + walk.pets).map(\.pet))
      return walk
    }
  }

  func remove(_ id: Walk.ID) throws -> Bool {
    try transaction { content, change in
      guard let walk = content.walks.removeValue(forKey: id) else { return false }
      change.walks.insert(id)
      change.pets.formUnion(walk.pets.map(\.pet))
      return true
    }
  }
}

extension WalkTable: PlaceRepository, WalkSettings {
  func places() throws -> [Place] {
    try transaction { content, _ in
      content.places.values.sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
    }
  }

  func save(_ place: Place) throws {
    try transaction { content, change in
      if place.kind == .home { content.places = content.places.filter { $0.value.kind != .home } }
      content.places[place.id] = place
      change.places = true
    }
  }

  func remove(_ id: Place.ID) throws -> Bool {
    try transaction { content, change in
      change.places = content.places.removeValue(forKey: id) != nil
      return change.places
    }
  }

  func selectedPet() throws -> Pet.ID? { try transaction { content, _ in content.selected } }

  func select(_ pet: Pet.ID?) throws { try transaction { content, _ in content.selected = pet } }
}

extension WalkTable: WalkBatchRepository {
  func add(_ batch: WalkBatch) throws -> WalkBatch {
    try transaction { content, change in
      var added = WalkBatch()
      for pet in batch.pets where content.pets[pet.id] == nil {
        try content.put(pet)
        added.pets.append(pet)
      }
      for walk in batch.walks where content.walks[walk.id] == nil {
        try content.put(walk)
        added.walks.append(walk)
      }
      for place in batch.places where content.places[place.id] == nil {
        if place.kind == .home, content.places.values.contains(where: { $0.kind == .home }) {
          continue
        }
        content.places[place.id] = place
        added.places.append(place)
      }
      content.aliases.merge(batch.aliases) { $1 }
      change.everything = true
      return added
    }
  }

  func aliases() throws -> [Pet.ID: Pet.ID] { try transaction { content, _ in content.aliases } }
}

// snippet.lifetime
extension WalkTable: WalkStoreLifetime {
  func open() throws -> OpeningReport {
    try transaction { content, _ in OpeningReport(recordCount: content.walks.count) }
  }

  func close() {
    isClosed = true
    for observer in observers.values { observer.finish() }
    observers = [:]
  }

  func eraseAll() throws {
    try transaction { content, change in
      content = Content()
      change.everything = true
    }
  }

  /// Photos that this set doesn't contain are removed when a diary opens.
  func blobsInUse() throws -> Set<BlobID> {
    try transaction { content, _ in
      Set(content.pets.values.flatMap(\.blobs) + content.walks.values.flatMap(\.blobs))
    }
  }

  nonisolated func updates() -> WalkDiaryUpdates {
    WalkDiaryUpdates { await self.observe() }
  }

  private func observe() -> AsyncStream<WalkDiaryChange> {
    let (stream, observer) = AsyncStream.makeStream(of: WalkDiaryChange.self)
    observer.yield(WalkDiaryChange(everything: true))
    guard !isClosed else {
      observer.finish()
      return stream
    }
    let id = UUID()
    observers[id] = observer
    observer.onTermination = { _ in Task { await self.forget(id) } }
    return stream
  }

  private func forget(_ id: UUID) { observers[id] = nil }
}
// snippet.end

@Suite("The guide to keeping walks elsewhere", .timeLimit(.minutes(10)))
struct KeepingWalksElsewhere {
  // snippet.conformance
  @Test("the table of walks satisfies the contract")
  func conformance() async throws {
    try await WalkBackendConformance.run {
      WalkBackend(WalkTable(), blobs: InMemoryBlobStore())
    }
  }
  // snippet.end

  @Test("the route of a walk exists after a pet was removed and the diary was reopened")
  func routes() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let clock = ManualClock()
    let (table, blobs, transport) = (WalkTable(), InMemoryBlobStore(), StubTransport { _ in })
    // snippet.use
    let diary = WalkDiary(
      backend: WalkBackend(table, blobs: blobs), storage: .directory(folder),
      transport: transport, clock: clock)
    // snippet.end
    let mesh = try await diary.register(
      PetRegistration(
        name: "mesh", breed: .welshCorgi, gender: .male, birth: CalendarDay("2020-01-01"),
        weight: .kilograms(10), photo: Data(FakeTaipeiOpenData.SmallPicture.jpeg)))
    let tori = try await diary.register(
      PetRegistration(
        name: "tori", breed: .shihTzu, gender: .male, birth: CalendarDay("2020-01-31"),
        weight: .kilograms(33), photo: Data(FakeTaipeiOpenData.SmallPicture.jpeg)))
    let walk = try await diary.start(pets: [mesh.id, tori.id])
    let here = try Coordinate(latitude: 37.5452, longitude: 127.0571)
    await walk.record(LocationFix(coordinate: here, accuracy: .meters(8), time: clock.now))
    let finished = try await walk.finish()
    try await diary.delete(tori.id)

    let again = WalkDiary(
      backend: WalkBackend(table, blobs: blobs), storage: .directory(folder),
      transport: transport, clock: clock)
    #expect(try await again.route(of: finished.id).segments.joined().count == 1)
    #expect(try await again.walks().map(\.id) == [finished.id])
  }
}
