import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A walk through the diary", .timeLimit(.minutes(60)))
struct DiaryRecordingTests {
  private func fix(_ bench: DiaryBench, _ number: Int) throws -> LocationFix {
    LocationFix(
      coordinate: try Coordinate(latitude: 37.5 + Double(number) / 10_000, longitude: 127),
      accuracy: .meters(5), time: bench.clock.now)
  }

  /// Walks some hundred metres.
  private func walk(_ recorder: WalkRecorder, _ bench: DiaryBench, _ range: Range<Int>) async throws
  {
    for number in range {
      bench.clock.advance(by: .seconds(8))
      let result = await recorder.record(try fix(bench, number))
      guard case .accepted = result else {
        Issue.record("\(result)")
        return
      }
    }
  }

  @Test("a walk is saved without the bytes of missing or damaged photos, and can be archived")
  func lostPhotos() async throws {
    let folder = try TemporaryFolder()
    let bench = DiaryBench(storage: .directory(folder.url))
    let pet = try await bench.diary.register(DiaryBench.form("mesh"))
    let recorder = try await bench.diary.start(pets: [pet.id])
    for number in 1...3 { try await recorder.addPhoto([1, 2, UInt8(number)]) }
    let drafts = folder.url.appending(path: "walk-drafts.blobs")
    func draft(_ bytes: [UInt8]) -> URL {
      drafts.appending(path: BlobID(of: bytes).hexadecimal)
    }
    try Data([1, 2, 4]).write(to: draft([1, 2, 1]))
    try FileManager.default.removeItem(at: draft([1, 2, 2]))
    let walk = try await recorder.finish()
    #expect(walk.photos.count == 3)
    for photo in walk.photos.prefix(2) {
      #expect(await code { _ = try await bench.diary.photo(photo) } == .blobMissing)
    }
    #expect(try await bench.diary.photo(walk.photos[2]) == Data([1, 2, 3]))
    let archive = try WalkArchive(reading: try await bench.diary.archive().json())
    #expect(archive.problems.isEmpty)
    #expect(archive.walks == [walk])
    #expect(try await bench.diary.unfinished().isEmpty)
  }

  @Test("a walk through the diary goes from a registration to a route")
  func wholeWalk() async throws {
    let folder = try TemporaryFolder()
    let bench = DiaryBench(storage: .directory(folder.url))
    let pet = try await bench.diary.register(DiaryBench.form("mesh"))
    let park = try await bench.diary.addPlace(
      "공원", at: Coordinate(latitude: 37.502, longitude: 127))
    let recorder = try await bench.diary.start(
      pets: [pet.id], goal: .nearest(of: bench.diary.places()))
    try await walk(recorder, bench, 0..<10)
    try await recorder.pause()
    bench.clock.advance(by: .seconds(60))
    try await recorder.resume()
    try await recorder.addPhoto(DiaryBench.jpeg)
    try await walk(recorder, bench, 10..<21)
    let finished = try await recorder.finish(weather: .clear, dust: .good)
    #expect(finished.goal == park)
    #expect(finished.reward?.claimed == nil)
    #expect(finished.reward != nil)
    #expect(finished.photos.count == 1)
    let again = DiaryBench(storage: .directory(folder.url)).diary
    #expect(try await again.walks().walks == [finished])
    #expect(try await again.photo(finished.photos[0]) == DiaryBench.jpeg)
    let route = try await again.route(of: finished.id)
    #expect(route.segments.count == 2)
    #expect(abs(route.distance.meters - finished.distance.meters) < 0.5)
    let gpx = String(decoding: try await again.gpx(of: finished.id), as: UTF8.self)
    #expect(gpx.contains("mesh"))
    #expect(gpx.contains("clear"))
    #expect(try await again.unfinished().isEmpty)
    #expect(try await again.statistics(of: pet.id).walkCount == 1)
    #expect(try await again.streak(of: pet.id).current == 1)
    #expect(try await again.claimReward(of: finished.id))
  }

  // 4.5-15 of Docs/old-apps.md
  @Test("a walk that can't be saved keeps its draft and photos, and is saved at the next attempt")
  func failedSave() async throws {
    let storage = Storage.inMemory
    let flaky = WatchedStore(storage.store(StoredWalks.storeName))
    let bench = DiaryBench(storage: storage, records: flaky)
    let pet = try await bench.diary.register(DiaryBench.form("a", photo: nil))
    let recorder = try await bench.diary.start(pets: [pet.id])
    try await walk(recorder, bench, 0..<5)
    try await recorder.addPhoto([0xFF, 1])
    flaky.next(.beforeChange) { throw FieldError(.diskFull, "full") }
    #expect(await code { try await recorder.finish() } == .diskFull)
    #expect(try await bench.diary.walks().isEmpty)
    let saved = try await recorder.finish()
    #expect(try await bench.diary.walks().walks == [saved])
    #expect(try await bench.diary.photo(saved.photos[0]) == Data([0xFF, 1]))
  }

  @Test("a walk that is interrupted when the app quit is restored by the next diary")
  func recovery() async throws {
    let folder = try TemporaryFolder()
    let bench = DiaryBench(storage: .directory(folder.url))
    let pet = try await bench.diary.register(DiaryBench.form("a"))
    let recorder = try await bench.diary.start(pets: [pet.id])
    try await walk(recorder, bench, 0..<5)
    try await bench.diary.close()
    let again = DiaryBench(storage: .directory(folder.url)).diary
    let unfinished = try #require(try await again.unfinished().first)
    #expect(unfinished.id == recorder.id)
    let saved = try await unfinished.finish()
    #expect(saved.id == recorder.id)
    #expect(try await again.route(of: saved.id).pointCount == 5)
    #expect(try await again.unfinished().isEmpty)
  }

  @Test("a finished walk queries weather and air if nobody enters them, and continues without them")
  func conditions() async throws {
    struct Sky: WeatherSource {
      func weather(at place: Coordinate) async throws -> WeatherReport {
        WeatherReport(weather: .rain)
      }
    }
    struct Air: AirQualitySource {
      var fails: Bool
      func airQuality(at place: Coordinate) async throws -> AirQuality {
        if fails { throw FieldError(.offline, "no network") }
        return AirQuality(pm10: 160, pm25: 10)
      }
    }
    for fails in [false, true] {
      let bench = DiaryBench(conditions: WalkConditions(weather: Sky(), air: Air(fails: fails)))
      let pet = try await bench.diary.register(DiaryBench.form("a"))
      bench.clock.advance(by: .seconds(1_300))
      let walk = try await bench.save("w", of: [pet])
      #expect(walk.weather == .rain)
      #expect(walk.air == (fails ? nil : AirQuality(pm10: 160, pm25: 10)))
      #expect(walk.dust == (fails ? nil : .veryBad))
      bench.clock.advance(by: .seconds(10_000))
      let late = try await bench.save("late", of: [pet])
      #expect(late.weather == nil)
    }
  }

  @Test("a finished walk doesn't wait for a source that never responds")
  func silence() async throws {
    let forgotten = Forgotten()
    struct Silent: WeatherSource {
      let forgotten: Forgotten
      func weather(at place: Coordinate) async throws -> WeatherReport {
        // Does not even heed its cancellation.
        await withCheckedContinuation { forgotten.append($0) }
        return WeatherReport(weather: .rain)
      }
    }
    let bench = DiaryBench(conditions: WalkConditions(weather: Silent(forgotten: forgotten)))
    let pet = try await bench.diary.register(DiaryBench.form("a"))
    async let walk = bench.save("w", of: [pet])
    let patience = try await bench.clock.nextSleep()
    #expect(patience == .seconds(5))
    bench.clock.advance(by: patience)
    #expect(try await walk.weather == nil)
    forgotten.resume()
  }

  @Test("a walk rejects pets that are unknown, archived, or deleted")
  func joining() async throws {
    let bench = DiaryBench()
    let diary = bench.diary
    let mesh = try await diary.register(DiaryBench.form("mesh"))
    let tori = try await diary.register(DiaryBench.form("tori"))
    _ = try await diary.archive(tori.id)
    let walk = try await diary.start(pets: [mesh.id])
    #expect(await code { try await walk.join(Pet.ID(rawValue: "nobody")) } == .unknownPet)
    #expect(await code { try await walk.join(tori.id) } == .petArchived)
    #expect(walk.pets == [mesh.id])
    _ = try await diary.unarchive(tori.id)
    try await walk.join(tori.id)
    #expect(walk.pets == [mesh.id, tori.id])
  }
}

/// Waits that nobody ends until a test does.
private final class Forgotten: Sendable {
  private let state = Lock((waits: [CheckedContinuation<Void, Never>](), isOver: false))

  func append(_ wait: CheckedContinuation<Void, Never>) {
    let isOver = state.withLock { state in
      if !state.isOver { state.waits.append(wait) }
      return state.isOver
    }
    if isOver { wait.resume() }
  }

  func resume() {
    let waits = state.withLock { state in
      state.isOver = true
      return state.waits
    }
    for wait in waits { wait.resume() }
  }
}
