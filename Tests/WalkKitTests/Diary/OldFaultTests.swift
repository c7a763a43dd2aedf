import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@testable import WalkKit

/// What went wrong in the old app and must not here: section 4.5 of the research, as far as it is the
/// diary's.
@Suite("The diary does not repeat the old app's faults", .timeLimit(.minutes(60)))
struct DiaryOldFaultTests {
  private let bench = DiaryBench()
  private var diary: WalkDiary { bench.diary }

  // 4.5-1 of Docs/old-apps.md
  @Test("a repository's error becomes a typed error, and nothing crashes the app")
  func typedErrors() async throws {
    struct Failure: Error {}
    let broken = WatchedStore(InMemoryStore<WalkRecord>())
    let diary = DiaryBench(records: broken).diary
    try await diary.open()
    for _ in 0..<3 { broken.next(.beforeRead) { throw Failure() } }
    let error = await #expect(throws: FieldError.self) { try await diary.pets() }
    #expect(error?.underlying is Failure)
    #expect(await code { try await diary.register(DiaryBench.form("a")) } == .io)
    #expect(await code { _ = try await diary.selectedPet() } == .io)
  }

  // 4.5-2 of Docs/old-apps.md
  @Test("a rejected registration stores no photo and touches no other pet's")
  func refusedPhoto() async throws {
    let first = try await diary.register(DiaryBench.form("a"))
    let other = Data([9, 9, 9])
    #expect(
      await code { try await diary.register(DiaryBench.form("A", photo: other)) } == .nameTaken)
    let blobs = try bench.storage.blobs(StoredWalks.storeName)
    #expect(try await blobs.contains(BlobID(of: [9, 9, 9])) == false)
    #expect(try await diary.portrait(of: first.id) == DiaryBench.jpeg)
  }

  // 4.5-2 of Docs/old-apps.md
  @Test("the losers of many concurrent registrations leave no photo behind")
  func refusedPhotosAtOnce() async throws {
    let diary = diary
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          _ = await code {
            try await diary.register(DiaryBench.form("a", photo: Data([UInt8(number)])))
          }
        }
      }
    }
    let blobs = try bench.storage.blobs(StoredWalks.storeName)
    var stored = 0
    for number in 0..<20 where try await blobs.contains(BlobID(of: [UInt8(number)])) { stored += 1 }
    #expect(stored == 1)
  }

  // 4.5-3 of Docs/old-apps.md
  @Test("one of a hundred concurrent registrations of a name wins")
  func nameRace() async throws {
    let diary = diary
    let codes = await withTaskGroup(of: FieldError.Code?.self) { group in
      for number in 0..<100 {
        group.addTask {
          await code {
            try await diary.register(DiaryBench.form(number.isMultiple(of: 2) ? "콩" : " 콩 "))
          }
        }
      }
      return await group.reduce(into: [FieldError.Code?]()) { $0.append($1) }
    }
    #expect(codes.count { $0 == nil } == 1)
    #expect(codes.count { $0 == .nameTaken } == 99)
    #expect(try await diary.pets().count == 1)
  }

  // 4.5-3 of Docs/old-apps.md
  @Test("one of two independent diaries in one folder wins a name")
  func nameRaceOfTwo() async throws {
    let folder = try TemporaryFolder()
    let diaries = (0..<2).map {
      DiaryBench(storage: .directory(folder.url), seed: UInt64($0) * 77 + 5).diary
    }
    let wins = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<40 {
        group.addTask {
          await code { try await diaries[number % 2].register(DiaryBench.form("a")) } == nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(wins == 1)
    #expect(try await diaries[0].pets() == diaries[1].pets())
  }

  // 4.5-3 of Docs/old-apps.md
  @Test("a name may contain anything visible, and is never a path")
  func oddNames() async throws {
    for name in ["a/b", "../../etc", ".", "콩 🐶", "C:\\dog", "pet_mesh?alt=media"] {
      let pet = try await diary.register(DiaryBench.form(name))
      try await bench.save(name, of: [pet], photos: [Array(name.utf8)])
      let walk = try #require(try await diary.walks(of: pet.id).first)
      #expect(try await diary.photo(walk.photos[0]) == Data(name.utf8))
      let renamed = try await diary.update(pet.id, PetChanges(name: "\(name) 2"))
      #expect(try await diary.walks(of: renamed.id).count == 1)
    }
  }

  // 4.5-4 of Docs/old-apps.md
  @Test("a walk of a deleted pet ends in an error, and never waits")
  func unknownPet() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    try await diary.delete(pet.id)
    #expect(
      await code { try await bench.save("w", of: [pet], photos: [[1]]) } == .unknownPet)
    #expect(await code { _ = try await diary.start(pets: [pet.id]) } == .unknownPet)
    #expect(await code { _ = try await diary.start(pets: []) } == .invalidInput)
  }

  // 4.5-4 of Docs/old-apps.md
  @Test("a pet deleted during a walk is removed from it, if there is another")
  func deletedMeanwhile() async throws {
    let first = try await diary.register(DiaryBench.form("a"))
    let second = try await diary.register(DiaryBench.form("b"))
    let walk = try await bench.finished("w", of: [first, second])
    try await diary.delete(first.id)
    let saved = try await diary.core.save(walk)
    #expect(saved.pets.map(\.pet) == [second.id])
  }

  // 4.5-4 of Docs/old-apps.md
  @Test("a missing photo is reported in its place, and the others are returned")
  func missingPhoto() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    var walk = try await bench.save("w", of: [pet], photos: [[1], [2], [3]])
    walk.photos[1].blob = BlobID(of: [77])
    walk.photos.append(WalkPhoto(id: .init(rawValue: "nowhere")))
    var codes: [FieldError.Code?] = []
    for await photo in diary.photos(of: walk) {
      if case .failure(let error) = photo.data {
        codes.append(error.code)
      } else {
        codes.append(nil)
      }
    }
    #expect(codes == [nil, .blobMissing, nil, .blobMissing])
  }

  // 4.5-5 of Docs/old-apps.md
  @Test("photos keep the order in which they were taken, however long each takes")
  func photoOrder() async throws {
    let count = 12
    let flying = Lock((now: 0, most: 0))
    let transport = StubTransport { stubs in
      stubs.on("assets.fetch") { request in
        let number = Int(request.url.lastPathComponent) ?? 0
        flying.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        // The first ones take the longest.
        for _ in 0..<(count - number) * 20 { await Task.yield() }
        flying.withLock { $0.now -= 1 }
        return TransportResponse(
          status: 200, url: request.url, body: .bytes([0xFF, 0xD8, 0xFF, UInt8(number)]))
      }
    }
    let bench = DiaryBench(transport: transport)
    let photos = (0..<count).map {
      WalkPhoto(id: .init(rawValue: "\($0)"), url: address("https://example.org/photos/\($0)"))
    }
    var walk = try await bench.finished("w", of: []).walk
    walk.photos = photos
    var seen: [Int] = []
    for await photo in bench.diary.photos(of: walk) {
      #expect(photo.photo == photos[photo.index])
      seen.append(Int(try photo.data.get().last ?? 255))
    }
    #expect(seen == Array(0..<count))
    #expect(flying.withLock(\.most) <= WalkPhotos.width)
  }

  // 4.5-6 of Docs/old-apps.md
  @Test("opening one pet's history doesn't make another's fresh")
  func stalePerPet() async throws {
    let bench = DiaryBench()
    let first = try await bench.diary.register(DiaryBench.form("a"))
    let second = try await bench.diary.register(DiaryBench.form("b"))
    _ = try await bench.diary.walks(of: first.id)
    _ = try await bench.diary.walks(of: second.id)
    try await bench.save("1", of: [first, second])
    #expect(try await bench.diary.walks(of: first.id).count == 1)
    #expect(try await bench.diary.walks(of: second.id).count == 1)
    try await bench.diary.delete(Walk.ID(rawValue: "1"))
    #expect(try await bench.diary.walks(of: second.id).isEmpty)
    #expect(try await bench.diary.walks(of: first.id).isEmpty)
  }

  // 4.5-7 of Docs/old-apps.md
  @Test("a walk just saved has its ID, and observers are notified of a new pet")
  func ids() async throws {
    var updates = diary.updates().makeAsyncIterator()
    #expect(try await updates.next()?.everything == true)
    let pet = try await diary.register(DiaryBench.form("a"))
    #expect(try await updates.next()?.affects(pet.id) == true)
    let walk = try await bench.save("w", of: [pet])
    #expect(try await updates.next() == WalkDiaryChange(pets: [pet.id], walks: [walk.id]))
    #expect(try await diary.update(walk.id, WalkChanges(weather: .rain)).weather == .rain)
    #expect(try await updates.next()?.walks == [walk.id])
    #expect(try await diary.update(walk.id, WalkChanges(clearing: [.weather])).weather == nil)
  }

  // 4.5-10 of Docs/old-apps.md
  @Test("reward, route, and distance are stored with the walk")
  func storedReward() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    let id = try await bench.save("w", of: [pet], reward: true).id
    let walk = try #require(try await diary.walk(id))
    #expect(walk.reward?.claimed == nil)
    #expect(walk.reward != nil)
    #expect(walk.hasRoute)
    #expect(walk.distance == .meters(800))
  }

  // 4.5-11 of Docs/old-apps.md
  @Test("a history is newest first, in whatever order the walks were saved")
  func order() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    for hour in [3.0, 1, 5, 2, 4] { try await bench.save("w\(Int(hour))", of: [pet], hour: hour) }
    #expect(try await diary.walks().map(\.id.rawValue) == ["w5", "w4", "w3", "w2", "w1"])
    let page = try await diary.walks(of: pet.id, limit: 2)
    let next = try await diary.walks(of: pet.id, limit: 2, after: page.next)
    #expect(next.map(\.id.rawValue) == ["w3", "w2"])
    for limit in 4...6 {
      let page = try await diary.walks(of: pet.id, limit: limit)
      #expect(page.count == min(limit, 5))
      #expect((page.next == nil) == (limit > 4))
    }
  }

  // 4.5-12 of Docs/old-apps.md
  @Test(
    "a weight that isn't a positive number is rejected, with all other problems",
    arguments: ["abc", "0", "-3", "nan", "inf", "1e3", "0x10", "1,234.5", "200"])
  func weight(_ text: String) async throws {
    let form = PetRegistration(
      name: "a", breed: .poodle, gender: .male, birth: "tomorrow", weight: text)
    let error = await #expect(throws: FieldError.self) { try await diary.register(form) }
    #expect(error?.problems.count == 2, "\(error?.problems ?? [])")
  }

  // 4.5-12 of Docs/old-apps.md
  @Test("a weight in a form is parsed as people write it")
  func goodWeight() async throws {
    let form = PetRegistration(
      name: "a", breed: .poodle, gender: .male, birth: " 2020-01-01 ", weight: "4,5 kg")
    #expect(try await diary.register(form).weight == .kilograms(4.5))
  }

  // 4.5-13 of Docs/old-apps.md
  @Test("a birthday after today in the owner's zone is rejected")
  func birth() async throws {
    // It is noon in Seoul; twelve hours later the next day has begun there, and not in UTC.
    let tomorrow = try CalendarDay("2026-01-02")
    var form = try DiaryBench.form("a")
    form.birth = tomorrow
    let first = form
    #expect(await code { try await diary.register(first) } == .invalidInput)
    bench.clock.advance(by: .seconds(12 * 3_600))
    #expect(try await diary.register(first).birth == tomorrow)
    form = try DiaryBench.form("b")
    form.birth = try CalendarDay("1991-01-01")
    let old = form
    #expect(await code { try await diary.register(old) } == .invalidInput)
    form.birth = try CalendarDay("1991-01-02")
    try await diary.register(form)
  }

  // 4.5-14 of Docs/old-apps.md
  @Test("a photo is stored unchanged, up to a configurable size")
  func photoSize() async throws {
    let bench = DiaryBench(rules: PetRules(required: [], largestPhoto: 1_000))
    let large = Data(repeating: 7, count: 1_000)
    let pet = try await bench.diary.register(DiaryBench.form("a", photo: large))
    #expect(try await bench.diary.portrait(of: pet.id) == large)
    let larger = try DiaryBench.form("b", photo: large + [1])
    #expect(await code { try await bench.diary.register(larger) } == .invalidInput)
  }

  // 4.5-15 of Docs/old-apps.md
  @Test("deleting a pet or a walk removes its photos' bytes, and shared ones stay")
  func deletion() async throws {
    let first = try await diary.register(DiaryBench.form("a", photo: Data([1])))
    let second = try await diary.register(DiaryBench.form("b", photo: Data([2])))
    try await bench.save("own", of: [first], photos: [[3], [4]], points: 5)
    try await bench.save("shared", of: [first, second], photos: [[4], [5]], points: 7)
    let walk = try await bench.save("single", of: [second], photos: [[6], [5]], points: 9)
    try await diary.delete(first.id)
    let blobs = try bench.storage.blobs(StoredWalks.storeName)
    for (byte, isThere) in [(1, false), (2, true), (3, false), (4, true), (5, true), (6, true)] {
      #expect(try await blobs.contains(BlobID(of: [UInt8(byte)])) == isThere, "photo \(byte)")
    }
    #expect(try await diary.walks().map(\.id.rawValue).sorted() == ["shared", "single"])
    #expect(await code { _ = try await diary.route(of: Walk.ID(rawValue: "own")) } == .unknownWalk)
    #expect(try await diary.route(of: Walk.ID(rawValue: "shared")).pointCount == 7)
    try await diary.delete(walk.id)
    #expect(try await blobs.contains(BlobID(of: [6])) == false)
    #expect(try await blobs.contains(BlobID(of: [5])))
    #expect(await code { try await diary.delete(walk.id) } == .unknownWalk)
    #expect(await code { try await diary.delete(first.id) } == .unknownPet)
  }
}
