import FieldCore
import FieldFakes
import Foundation
import Testing

@testable import WalkKit

@Suite("The diary's import and export", .timeLimit(.minutes(60)))
struct DiaryExchangeTests {
  private let bench = DiaryBench()
  private var diary: WalkDiary { bench.diary }

  private func old(_ text: String) throws -> WalkImport {
    try WalkImport(reading: Data(text.utf8), clock: bench.clock)
  }

  private let document = """
    {"Pets": [
      {"name": "mesh", "breed": "welshcorgi", "birth": "2020-01-01", "gender": "M", "weight": 10,
        "walks": [{"date": "", "duration": 3209, "images": []},
          {"date": "2020-02-14 19:18:00", "duration": "17", "weather": "맑음", "dust": "좋음"}]},
      {"name": "토리", "breed": "시츄", "weight": "33", "walks": []}]}
    """

  @Test("a diary adds an old document in one step, keeps undated walks, and duplicates nothing")
  func importing() async throws {
    let first = try await diary.add(try old(document))
    #expect(first.added.pets.map(\.name) == ["mesh", "토리"])
    #expect(first.added.walks.count == 2)
    #expect(first.problems.contains { $0.path.contains("date") })
    #expect(try await diary.walks().map(\.isUndated) == [false, true])
    let second = try await diary.add(try old(document))
    #expect(second.added.isEmpty)
    #expect(second.known == 4)
    #expect(try await diary.pets().count == 2)
  }

  @Test("a diary assigns walks of a pet whose name is taken to the pet that has the name")
  func sameName() async throws {
    let mesh = try await diary.register(DiaryBench.form("MESH"))
    let additions = try await diary.add(try old(document))
    #expect(additions.added.pets.map(\.name) == ["토리"])
    #expect(try await diary.walks(of: mesh.id).count == 2)
    #expect(try await diary.add(try old(document)).added.isEmpty)
    #expect(try await diary.pet(mesh.id) == mesh)
    try await diary.update(mesh.id, PetChanges(name: "other"))
    #expect(try await diary.add(try old(document)).added.isEmpty, "after a change of the name")
  }

  @Test(
    "a diary recognizes a document's pet only by its earlier assignment",
    arguments: [true, false])
  func renamedWithoutWalks(isAfterRestart: Bool) async throws {
    let tori = try await diary.register(DiaryBench.form("토리"))
    #expect(try await diary.add(try old(document)).added.pets.map(\.name) == ["mesh"])
    try await diary.update(tori.id, PetChanges(name: "두리"))
    let again = isAfterRestart ? DiaryBench(storage: bench.storage).diary : diary
    #expect(try await again.add(try old(document)).added.isEmpty)
    let later = #"{"name": "토리", "breed": "b", "walks": [{"date": "2021-01-01", "duration": 1}]}"#
    #expect(try await again.add(try old(later)).added.pets.isEmpty)
    #expect(try await again.walks(of: tori.id).count == 1)
    try await again.delete(tori.id)
    #expect(try await again.add(try old(document)).added.pets.map(\.name) == ["토리"])
  }

  @Test("a diary keeps two pets with one name separate, with their walks")
  func twins() async throws {
    let additions = try await diary.add(
      try old(
        """
        [{"key": "1", "name": "콩", "walks": [{"date": "2020-02-14 19:18:00", "duration": 1}]},
         {"key": "2", "name": "콩", "walks": [{"date": "2020-02-15 19:18:00", "duration": 1}]}]
        """))
    #expect(additions.added.pets.map(\.name) == ["콩", "콩 (2)"])
    #expect(additions.renamed == [additions.added.pets[1].id])
    for pet in additions.added.pets { #expect(try await diary.walks(of: pet.id).count == 1) }
  }

  @Test("a diary creates an archive that restores everything, including photos and routes")
  func archive() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    let walk = try await bench.save("w", of: [pet], photos: [[1], [2]], reward: true)
    try await diary.addPlace("home", kind: .home, at: Coordinate(latitude: 1, longitude: 2))
    let bytes = try await diary.archive().json()
    let other = DiaryBench().diary
    let additions = try await other.add(try WalkArchive(reading: bytes))
    #expect(additions.problems.isEmpty)
    #expect(try await other.pets() == [pet])
    #expect(try await other.walks().walks == [walk])
    #expect(try await other.places() == diary.places())
    #expect(try await other.photo(walk.photos[1]) == Data([2]))
    #expect(try await other.route(of: walk.id) == diary.route(of: walk.id))
    #expect(try await other.portrait(of: pet.id) == DiaryBench.jpeg)
    #expect(try await other.add(try WalkArchive(reading: bytes)).added.isEmpty)
  }

  @Test("a diary creates a complete archive, whatever is deleted at the same time")
  func archiveMeanwhile() async throws {
    let storage = Storage.inMemory
    let first = DiaryBench(storage: storage, seed: 1)
    let pet = try await first.diary.register(DiaryBench.form("a"))
    let gone = try await first.save("gone", of: [pet], photos: [[1]])
    let kept = try await first.save("kept", of: [pet], hour: 1, photos: [[2]])
    let asked = WatchedStore(storage.store(StoredWalks.storeName))
    let second = DiaryBench(storage: storage, records: asked, seed: 2)
    try await second.diary.open()
    // The walks are read first, and then the pets.
    asked.next(.beforeRead, skipping: 1) {
      do { try await first.diary.delete(gone.id) } catch { Issue.record(error) }
    }
    let archive = try await second.diary.archive()
    #expect(archive.walks == [kept])
    let there = Set(archive.attachments.map(\.id))
    #expect(there == [BlobID(of: [2]), kept.routeBlob, pet.photo?.blob])
  }

  @Test("a diary restores an archive without the pet whose record is damaged, and with all others")
  func archiveWithoutPet() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    let lost = try await diary.register(DiaryBench.form("b"))
    try await bench.save("both", of: [pet, lost])
    try await bench.save("lost", of: [lost], hour: 1)
    let text = String(decoding: try await diary.archive().json(), as: UTF8.self)
    let damaged = text.replacing("\"name\":\"b\"", with: "\"name\":7")
    #expect(damaged != text)
    let other = DiaryBench().diary
    let additions = try await other.add(try WalkArchive(reading: Data(damaged.utf8)))
    #expect(additions.added.pets == [pet])
    #expect(additions.known == 0)
    #expect(additions.problems.map(\.path) == ["pets[1].name", "walks[\"lost\"]"])
    #expect(try await other.walks().map(\.id.rawValue) == ["both"])
    #expect(try await other.walks().first?.pets.map(\.pet) == [pet.id])
  }

  @Test("a diary writes an old document that adds nothing when it is imported again")
  func exporting() async throws {
    try await diary.add(try old(document))
    let back = try WalkImport(reading: try await diary.export().json(), clock: bench.clock)
    #expect(try await diary.add(back).added.isEmpty)
    #expect(back.pets.map(\.name) == ["mesh", "토리"])
  }
}
