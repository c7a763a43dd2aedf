import FieldCore
import FieldTesting
import Foundation
import WalkKit

extension WalkProbe {
  func emptyAtFirst() async throws {
    try requireEqual(try await pets(), [], "the list of pets")
    try requireEqual(try await ids(), [], "the history")
    try requireEqual(try await stored.places(), [], "the list of places")
    try requireEqual(try await stored.selectedPet(), nil, "the choice")
    try requireEqual(try await stored.blobsInUse(), [], "the set of blobs in use")
    let walk = try await stored.walk(Walk.ID(rawValue: "none"))
    try requireEqual(walk, nil, "a walk of no id")
  }

  func petRoundTrip() async throws {
    let bare = pet("bare")
    let photo = WalkPhoto(
      id: .init(rawValue: "ph/1"), takenAt: Self.noon,
      coordinate: try Coordinate(latitude: -0.0, longitude: 359.5), blob: BlobID(of: [1, 2]),
      url: URL(string: "https://example.org/a%20b?c=%ED%91%B8"))
    let full = Pet(
      id: Pet.ID(rawValue: "a/b c"), name: "콩 / 🐶", breed: Breed("진돗개"), gender: .female,
      birth: try CalendarDay("2020-02-29"), weight: .kilograms(4.35), photo: photo,
      isArchived: true, registered: Self.noon + 1)
    try await stored.add(bare)
    try await stored.add(full)
    try requireEqual(try await pets(), [bare, full], "the list of pets")
  }

  func petOrder() async throws {
    for (id, day) in [("d", 1.0), ("a", 2), ("c", 0), ("b", 1)] {
      try await stored.add(pet(id, day: day))
    }
    try await stored.updatePet(Pet.ID(rawValue: "c")) { $0.name = "zz" }
    try requireEqual(
      try await pets().map(\.id.rawValue), ["c", "b", "d", "a"], "the order of pets")
  }

  func petName() async throws {
    try await stored.add(pet("1", name: "Café Olé"))
    for name in ["Café Olé", "CAFÉ OLÉ", "cafe\u{301} ole\u{301}", "Café  Olé"] {
      try await requireError(.nameTaken, "a second pet of the name \(name)") {
        try await stored.add(pet("2", name: name))
      }
    }
    try requireEqual(try await pets().count, 1, "the number of pets after refusals")
    try await stored.add(pet("3", name: "Cafe Ole"))
    try await stored.updatePet(Pet.ID(rawValue: "1")) { $0.isArchived = true }
    try await requireError(.nameTaken, "a pet of the name of an archived one") {
      try await stored.add(pet("2", name: "café olé"))
    }
    try await stored.removePet(Pet.ID(rawValue: "1"))
    try await stored.add(pet("2", name: "café olé"))
  }

  func petAddedTwice() async throws {
    try await add("1")
    try await add("1")
    try requireEqual(try await pets().count, 1, "the number of pets")
    try await requireError(.conflict, "another pet of the id") {
      try await stored.add(pet("1", name: "other"))
    }
    try requireEqual(try await requirePet("1").name, "name 1", "the name")
  }

  func petUpdate() async throws {
    try await add("1", "2")
    let before = try await requirePet("1")
    let after = try await stored.updatePet(before.id) { pet in
      pet.weight = .kilograms(7)
      pet.id = Pet.ID(rawValue: "2")
      pet.registered = .distantPast
    }
    var wanted = before
    wanted.weight = .kilograms(7)
    try requireEqual(after, wanted, "the pet that a change returns")
    try requireEqual(try await requirePet("1"), wanted, "the pet after a change")
    try requireEqual(try await requirePet("2"), pet("2"), "the other pet")
    try await requireError(.unknownPet, "a change of no pet") {
      try await stored.updatePet(Pet.ID(rawValue: "none")) { _ in }
    }
    try await requireError(.readOnly, "a change that throws") {
      try await stored.updatePet(before.id) { pet in
        pet.name = "half"
        throw FieldError(.readOnly, "on purpose")
      }
    }
    try requireEqual(try await requirePet("1"), wanted, "the pet after a change that threw")
  }

  func petRename() async throws {
    try await add("1", "2")
    try await requireError(.nameTaken, "taking another's name") {
      try await stored.updatePet(Pet.ID(rawValue: "1")) { $0.name = "NAME 2" }
    }
    try await stored.updatePet(Pet.ID(rawValue: "1")) { $0.name = "NAME 1" }
    try requireEqual(try await requirePet("1").name, "NAME 1", "the name")
  }

  func petNameRace() async throws {
    let wins = try await Race.run { number, _ in
      do {
        try await stored.add(pet("\(number)", name: number.isMultiple(of: 2) ? "a" : "A"))
        return true
      } catch let error as FieldError where error.code == .nameTaken {
        return false
      }
    }.count(where: \.self)
    try requireEqual(wins, 1, "the number of pets that got the name")
    try requireEqual(try await pets().count, 1, "the number of pets")
  }

  func petUpdateRace() async throws {
    try await stored.add(pet("1"))
    _ = try await Race.run { _, race in
      try await stored.updatePet(Pet.ID(rawValue: "1")) { pet in
        race.holdUntilAnotherChange()
        pet.weight = .kilograms((pet.weight?.kilograms ?? 0) + 1)
      }
    }
    try requireEqual(try await requirePet("1").weight, .kilograms(50), "the sum of fifty changes")
  }

  func petRemoval() async throws {
    try await add("1", "2")
    for (id, pets) in [("own", ["1"]), ("shared", ["1", "2"]), ("other", ["2"])] {
      var walk = walk(id, of: pets)
      walk.notes = [WalkNote(.poo, time: Self.noon, pet: Pet.ID(rawValue: "1"))]
      if id == "other" { walk.notes = [] }
      try await stored.save(walk)
    }
    try await stored.select(Pet.ID(rawValue: "1"))
    let wasThere = try await stored.removePet(Pet.ID(rawValue: "1"))
    try require(wasThere, "removing a pet reports that it didn't exist")
    let isThere = try await stored.removePet(Pet.ID(rawValue: "1"))
    try require(!isThere, "removing a pet again reports that it existed")
    try requireEqual(try await pets().map(\.id.rawValue), ["2"], "the pets that are left")
    try requireEqual(Set(try await ids()), ["shared", "other"], "the walks that are left")
    let shared = try await requireWalk("shared")
    try requireEqual(shared.pets.map(\.pet.rawValue), ["2"], "the pets of the shared walk")
    try requireEqual(shared.notes.map(\.pet), [nil], "the pets of the notes of the shared walk")
    try requireEqual(try await ids(of: "1"), [], "the history of the removed pet")
    try requireEqual(try await stored.selectedPet(), nil, "the choice")
  }
}
