import FieldCore
import FieldTesting
import Foundation
import WalkKit

extension WalkProbe {
  private func place(_ id: String, _ name: String, _ kind: Place.Kind = .goal) throws -> Place {
    Place(
      id: .init(rawValue: id), name: name, kind: kind,
      coordinate: try Coordinate(latitude: 37.5437985, longitude: 127.0556436))
  }

  func placeRoundTrip() async throws {
    let (park, river) = (try place("1", "공원"), try place("2", "강", Place.Kind(rawValue: "vet")))
    try await stored.save(park)
    try await stored.save(river)
    try requireEqual(try await stored.places(), [river, park], "the list of places")
    let other = try place("1", "a")
    try await stored.save(other)
    try requireEqual(try await stored.places(), [other, river], "the list after a change")
    let wasThere = try await stored.removePlace(other.id)
    let isThere = try await stored.removePlace(other.id)
    try require(wasThere && !isThere, "removing a place twice says \(wasThere), \(isThere)")
    try requireEqual(try await stored.places(), [river], "the list after a removal")
  }

  func onlyOneHome() async throws {
    for (id, kind) in [("1", Place.Kind.home), ("2", .goal), ("3", .home)] {
      try await stored.save(try place(id, id, kind))
    }
    try requireEqual(
      try await stored.places().map(\.id.rawValue), ["2", "3"], "the list of places")
  }

  func choice() async throws {
    try await add("1", "2")
    for id in ["1", "2", nil] {
      try await stored.select(id.map(Pet.ID.init(rawValue:)))
      try requireEqual(try await stored.selectedPet()?.rawValue, id, "the choice")
    }
  }

  func batch() async throws {
    try await add("1")
    try await stored.save(walk("old", of: ["1"]))
    var changed = walk("old", of: ["1"])
    changed.distance = .zero
    let new = WalkBatch(
      pets: [pet("2")], walks: [walk("new", of: ["2", "1"], hour: 1)],
      places: [try place("g", "강")])
    let added = try await stored.add(
      WalkBatch(
        pets: [pet("1", name: "renamed")] + new.pets, walks: [changed] + new.walks,
        places: new.places))
    try requireEqual(added, new, "what a batch reports as added")
    try requireEqual(try await pets(), [pet("1"), pet("2")], "the list of pets")
    try requireEqual(try await ids(), ["new", "old"], "the history")
    try requireEqual(
      try await requireWalk("old"), walk("old", of: ["1"]), "the walk that was there")
    let again = try await stored.add(new)
    try require(again.isEmpty, "the same batch adds something again")
  }

  func batchIsWhole() async throws {
    try await add("1")
    try await requireError(.nameTaken, "a batch with a name that is taken") {
      _ = try await stored.add(
        WalkBatch(pets: [pet("2"), pet("3", name: "NAME 1")], walks: [walk("w", of: ["2"])]))
    }
    try await requireError(.nameTaken, "a batch with one name twice") {
      _ = try await stored.add(
        WalkBatch(pets: [pet("2", name: "x"), pet("3", name: "X")]))
    }
    try await requireError(.unknownPet, "a batch with a walk of no pet") {
      _ = try await stored.add(
        WalkBatch(pets: [pet("2")], walks: [walk("w", of: ["2"]), walk("v", of: ["none"])]))
    }
    try requireEqual(try await pets().map(\.id.rawValue), ["1"], "the pets after refusals")
    try requireEqual(try await ids(), [], "the history after refusals")
  }

  func blobsInUse() async throws {
    func photo(_ byte: UInt8) -> WalkPhoto {
      WalkPhoto(id: .init(rawValue: "\(byte)"), blob: BlobID(of: [byte]))
    }
    var portrait = pet("1")
    portrait.photo = photo(1)
    try await stored.add(portrait)
    var first = walk("w", of: ["1"])
    first.photos = [photo(2), photo(3), WalkPhoto(id: .init(rawValue: "u"), url: nil)]
    first.routeBlob = BlobID(of: [4])
    try await stored.save(first)
    let seen = try await stored.blobsInUse()
    try requireEqual(
      seen, Set([1, 2, 3, 4].map { BlobID(of: [$0]) }),
      "the set of blobs in use, which is that of Pet.blobs and Walk.blobs")
    try requireEqual(try await requireWalk("w"), first, "the walk with its route")
    try await stored.removePet(portrait.id)
    try requireEqual(try await stored.blobsInUse(), [], "the set after a removal")
  }

  func blobRoundTrip() async throws {
    for bytes in [[], [0], [UInt8](repeating: 255, count: 100_000)] as [[UInt8]] {
      let lease = try await stored.blobs.put(bytes)
      try requireEqual(lease.id, BlobID(of: bytes), "the id of a blob")
      try requireEqual(try await stored.blobs.bytes(of: lease.id), bytes, "a blob")
      lease.end()
      try await stored.blobs.sweep(keeping: [lease.id])
      let isThere = try await stored.blobs.contains(lease.id)
      try require(isThere, "a blob in use is missing after the sweep")
      try await stored.blobs.claim([lease.id])
      try await stored.blobs.sweepUnclaimed(releasing: []) { [] }
      let isLeft = try await stored.blobs.contains(lease.id)
      try require(isLeft, "a claimed blob is missing after the sweep of unclaimed ones")
      try await stored.blobs.remove(lease.id)
      try requireEqual(try await stored.blobs.bytes(of: lease.id), nil, "a removed blob")
    }
  }

  func erasing() async throws {
    try await add("1")
    try await stored.save(walk("w", of: ["1"]))
    try await stored.save(try place("g", "강"))
    try await stored.select(Pet.ID(rawValue: "1"))
    try await stored.store.eraseAll()
    try await emptyAtFirst()
    try await stored.add(pet("2", name: "name 1"))
  }

  func updates() async throws {
    try await add("1", "2")
    let steps = stored.updates()
    var iterator = steps.makeAsyncIterator()
    let first = try await iterator.next()
    try require(
      first?.everything == true, "updates begin with \(first.map { "\($0)" } ?? "nothing")")
    try await stored.save(walk("w", of: ["2"]))
    let second = try await iterator.next()
    try require(
      second?.affects(Pet.ID(rawValue: "2")) == true,
      "a new walk doesn't affect its pet: \(second.map { "\($0)" } ?? "nothing")")
    if second?.everything == false {
      try require(second?.affects(Pet.ID(rawValue: "1")) == false, "a new walk affects another pet")
      try requireEqual(second?.walks, [Walk.ID(rawValue: "w")], "the set of new walks")
    }
    try await stored.removeWalk(Walk.ID(rawValue: "w"))
    let third = try await iterator.next()
    try require(
      third?.affects(Pet.ID(rawValue: "2")) == true, "a removed walk doesn't affect its pet")
  }

  func reopening() async throws {
    guard let reopen else { throw ConformanceMiss("this store can't be reopened") }
    try await add("1", "2")
    var saved = walk("w", of: ["2", "1"])
    let lease = try await stored.blobs.put([1, 2, 3])
    saved.routeBlob = lease.id
    saved.reward = WalkReward(of: saved.id, earned: Self.noon)
    try await stored.save(saved)
    lease.end()
    try await stored.updateWalk(saved.id) { $0.reward?.claimed = Self.noon + 1 }
    try await stored.save(try place("g", "강", .home))
    try await stored.select(Pet.ID(rawValue: "2"))
    try await stored.removePet(Pet.ID(rawValue: "1"))
    try await stored.store.close()
    let again = WalkProbe(try await reopen())
    saved.pets.removeAll { $0.pet.rawValue == "1" }
    saved.reward?.claimed = Self.noon + 1
    try requireEqual(try await again.pets(), [pet("2")], "the list of pets after opening again")
    try requireEqual(try await again.requireWalk("w"), saved, "the walk after opening again")
    try requireEqual(try await again.ids(of: "2"), ["w"], "the history after opening again")
    try requireEqual(
      try await again.stored.places(), [try place("g", "강", .home)], "the places")
    try requireEqual(
      try await again.stored.selectedPet(), Pet.ID(rawValue: "2"), "the choice")
    try requireEqual(try await again.stored.blobs.bytes(of: lease.id), [1, 2, 3], "the blob")
    try await again.stored.store.close()
    try await again.requireError(.closed, "the use after closing") {
      _ = try await again.stored.pets()
    }
  }
}
