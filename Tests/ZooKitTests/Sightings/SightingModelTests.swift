import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

/// Sightings against a model that is as simple as can be.
@Suite("Sightings over time", .heavy, .timeLimit(.minutes(60)))
struct SightingModelTests {
  private struct Entry: Equatable {
    var name: String
    var photo: Data
  }

  @Test(
    "sightings are what was added, edited, and removed, across restarts and invalid input",
    arguments: Sample.of([1, 2, 3, 4] as [UInt64], 1))
  func life(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    var zoo = Zoo.offline(.directory(folder.url), seed: seed)
    var model: [Int: Entry] = [:]
    var next = 0
    for step in 0..<150 {
      let what: Comment = "seed \(seed), step \(step)"
      let name = "名\(Int.random(in: 0..<50, using: &chance))"
      let photo = Photos.jpeg(Int.random(in: 0..<8, using: &chance))
      let some = try await zoo.sightings().randomElement(using: &chance)
      switch Int.random(in: 0..<10, using: &chance) {
      case 0..<4:
        let added = try await zoo.addSighting(name: "\u{3000}\(name) ", photo: photo)
        #expect(added.number == next, what)
        model[next] = Entry(name: name, photo: photo)
        next += 1
      case 4..<6:
        guard let some else { continue }
        let isPhoto = Bool.random(using: &chance)
        try await zoo.editSighting(
          some.id, name: isPhoto ? nil : name, photo: isPhoto ? photo : nil)
        if isPhoto { model[some.number]?.photo = photo } else { model[some.number]?.name = name }
      case 6..<8:
        guard let some else { continue }
        try await zoo.removeSighting(some.id)
        model[some.number] = nil
      case 8:
        await #expect(throws: FieldError.self, what) {
          try await zoo.addSighting(name: " ", photo: photo)
        }
      default:
        try await zoo.close()
        zoo = Zoo.offline(.directory(folder.url), seed: seed &* 1_000 &+ UInt64(step))
      }
      let listing = try await zoo.listing()
      #expect(listing.map(\.sequence) == model.keys.sorted(by: >), what)
      #expect(listing.nextNumber == next, what)
      #expect(listing.problems.isEmpty, what)
      for entry in listing {
        let found = Entry(name: entry.name, photo: try await zoo.image(for: entry).data)
        #expect(found == model[entry.sequence], what)
      }
    }
    // No photo is left that nobody refers to.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: "sightings.blobs").path)
    #expect(
      Set(names.filter { $0.count == 64 })
        == Set(model.values.map { BlobID(of: [UInt8]($0.photo)).hexadecimal }), "seed \(seed)")
    try await zoo.close()
  }
}
