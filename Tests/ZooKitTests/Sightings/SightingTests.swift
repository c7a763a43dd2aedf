import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("A sighting", .timeLimit(.minutes(60)))
struct SightingTests {
  @Test("a sighting is stored with its name, photo, number, date, and place")
  func adding() async throws {
    let clock = ManualClock()
    let zoo = Zoo.offline(clock: clock)
    let place = try Coordinate(latitude: 24.9983, longitude: 121.5811)
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(), place: place)
    #expect(sighting.number == 0)
    #expect(sighting.name == "石虎")
    #expect(sighting.date == clock.now)
    #expect(sighting.place == place)
    #expect(sighting.photo?.format == .jpeg)
    #expect(sighting.photo?.byteCount == Photos.jpeg().count)
    #expect(try await zoo.sighting(sighting.id) == sighting)
    #expect(try await zoo.image(for: sighting).data == Photos.jpeg())
  }

  @Test(
    "a sighting has a trimmed name",
    arguments: [
      " 石虎 ", "\u{3000}石虎\u{3000}", "\t石虎\r\n", "\u{FEFF}石虎", "\u{200B}石虎\u{00A0}",
      "\u{2060}石虎\u{0}",
    ])
  func trimming(name: String) async throws {
    let zoo = Zoo.offline()
    #expect(try await zoo.addSighting(name: name, photo: Photos.jpeg()).name == "石虎")
  }

  @Test("a sighting keeps characters inside the name", arguments: ["黑 熊", "👩‍🔬", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "é\u{301}"])
  func keeping(name: String) async throws {
    let zoo = Zoo.offline()
    let stored = try await zoo.addSighting(name: name, photo: Photos.jpeg()).name
    #expect(Array(stored.unicodeScalars) == Array(name.unicodeScalars))
  }

  @Test(
    "a sighting is rejected without a visible name",
    arguments: [
      nil, "", " ", "\u{3000}\u{3000}", "\u{200B}", "\n\t", "\u{FEFF}", "\u{200E}", "\u{3164}",
    ])
  func blankName(name: String?) async throws {
    let zoo = Zoo.offline()
    let error = await #expect(throws: FieldError.self) {
      try await zoo.addSighting(name: name, photo: Photos.jpeg())
    }
    #expect(error?.code == .sightingRefused)
    #expect(error?.sightingProblems == [.nameMissing])
    #expect(try await zoo.sightings().isEmpty)
  }

  @Test("a sighting is rejected with an invalid or too large photo, or with too long a name")
  func badParts() async throws {
    let zoo = Zoo.offline(limits: SightingLimits(nameLength: 5, photoBytes: 1_000))
    let web = Data("<!DOCTYPE html><html></html>".utf8)
    let svg = Data("<svg xmlns='http://www.w3.org/2000/svg'></svg>".utf8)
    let large = Photos.jpeg() + Data(count: 1_000)
    for (name, photo, problems) in [
      ("石虎", Data("no photo".utf8), [.photoFormat]), ("石虎", web, [.photoFormat]),
      ("石虎", svg, [.photoFormat]), ("石虎", large, [.photoTooLarge]),
      ("石虎", Data(), [.photoMissing]), ("石虎", nil, [.photoMissing]),
      ("六個字的名字", Photos.jpeg(), [.nameTooLong]), ("六個字的名字", large, [.nameTooLong, .photoTooLarge]),
    ] as [(String, Data?, [SightingProblem])] {
      let error = await #expect(throws: FieldError.self) {
        try await zoo.addSighting(name: name, photo: photo)
      }
      #expect(error?.code == .sightingRefused)
      #expect(error?.sightingProblems == problems)
      #expect(error?.problems.count == problems.count)
    }
    #expect(try await zoo.listing().isEmpty)
    let first = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    #expect(first.number == 0, "a refusal takes no number")
    #expect(try await zoo.addSighting(name: "五個字名字", photo: Photos.jpeg()).number == 1)
  }

  @Test(
    "a sighting has a new number, even if the store has lost its checkpoint", arguments: [0, 1])
  func lostCheckpoint(number: Int) async throws {
    let store = InMemoryStore<Sighting>()
    let old = Sighting(id: "a", number: number, name: "石虎", photo: nil, date: Samples.noon)
    try await store.commit(Changes(upserting: [old]), checkpoint: nil, expecting: nil)
    let zoo = Zoo(
      sources: NoSource().sources, repository: InMemoryStore(), sightings: store,
      photos: InMemoryBlobStore(),
      pictures: AssetCache(storage: .inMemory, transport: StubbornTransport()))
    #expect(try await zoo.addSighting(name: "水獺", photo: Photos.jpeg()).number == number + 1)
  }

  @Test("a sighting with a photo of 100 MB is rejected, and nothing is written")
  func hugePhoto() async throws {
    let folder = try TemporaryFolder()
    let zoo = Zoo.offline(.directory(folder.url))
    let photo = Photos.jpeg() + Data(count: 100 << 20)
    let error = await #expect(throws: FieldError.self) {
      try await zoo.addSighting(name: "石虎", photo: photo)
    }
    #expect(error?.sightingProblems == [.photoTooLarge])
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
    #expect(!files.contains { $0.contains("blobs/") })
    try await zoo.close()
  }

  @Test("a sighting can be given another name or another photo, and keeps its number, ID, and date")
  func editing() async throws {
    for storage in [Storage.inMemory, .directory(try TemporaryFolder().url)] {
      let clock = ManualClock()
      let zoo = Zoo.offline(storage, clock: clock)
      let first = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(1))
      clock.advance(by: .seconds(60))
      let named = try await zoo.editSighting(first.id, name: " 雲豹 ")
      #expect(named.name == "雲豹")
      #expect(named.photo == first.photo)
      let shown = try await zoo.editSighting(first.id, photo: Photos.jpeg(2))
      #expect(shown.name == "雲豹")
      #expect((shown.id, shown.number, shown.date) == (first.id, first.number, first.date))
      #expect(try await zoo.image(for: shown).data == Photos.jpeg(2))
      #expect(try await zoo.sightings() == [shown])
      try await zoo.close()
    }
  }

  @Test("a sighting isn't changed by a rejected edit")
  func refusedEdit() async throws {
    let zoo = Zoo.offline()
    let first = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(1))
    for (name, photo) in [("  ", Photos.jpeg(2)), ("雲豹", Data("none".utf8))] {
      let error = await #expect(throws: FieldError.self) {
        try await zoo.editSighting(first.id, name: name, photo: photo)
      }
      #expect(error?.code == .sightingRefused)
    }
    #expect(try await zoo.sightings() == [first])
    #expect(try await zoo.image(for: first).data == Photos.jpeg(1))
  }

  @Test("a sighting that is removed is deleted with its photo, and its number is never reused")
  func removing() async throws {
    let folder = try TemporaryFolder()
    let zoo = Zoo.offline(.directory(folder.url))
    let blobs = folder.url.appending(path: "sightings.blobs")
    let numbers = try await (0..<3).asyncMap {
      try await zoo.addSighting(name: "石虎", photo: Photos.jpeg($0))
    }
    try await zoo.removeSighting(numbers[2].id)
    try await zoo.removeSighting(numbers[0].id)
    let names = try FileManager.default.contentsOfDirectory(atPath: blobs.path)
    #expect(names.filter { $0.count == 64 } == [numbers[1].photo?.blob.hexadecimal])
    try await zoo.close()
    let again = Zoo.offline(.directory(folder.url), seed: 2)
    #expect(try await again.addSighting(name: "雲豹", photo: Photos.jpeg(9)).number == 3)
    #expect(try await again.sightings().map(\.number) == [3, 1])
    for action in [
      { try await again.removeSighting(numbers[0].id) },
      { _ = try await again.editSighting(numbers[0].id, name: "石虎") },
    ] as [@Sendable () async throws -> Void] {
      let error = await #expect(throws: FieldError.self) { try await action() }
      #expect(error?.code == .sightingNotFound)
    }
    try await again.close()
  }

  @Test(
    "a sighting that is removed is deleted with its photo, even if its task is canceled meanwhile")
  func removingAndCancelling() async throws {
    let blobs = HookedBlobs()
    let zoo = Zoo.offline(photos: blobs)
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    // What a sweep of files does then.
    blobs.beforeSweeps { throw CancellationError() }
    try await zoo.removeSighting(sighting.id)
    #expect(try await !blobs.contains(BlobID(of: [UInt8](Photos.jpeg()))))
  }

  @Test("a sighting that is removed leaves the photo to another one that has the same")
  func sharedPhoto() async throws {
    for storage in [Storage.inMemory, .directory(try TemporaryFolder().url)] {
      let zoo = Zoo.offline(storage)
      let first = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
      let second = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
      #expect(first.id != second.id)
      try await zoo.removeSighting(first.id)
      #expect(try await zoo.image(for: second).data == Photos.jpeg())
      try await zoo.close()
    }
  }

  @Test("a sighting isn't lost with the zoo's data, and has a separate call to erase it")
  func erasing() async throws {
    let zoo = Zoo.offline()
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    try await zoo.eraseZooData()
    #expect(try await zoo.sightings() == [sighting])
    try await zoo.eraseSightings()
    #expect(try await zoo.sightings().isEmpty)
    await #expect(throws: FieldError.self) { try await zoo.image(for: sighting) }
    #expect(try await zoo.addSighting(name: "雲豹", photo: Photos.jpeg(1)).number == 1)
  }

  @Test("a sighting is erased with everything, and its number is never reused")
  func erasingAll() async throws {
    let zoo = Zoo.offline()
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    try await zoo.eraseAll()
    #expect(try await zoo.sightings().isEmpty)
    await #expect(throws: FieldError.self) { try await zoo.image(for: sighting) }
    #expect(try await zoo.addSighting(name: "雲豹", photo: Photos.jpeg(1)).number == 1)
  }

  @Test("a sighting never replaces another, even if both get the same random ID")
  func idCollision() async throws {
    let zoo = Zoo(sources: NoSource().sources, storage: .inMemory, random: { 7 })
    for number in 0..<3 {
      try await zoo.addSighting(name: "\(number)", photo: Photos.jpeg(number))
    }
    #expect(try await zoo.sightings().map(\.name) == ["2", "1", "0"])
  }

  @Test("a sighting isn't added if its task was canceled before")
  func cancellation() async throws {
    let zoo = Zoo.offline()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await zoo.listing().nextNumber == 0)
  }

  @Test("a sighting that is canceled, or edits a missing one, leaves no photo behind")
  func noOrphans() async throws {
    let blobs = HookedBlobs()
    let zoo = Zoo.offline(photos: blobs)
    await #expect(throws: FieldError.self) {
      try await zoo.editSighting(Sighting.ID(rawValue: "none"), photo: Photos.jpeg(1))
    }
    #expect(try await !blobs.contains(BlobID(of: [UInt8](Photos.jpeg(1)))))
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let adding = Task {
      for await _ in started {}
      try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(2))
    }
    blobs.afterPut { adding.cancel() }
    start.finish()
    await #expect(throws: CancellationError.self) { try await adding.value }
    #expect(try await !blobs.contains(BlobID(of: [UInt8](Photos.jpeg(2)))))
    // The number was not given away.
    #expect(try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(2)).number == 0)
  }

  @Test("a sighting held from before an edit or a removal has the current photo, or isn't found")
  func held() async throws {
    let zoo = Zoo.offline()
    let held = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(1))
    try await zoo.editSighting(held.id, photo: Photos.jpeg(2))
    #expect(try await zoo.image(for: held).data == Photos.jpeg(2))
    try await zoo.removeSighting(held.id)
    let error = await #expect(throws: FieldError.self) { try await zoo.image(for: held) }
    #expect(error?.code == .sightingNotFound)
  }
}

extension Sequence where Self: Sendable, Element: Sendable {
  /// The results of one call after another.
  func asyncMap<Result>(_ body: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
