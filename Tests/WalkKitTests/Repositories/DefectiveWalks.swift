import FieldCore
import FieldTesting
import Foundation
import WalkKit

/// Repositories with one planted defect at most, which the conformance suite has to find.
final class DefectiveWalks: Sendable {
  /// What is wrong, and in which case that shows.
  enum Defect: String, CaseIterable, Sendable {
    case startsWithPet, losesPhotoOfPet, sortsPetsByName, allowsEqualNames, allowsNamesOfArchived
    case replacesPets, changesRegistration, keepsHalfAChange, allowsTakenRename, checksNameTooEarly
    case losesPetUpdates, leavesWalksOfPet, leavesChoiceOfPet, leavesPetInShared
    case roundsDistances, losesOffset, overwritesWalks, savesWalksOfNobody
    case sortsOldestFirst, ignoresIDs, repeatsAtPageEnds, losesAtPageEnds, includesUpperEnd
    case ignoresPet, takesAnyLimit, takesAnyCursor, changesWalkID, losesWalkUpdates
    case keepsRemovedWalks, replacesNoPlace, allowsTwoHomes, forgetsChoice
    case batchOverwrites, batchInParts, forgetsRoutes, cutsBlobs, sweepsAll, keepsPlacesOnErase
    case tellsWrongPet, startsUpdatesLate
  }

  let defect: Defect?
  let base: StoredWalks
  let turn = AsyncLock()

  init(_ defect: Defect? = nil) {
    self.defect = defect
    base = StoredWalks(store: InMemoryStore<StoredWalks.Record>())
  }

  var backend: WalkBackend {
    WalkBackend(
      pets: self, walks: self, places: self, settings: self, batches: self,
      blobs: DefectiveBlobs(defect: defect), lifetime: self)
  }
}

extension DefectiveWalks: PetRepository {
  func pets() async throws -> [Pet] {
    var pets = try await base.pets()
    switch defect {
    case .startsWithPet where pets.isEmpty:
      pets = [Pet(id: .init(rawValue: "x"), name: "x", breed: .other, registered: .distantPast)]
    case .losesPhotoOfPet:
      for place in pets.indices { pets[place].photo?.url = nil }
    case .sortsPetsByName: pets.sort { $0.name < $1.name }
    default: break
    }
    return pets
  }

  func add(_ pet: Pet) async throws {
    switch defect {
    case .allowsEqualNames:
      var odd = pet
      odd.name = pet.name + " 2"
      try await base.add(base.pets().contains { $0.name == pet.name } ? odd : pet)
    case .allowsNamesOfArchived:
      if let old = try await base.pets().first(where: { $0.isArchived && $0.nameKey == pet.nameKey }
      ) {
        try await base.update(old.id) { $0.name += " (old)" }
      }
      try await base.add(pet)
    case .replacesPets:
      if try await base.pets().contains(where: { $0.id == pet.id }) {
        try await base.remove(pet.id)
      }
      try await base.add(pet)
    case .checksNameTooEarly:
      let isFree = try await !base.pets().contains { $0.nameKey == pet.nameKey }
      await Race.current?.everyParticipantArrives()
      guard isFree else { throw FieldError(.nameTaken, "taken") }
      var odd = pet
      odd.name = "\(pet.name) \(pet.id)"
      do {
        try await base.add(pet)
      } catch {
        try await base.add(odd)
      }
    default: try await base.add(pet)
    }
  }

  func update(
    _ id: Pet.ID, _ change: @Sendable (inout Pet) throws -> Void
  ) async throws -> Pet {
    switch defect {
    case .changesRegistration:
      let pet = try await base.update(id, change)
      try await base.remove(id)
      var odd = pet
      odd.registered = .distantPast
      try await base.add(odd)
      return odd
    case .keepsHalfAChange:
      let failure = Lock<(any Error)?>(nil)
      let pet = try await base.update(id) { pet in
        do { try change(&pet) } catch { failure.withLock { $0 = error } }
      }
      if let error = failure.withLock({ $0 }) { throw error }
      return pet
    case .allowsTakenRename:
      do {
        return try await base.update(id, change)
      } catch let error as FieldError where error.code == .nameTaken {
        return try await base.update(id) { $0.name += " 2" }
      }
    case .losesPetUpdates:
      let pets = try await base.pets()
      guard var pet = pets.first(where: { $0.id == id }) else {
        throw FieldError(.unknownPet, "none")
      }
      await Race.current?.everyParticipantArrives()
      try change(&pet)
      let late = pet
      return try await base.update(id) { $0 = late }
    default: return try await base.update(id, change)
    }
  }

  func remove(_ id: Pet.ID) async throws -> Bool {
    switch defect {
    case .leavesWalksOfPet:
      let own = try await base.walks(WalkQuery(pet: id, limit: 1_000)).walks
        .filter { $0.pets.count == 1 }
      let found = try await base.remove(id)
      if let other = try await base.pets().first {
        for var walk in own {
          walk.pets[0].pet = other.id
          try await base.save(walk)
        }
      }
      return found
    case .leavesChoiceOfPet:
      let choice = try await base.selectedPet()
      let found = try await base.remove(id)
      try await base.select(choice)
      return found
    case .leavesPetInShared:
      let shared = try await base.walks(WalkQuery(pet: id, limit: 1_000)).walks
        .filter { $0.pets.count > 1 }
      let found = try await base.remove(id)
      for walk in shared { try await base.remove(walk.id) }
      return found
    default: return try await base.remove(id)
    }
  }
}

extension DefectiveWalks: WalkRepository {
  func save(_ walk: Walk) async throws -> Walk {
    var walk = walk
    switch defect {
    case .roundsDistances: walk.distance = .meters(walk.distance.meters.rounded())
    case .losesOffset: walk.utcOffset = .utc
    case .forgetsRoutes: walk.routeBlob = nil
    case .overwritesWalks: try await base.remove(walk.id)
    case .savesWalksOfNobody:
      for part in walk.pets where try await !base.pets().contains(where: { $0.id == part.pet }) {
        try await base.add(
          Pet(id: part.pet, name: part.pet.rawValue, breed: .other, registered: .distantPast))
      }
    default: break
    }
    return try await base.save(walk)
  }

  func walk(_ id: Walk.ID) async throws -> Walk? { try await base.walk(id) }

  func walks(_ query: WalkQuery) async throws -> WalkPage {
    var query = query
    switch defect {
    case .takesAnyLimit: query.limit = max(query.limit, 1)
    case .takesAnyCursor:
      do { _ = try query.after?.position } catch { query.after = nil }
    case .ignoresPet: query.pet = nil
    case .includesUpperEnd:
      query.period = query.period.map { $0.lowerBound..<($0.upperBound + 0.001) }
    default: break
    }
    var page = try await base.walks(query)
    switch defect {
    case .sortsOldestFirst: page.walks.reverse()
    case .ignoresIDs: page.walks.sort { ($0.start, $0.id.rawValue) > ($1.start, $1.id.rawValue) }
    case .repeatsAtPageEnds where page.walks.count > 1 && page.next != nil:
      page.next = page.walks.dropLast().last.map(WalkPage.Cursor.init(after:))
    case .losesAtPageEnds where page.next != nil: page.walks.removeLast()
    default: break
    }
    return page
  }

  func update(
    _ id: Walk.ID, _ change: @Sendable (inout Walk) throws -> Void
  ) async throws -> Walk {
    switch defect {
    case .changesWalkID:
      var walk = try await base.update(id, change)
      walk.id = Walk.ID(rawValue: "other")
      return walk
    case .losesWalkUpdates:
      guard var walk = try await base.walk(id) else { throw FieldError(.unknownWalk, "none") }
      await Race.current?.everyParticipantArrives()
      try change(&walk)
      let late = walk
      return try await base.update(id) { $0 = late }
    default: return try await base.update(id, change)
    }
  }

  func remove(_ id: Walk.ID) async throws -> Bool {
    guard defect == .keepsRemovedWalks else { return try await base.remove(id) }
    return try await base.walk(id) != nil
  }
}

extension DefectiveWalks: PlaceRepository {
  func places() async throws -> [Place] { try await base.places() }

  func save(_ place: Place) async throws {
    switch defect {
    case .replacesNoPlace where try await base.places().contains(where: { $0.id == place.id }):
      return
    case .allowsTwoHomes:
      let homes = try await base.places().filter { $0.kind == .home }
      try await base.save(place)
      for var home in homes where home.id != place.id {
        home.kind = .goal
        try await base.save(home)
      }
    default: try await base.save(place)
    }
  }

  func remove(_ id: Place.ID) async throws -> Bool { try await base.remove(id) }
}

extension DefectiveWalks: WalkSettings {
  func selectedPet() async throws -> Pet.ID? {
    defect == .forgetsChoice ? nil : try await base.selectedPet()
  }

  func select(_ pet: Pet.ID?) async throws { try await base.select(pet) }
}

extension DefectiveWalks: WalkBatchRepository {
  func add(_ batch: WalkBatch) async throws -> WalkBatch {
    switch defect {
    case .batchOverwrites:
      for walk in batch.walks { try await base.remove(walk.id) }
      return try await base.add(batch)
    case .batchInParts:
      let pets = try await base.add(WalkBatch(pets: Array(batch.pets.prefix(1))))
      var rest = try await base.add(batch)
      rest.pets.insert(contentsOf: pets.pets, at: 0)
      return rest
    default: return try await base.add(batch)
    }
  }

  func aliases() async throws -> [Pet.ID: Pet.ID] { try await base.aliases() }
}

extension DefectiveWalks: WalkStoreLifetime {
  func open() async throws -> OpeningReport { try await base.open() }

  func close() async throws { try await base.close() }

  func eraseAll() async throws {
    let places = defect == .keepsPlacesOnErase ? try await base.places() : []
    try await base.eraseAll()
    for place in places { try await base.save(place) }
  }

  func blobsInUse() async throws -> Set<BlobID> { try await base.blobsInUse() }

  func updates() -> WalkDiaryUpdates {
    switch defect {
    case .tellsWrongPet:
      WalkDiaryUpdates {
        let (stream, continuation) = AsyncStream.makeStream(of: WalkDiaryChange.self)
        continuation.yield(WalkDiaryChange(everything: true))
        continuation.yield(WalkDiaryChange(pets: [Pet.ID(rawValue: "1")]))
        return stream
      }
    case .startsUpdatesLate:
      WalkDiaryUpdates {
        let (stream, continuation) = AsyncStream.makeStream(of: WalkDiaryChange.self)
        continuation.yield(WalkDiaryChange(pets: [Pet.ID(rawValue: "2")]))
        return stream
      }
    default: base.updates()
    }
  }
}

private struct DefectiveBlobs: BlobStore {
  let base = InMemoryBlobStore()
  let defect: DefectiveWalks.Defect?

  func put(_ bytes: [UInt8]) async throws -> BlobLease { try await base.put(bytes) }

  func bytes(of id: BlobID) async throws -> [UInt8]? {
    guard defect == .cutsBlobs else { return try await base.bytes(of: id) }
    return try await base.bytes(of: id).map { Array($0.prefix(65_536)) }
  }

  func contains(_ id: BlobID) async throws -> Bool { try await base.contains(id) }

  func remove(_ id: BlobID) async throws { try await base.remove(id) }

  @discardableResult
  func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    try await base.sweep(keeping: defect == .sweepsAll ? [] : ids)
  }
}
