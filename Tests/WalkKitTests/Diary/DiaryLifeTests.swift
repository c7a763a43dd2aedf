import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@testable import WalkKit

/// A diary's long life by chance, beside a naive model of it: two diaries on one storage take turns, and
/// are opened anew.
@Suite("The life of a diary", .timeLimit(.minutes(60)), .heavy)
struct DiaryLifeTests {
  /// What there should be.
  private struct Model {
    var pets: [Pet] = []
    var walks: [Walk.ID: Walk] = [:]
    var places: [Place] = []
    var selected: Pet.ID?
    /// The bytes of what the records refer to.
    var bytes: [BlobID: [UInt8]] = [:]

    var active: [Pet] { pets.filter { !$0.isArchived } }

    func isTaken(_ name: String, besides id: Pet.ID? = nil) -> Bool {
      pets.contains { $0.id != id && $0.nameKey == Pet.nameKey(of: name) }
    }

    mutating func delete(_ id: Pet.ID) {
      pets.removeAll { $0.id == id }
      for (key, walk) in walks where walk.includes(id) {
        var walk = walk
        walk.pets.removeAll { $0.pet == id }
        for place in walk.notes.indices where walk.notes[place].pet == id {
          walk.notes[place].pet = nil
        }
        walks[key] = walk.pets.isEmpty ? nil : walk
      }
      if selected == id { selected = nil }
    }
  }

  private static let names = ["mesh", "Mesh ", "토리", "a/b", "é", "e\u{301}", "x  y", "X y", "z"]

  @Test(
    "a diary matches its model, whatever is done in whatever order",
    arguments: Sample.of([1, 2, 3] as [UInt64], 1), [true, false])
  func life(seed: UInt64, isInFiles: Bool) async throws {
    var chance = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let storage: Storage = isInFiles ? .directory(folder.url) : .inMemory
    var benches = (0..<2).map { DiaryBench(storage: storage, seed: seed * 10 + $0) }
    var opened: UInt64 = 2
    var model = Model()
    var hour = 0.0
    for step in 0..<Sample.rounds(600, 600, inDebug: 200) / (isInFiles ? 4 : 1) {
      let which = Int.random(in: 0..<2, using: &chance)
      for bench in benches { bench.clock.advance(by: .seconds(1)) }
      let bench = benches[which]
      let diary = bench.diary
      let pet = model.pets.randomElement(using: &chance)
      switch Int.random(in: 0..<16, using: &chance) {
      case 0, 1:
        let name = Self.names.randomElement(using: &chance) ?? ""
        let photo = Data([UInt8.random(in: 0..<8, using: &chance), 1])
        let found = await code {
          let pet = try await diary.register(DiaryBench.form(name, photo: photo))
          model.pets.append(pet)
          model.bytes[BlobID(of: [UInt8](photo))] = [UInt8](photo)
        }
        if let found {
          try #require(found == .nameTaken && model.isTaken(name), "seed \(seed), step \(step)")
        }
      case 2:
        guard let pet else { continue }
        let name = Self.names.randomElement(using: &chance) ?? ""
        let photo = Data([UInt8.random(in: 0..<8, using: &chance), 2])
        let found = await code {
          let changed = try await diary.update(
            pet.id, PetChanges(name: name, weight: .kilograms(12), photo: photo))
          let index = try #require(model.pets.firstIndex { $0.id == pet.id })
          try #require(!model.isTaken(name, besides: pet.id))
          model.pets[index].name = PetRules.trimmed(name)
          model.pets[index].weight = .kilograms(12)
          model.pets[index].photo = changed.photo
          model.bytes[BlobID(of: [UInt8](photo))] = [UInt8](photo)
        }
        if let found {
          try #require(
            found == .nameTaken && model.isTaken(name, besides: pet.id),
            "seed \(seed), step \(step)")
        }
      case 3:
        guard let pet else { continue }
        let index = try #require(model.pets.firstIndex { $0.id == pet.id })
        model.pets[index].isArchived.toggle()
        if pet.isArchived {
          try await diary.unarchive(pet.id)
        } else {
          try await diary.archive(pet.id)
        }
      case 4 where Int.random(in: 0..<3, using: &chance) == 0:
        guard let pet else { continue }
        try await diary.delete(pet.id)
        model.delete(pet.id)
      case 5...8:
        guard !model.pets.isEmpty else { continue }
        let along = model.pets.filter { _ in Bool.random(using: &chance) }
        guard !along.isEmpty else { continue }
        hour += Double(Int.random(in: -3...5, using: &chance))
        let photos = (0..<Int.random(in: 0...3, using: &chance)).map { _ in
          [UInt8.random(in: 0..<8, using: &chance), 3]
        }
        let walk = try await bench.save(
          "w\(Int.random(in: 0..<80, using: &chance))", of: along, hour: hour, photos: photos,
          points: Int.random(in: 0...4, using: &chance), reward: Bool.random(using: &chance))
        if model.walks[walk.id] == nil {
          model.walks[walk.id] = walk
          for photo in photos { model.bytes[BlobID(of: photo)] = photo }
        } else {
          try #require(model.walks[walk.id] == walk, "seed \(seed), step \(step)")
        }
      case 9:
        guard let walk = model.walks.values.sorted(by: Walk.isNewer).randomElement(using: &chance)
        else { continue }
        let note = WalkNote(.poo, text: "\(step)", time: walk.start, pet: walk.pets[0].pet)
        model.walks[walk.id]?.notes = [note]
        model.walks[walk.id]?.weather = .rain
        let changed = try await diary.update(walk.id, WalkChanges(weather: .rain, notes: [note]))
        try #require(changed == model.walks[walk.id], "seed \(seed), step \(step)")
      case 10:
        guard let walk = model.walks.values.sorted(by: Walk.isNewer).randomElement(using: &chance)
        else { continue }
        try await diary.delete(walk.id)
        model.walks[walk.id] = nil
      case 11:
        guard let walk = model.walks.values.sorted(by: Walk.isNewer).randomElement(using: &chance)
        else { continue }
        let isMine = try await diary.claimReward(of: walk.id)
        try #require(
          isMine == (walk.reward != nil && walk.reward?.claimed == nil),
          "seed \(seed), step \(step)")
        if isMine { model.walks[walk.id]?.reward?.claimed = bench.clock.now }
      case 12:
        let kind: Place.Kind = Bool.random(using: &chance) ? .home : .goal
        let place = try await diary.addPlace(
          "p\(step % 7)", kind: kind, at: Coordinate(latitude: 37, longitude: 127))
        if kind == .home { model.places.removeAll { $0.kind == .home } }
        model.places.append(place)
      case 13:
        guard var place = model.places.randomElement(using: &chance) else { continue }
        if Bool.random(using: &chance) {
          try await diary.delete(place.id)
          model.places.removeAll { $0.id == place.id }
        } else {
          place.name = "q\(step)"
          place.kind = Bool.random(using: &chance) ? .home : .goal
          try await diary.update(place)
          model.places.removeAll { $0.id == place.id || place.kind == .home && $0.kind == .home }
          model.places.append(place)
        }
      case 14:
        guard let pet else { continue }
        let found = await code { try await diary.select(pet.id) }
        try #require(found == (pet.isArchived ? .petArchived : nil))
        if found == nil { model.selected = pet.id }
      default:
        opened += 1
        benches[which] = DiaryBench(storage: storage, seed: seed * 1_000 + opened)
        benches[which].clock.advance(by: .seconds(step + 1))
        if isInFiles, Bool.random(using: &chance) { try await diary.close() }
      }
      let there = benches[1 - which].diary
      let context: Comment = "seed \(seed), step \(step), in files \(isInFiles)"
      let pets = try await there.pets(includingArchived: true)
      try #require(
        pets.sorted { $0.id.rawValue < $1.id.rawValue }
          == model.pets.sorted { $0.id.rawValue < $1.id.rawValue }, context)
      let walks = model.walks.values.sorted(by: Walk.isNewer)
      try #require(try await there.allWalks() == walks, context)
      try #require(
        try await there.places()
          == model.places.sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }, context)
      let active = pets.filter { !$0.isArchived }
      try #require(
        try await there.selectedPet() == active.first { $0.id == model.selected } ?? active.first,
        context)
      if let pet = model.pets.randomElement(using: &chance) {
        let own = walks.filter { $0.includes(pet.id) }
        try #require(try await there.walks(of: pet.id, limit: 500).walks == own, context)
        try #require(
          try await there.pendingRewards(of: pet.id)
            == own.reversed().filter { $0.reward != nil && $0.reward?.claimed == nil }, context)
        try #require(
          try await there.portrait(of: pet.id)
            == pet.photo?.blob.flatMap { model.bytes[$0] }.map { Data($0) }, context)
        try #require(
          try await there.statistics(of: pet.id) == WalkStatistics(own, pet: pet.id), context)
      }
      if let walk = walks.randomElement(using: &chance) {
        for await photo in there.photos(of: walk) {
          let wanted = try #require(photo.photo.blob.flatMap { model.bytes[$0] })
          try #require(try photo.data.get() == Data(wanted), context)
        }
        _ = try await there.route(of: walk.id)
      }
    }
    // What is brought to another diary is all that there is.
    let diary = benches[0].diary
    let archive = try WalkArchive(reading: try await diary.archive().json())
    #expect(archive.problems.isEmpty)
    let other = DiaryBench(seed: 99).diary
    _ = try await other.add(archive)
    #expect(try await other.allWalks() == diary.allWalks())
    #expect(
      try await other.pets(includingArchived: true) == diary.pets(includingArchived: true))
    #expect(try await other.places() == diary.places())
    let again = try await other.add(archive)
    #expect(again.added.isEmpty)
    // And as a document of the old app, twice.
    let old = try WalkImport(reading: try await diary.export().json(), clock: benches[0].clock)
    let third = DiaryBench(seed: 98).diary
    let additions = try await third.add(old)
    #expect(additions.added.walks.count == model.walks.count)
    #expect(additions.added.pets.count == model.pets.count)
    #expect(try await third.add(old).added.isEmpty)
    #expect(try await diary.add(old).added.isEmpty)
  }
}
