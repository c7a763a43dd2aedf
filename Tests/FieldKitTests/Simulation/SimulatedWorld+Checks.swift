import FieldCore
import FieldFakes
import FieldKit
import FirestoreFakes
import Foundation
import TestSupport
import WalkFirestore

/// What must be true in between and at the end.
extension SimulatedWorld {
  // MARK: In between

  /// Changes, adds, or removes a stone at the source.
  func changeStones(_ draw: Int) {
    let mass = abs(draw % 900) + 100
    let number = draw % 5 == 0 ? ledger.withLock { $0.number() } + 100 : abs(draw) % 25 + 1
    if draw % 7 == 0 {
      servers.stones.delete("\(number)")
    } else {
      ledger.withLock { _ = $0.masses["\(number)", default: []].insert(Double(mass)) }
      servers.stones.upsert([SimulatedServers.stone(number, mass: mass)])
    }
  }

  /// Checks that a catalog has only what the source once had.
  func checkStones(of process: SimulatedProcess) async throws {
    let masses = ledger.withLock(\.masses)
    for stone in try await process.stones.view().all {
      let isKnown = stone.massInGrams.map { masses[stone.id.rawValue]?.contains($0) == true }
      expect(isKnown == true, "the source never had \(stone)")
    }
  }

  /// Finishes a walk that was found, or discards it if its pet was deleted.
  func finish(
    _ walk: UnfinishedWalk, acknowledge: ((inout SimulationLedger) -> Void) -> Void
  ) async throws {
    do {
      try await walk.finish()
      acknowledge { $0.walks[walk.id]?.isSaved = true }
    } catch let error as FieldError where error.code == .unknownPet {
      ledger.withLock { ledger in
        expect(
          ledger.walks[walk.id]?.presence != .kept, "the pet of the walk \(walk.id) is missing")
        ledger.walks[walk.id]?.presence = .doubtful
      }
      try await walk.discard()
    }
  }

  // MARK: At the end

  /// Lets everything calm down, and checks all of it.
  func finish() async throws {
    note("the end begins")
    for device in devices.indices { restart(device, powerCut: nil) }
    servers.stones.onRequest = nil
    for number in 0..<3 {
      let diary = try process(number).diary
      for walk in try await diary.unfinished() {
        try await finish(walk) { ledger.withLock($0) }
      }
      expect(diary.unreadableWalks.isEmpty, "unreadable: \(diary.unreadableWalks)")
    }
    for _ in 0..<6 {
      try await scheduler.sleep(for: .seconds(4_000))
      for number in 0..<3 { try await sync(try process(number)) }
    }
    for number in 0..<3 {
      let left = try await process(number).cloud.pending()
      let reasons = left.operations.map {
        "\($0.payload.subject) \($0.state): \($0.lastError.map { "\($0)" } ?? "no error")"
      }
      expect(left.isEmpty, "process \(number) still has \(reasons)")
    }
    try await checkDiary()
    try await checkSightings()
    try await checkRows()
    try await checkFiles()
  }

  private func sync(_ process: SimulatedProcess) async throws {
    try await process.diary.refresh(.now)
    for edit in try await process.cloud.pending().rejected {
      try await process.cloud.resend(edit.id)
    }
    try await process.zoo.refresh(.now)
    try await process.stones.refresh(.now)
  }

  private struct Diary: Equatable {
    var pets: [Pet]
    var walks: [Walk]

    init(of process: SimulatedProcess) async throws {
      pets = try await process.diary.pets(includingArchived: true)
        .sorted { $0.id.rawValue < $1.id.rawValue }
      walks = try await process.diary.allWalks().sorted { $0.id.rawValue < $1.id.rawValue }
    }
  }

  /// All devices have the same, and so has a new one, which gets everything from the servers.
  private func checkDiary() async throws {
    let new = try SimulatedProcess(
      on: DeviceFiles(), shift: Lock(0), scheduler: scheduler, servers: servers, seed: seed)
    for _ in 0..<2 { try await new.diary.refresh(.now) }
    let diary = try await Diary(of: new)
    for number in 0..<3 {
      let other = try await Diary(of: process(number))
      expect(other.pets == diary.pets, "pets of \(number): \(other.pets), \(diary.pets)")
      expect(other.walks == diary.walks, "walks of \(number): \(other.walks), \(diary.walks)")
    }
    let receipts = servers.firestore.documents.count { $0.path.parent == "receipts" }
    expect(
      servers.firestore.commitCount == receipts,
      "\(servers.firestore.commitCount) commits, \(receipts) receipts")
    for number in 0..<3 { try await checkDiary(diary, on: process(number)) }
    try await checkDiary(diary, on: new)
  }

  private func checkDiary(_ diary: Diary, on process: SimulatedProcess) async throws {
    let ledger = ledger.withLock(\.self)
    for pet in diary.pets {
      guard let entry = ledger.pets[pet.id] else {
        expect(ledger.doubtfulPets.contains(pet.name), "nobody registered \(pet)")
        continue
      }
      expect(entry.presence != .removed, "\(pet) was deleted")
      expect(entry.weights.contains(pet.weight?.kilograms), "\(pet) weighs \(pet.weight as Any)")
      let portrait = try await process.diary.portrait(of: pet.id)
      expect(entry.portraits.contains(portrait), "\(pet) has another portrait")
    }
    let ids = Set(diary.pets.map(\.id))
    for (id, entry) in ledger.pets where entry.presence == .kept {
      expect(ids.contains(id), "the pet \(id) is lost")
    }
    let walks = Dictionary(diary.walks.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    expect(walks.count == diary.walks.count, "a walk is there twice")
    let unknown = walks.keys.filter { ledger.walks[$0] == nil }
    expect(unknown.count <= ledger.doubtfulStarts, "nobody has begun \(unknown)")
    for (id, entry) in ledger.walks {
      guard let walk = walks[id] else {
        expect(entry.presence != .kept, "the walk \(id) is lost")
        continue
      }
      expect(entry.presence != .removed, "the walk \(id) was deleted")
      try await check(walk, entry, on: process)
    }
  }

  private func check(
    _ walk: Walk, _ entry: SimulationLedger.WalkEntry, on process: SimulatedProcess
  ) async throws {
    let points = try await process.diary.route(of: walk.id).segments.flatMap { $0 }
    let times = points.compactMap { $0.time.map { ($0.timeIntervalSince1970 * 1_000).rounded() } }
    func rounded(_ dates: Set<Date>) -> Set<Double> {
      Set(dates.map { ($0.timeIntervalSince1970 * 1_000).rounded() })
    }
    let lost = rounded(entry.kept).subtracting(times)
    expect(lost.isEmpty, "\(lost.count) of \(times.count) points of the walk \(walk.id) are lost")
    expect(Set(times).isSubset(of: rounded(entry.offered)), "\(walk.id) has other points")
    expect(Set(times).count == times.count, "\(walk.id) has points twice")
    for (text, isKept) in entry.notes {
      let count = walk.notes.count { $0.text == text }
      expect(count == 1 || !isKept && count == 0, "\(text) is there \(count) times")
    }
    expect(walk.notes.allSatisfy { entry.notes[$0.text] != nil }, "\(walk.id) has other notes")
    var photos: [Data] = []
    for photo in walk.photos { photos.append(try await process.diary.photo(photo)) }
    for (photo, isKept) in entry.photos {
      let count = photos.count { $0 == photo }
      expect(count == 1 || !isKept && count == 0, "a photo is there \(count) times")
    }
    expect(photos.allSatisfy { entry.photos[$0] != nil }, "\(walk.id) has other photos")
  }

  private func checkSightings() async throws {
    for number in 0..<3 {
      let zoo = try process(number).zoo
      let entries = ledger.withLock { $0.sightings[Self.device(of: number)] }
      let listing = try await zoo.listing()
      expect(listing.problems.isEmpty, "problems: \(listing.problems)")
      let found = try await zoo.sightings()
      expect(Set(found.map(\.number)).count == found.count, "a number is there twice")
      for sighting in found {
        guard let entry = entries[sighting.id] else {
          let isDoubtful = ledger.withLock { $0.doubtfulSightings.contains(sighting.name) }
          expect(isDoubtful, "nobody added \(sighting)")
          continue
        }
        expect(entry.presence != .removed, "\(sighting) was removed")
        let photo = try await zoo.image(for: sighting).data
        expect(entry.photo.possible.contains(photo), "\(sighting) has another photo")
      }
      for entry in entries.values where entry.presence == .kept {
        expect(found.contains { $0.id == entry.id }, "the sighting \(entry.number) is lost")
      }
    }
  }

  private func checkRows() async throws {
    let rows = servers.stones.rows.compactMap { row -> String? in
      guard case .text(let id)? = row["id"], case .number(let mass)? = row["mass"] else {
        return nil
      }
      return "\(id) \(mass)"
    }
    for number in 0..<3 {
      let process = try process(number)
      try await checkStones(of: process)
      let stones = try await process.stones.view().all.map { stone in
        let mass = stone.massInGrams.map { "\(Int($0))" } ?? ""
        return "\(stone.id.rawValue) \(mass)"
      }
      expect(stones.sorted() == rows.sorted(), "stones: \(stones.sorted()), \(rows.sorted())")
      _ = try await process.zoo.view().animals
    }
  }

  /// No blob is left that no record names, no lock is held, and no file is open.
  private func checkFiles() async throws {
    for _ in 0..<2 {
      try await scheduler.sleep(for: .seconds(2 * 86_400))
      for device in devices.indices { restart(device, powerCut: nil) }
      for number in 0..<3 {
        _ = try await process(number).diary.open()
        _ = try await process(number).diary.unfinished()
        _ = try await process(number).zoo.open()
      }
    }
    for number in 0..<3 {
      let process = try process(number)
      let system = devices[Self.device(of: number)].system
      let hasParts = system.paths.contains { $0.contains(".damaged") }
      var kept: [String: Set<BlobID>] = ["walk-drafts": []]
      kept["walks"] = try await process.cloud.stored.blobsInUse()
      kept["sightings"] = Set(try await process.zoo.sightings().compactMap { $0.photo?.blob })
      for (name, kept) in kept where !hasParts {
        let prefix = "/data/\(name).blobs/"
        let found = Set(
          system.paths.filter { $0.hasPrefix(prefix) }
            .compactMap { BlobID(hexadecimal: String($0.dropFirst(prefix.count))) })
        expect(
          found.subtracting(kept).isEmpty,
          "\(found.subtracting(kept).count) blobs of \(name) are left over")
      }
    }
    for number in 0..<3 {
      let process = try process(number)
      try await process.diary.close()
      try await process.zoo.close()
      try await process.stones.close()
    }
    for device in devices {
      expect(device.system.openCount == 0, "\(device.system.openCount) files are open")
    }
  }
}
