import FieldCore
import FieldFakes
import FieldXML
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A walk that wasn't recorded here, or that is edited", .timeLimit(.minutes(60)))
struct EditedWalkTests {
  private let bench = DiaryBench()

  /// A file of another app: two segments with a pause of 100 s, elevations, and times.
  private static let gpx = Data(
    """
    <gpx><trk><trkseg>
    <trkpt lat="37.5" lon="127"><ele>10</ele><time>2026-01-01T02:00:00Z</time></trkpt>
    <trkpt lat="37.501" lon="127"><ele>20</ele><time>2026-01-01T02:01:40Z</time></trkpt>
    </trkseg><trkseg>
    <trkpt lat="37.501" lon="127"><ele>20</ele><time>2026-01-01T02:03:20Z</time></trkpt>
    <trkpt lat="37.502" lon="127"><ele>26</ele><time>2026-01-01T02:05:00Z</time></trkpt>
    </trkseg></trk></gpx>
    """.utf8)

  private func track() throws -> WalkRoute {
    WalkRoute(tracks: try GPXDocument(data: Self.gpx).tracks)
  }

  private func mesh(in bench: DiaryBench? = nil) async throws -> Pet {
    try await (bench ?? self.bench).diary.register(DiaryBench.form("mesh"))
  }

  // MARK: Adding

  @Test("A walk of another app has its route with segments, times, and elevations")
  func adding() async throws {
    let pet = try await mesh()
    let walk = try await bench.diary.addWalk(pets: [pet.id], route: track(), weather: .clear)
    let start = Date(timeIntervalSince1970: 1_767_232_800)
    #expect((walk.start, walk.end) == (start, start + 300))
    #expect((walk.elapsed, walk.duration) == (.seconds(300), .seconds(200)))
    #expect(walk.movingTime == .seconds(200))
    #expect(abs(walk.distance.meters - 222) < 1)
    #expect(walk.climb == .meters(16))
    #expect(walk.weather == .clear)
    #expect(walk.pets.map(\.joined) == [start])
    #expect(try await bench.diary.walk(walk.id) == walk)
    #expect(try await bench.diary.route(of: walk.id) == track())
  }

  @Test("A walk of another app is added once, even if it has been trimmed or edited since")
  func addingAgain() async throws {
    let (pet, other) = (try await mesh(), try await bench.diary.register(DiaryBench.form("tori")))
    let walk = try await bench.diary.addWalk(pets: [pet.id], route: track())
    #expect(try await bench.diary.addWalk(pets: [other.id], route: track()) == walk)
    let edited = try await bench.diary.update(walk.id, WalkChanges(pets: [other.id]))
    let trimmed = try await bench.diary.trim(walk.id, to: walk.start...walk.start + 120)
    #expect(edited != walk && trimmed != edited)
    #expect(try await bench.diary.addWalk(pets: [pet.id], route: track()) == trimmed)
    #expect(try await bench.diary.allWalks() == [trimmed])
    try await bench.diary.delete(walk.id)
    #expect(try await bench.diary.addWalk(pets: [pet.id], route: track()) == walk)
  }

  @Test("A recorded walk that was exported isn't added a second time")
  func exported() async throws {
    let pet = try await mesh()
    let walk = try await bench.save("recorded", of: [pet], points: 40)
    let file = try await bench.diary.gpx(of: walk.id)
    let route = WalkRoute(tracks: try GPXDocument(data: file).tracks)
    #expect(try await bench.diary.addWalk(pets: [pet.id], route: route) == walk)
    #expect(try await bench.diary.allWalks().count == 1)
  }

  @Test("A walk is entered by hand, as often as the owner likes, and its values can be corrected")
  func byHand() async throws {
    let pet = try await mesh()
    let noon = DiaryBench.noon
    var ids: Set<Walk.ID> = []
    for _ in 0..<2 {
      let walk = try await bench.diary.addWalk(
        pets: [pet.id], start: noon, end: noon + 1_800, distance: .kilometers(1.5), dust: .good)
      #expect((walk.duration, walk.movingTime) == (.seconds(1_800), .seconds(1_800)))
      #expect((walk.distance, walk.hasRoute) == (.kilometers(1.5), false))
      ids.insert(walk.id)
    }
    #expect(ids.count == 2)
    let id = try #require(ids.first)
    let walk = try await bench.diary.update(
      id, WalkChanges(start: noon - 600, distance: .kilometers(2)))
    #expect((walk.start, walk.elapsed) == (noon - 600, .seconds(2_400)))
    #expect((walk.duration, walk.movingTime) == (.seconds(2_400), .seconds(2_400)))
    #expect((walk.distance, walk.pets.map(\.joined)) == (.kilometers(2), [noon - 600]))
  }

  @Test("A walk without a pet, a time, or an end after its start is refused, and nothing is stored")
  func refused() async throws {
    let pet = try await mesh()
    let noon = DiaryBench.noon
    var untimed = try track()
    for segment in untimed.segments.indices {
      for point in untimed.segments[segment].indices {
        untimed.segments[segment][point].time = nil
      }
    }
    let diary = bench.diary
    let (route, timeless) = (try track(), untimed)
    #expect(await code { try await diary.addWalk(pets: [], route: route) } == .invalidInput)
    #expect(
      await code { try await diary.addWalk(pets: [pet.id, pet.id], route: route) } == .invalidInput)
    #expect(await code { try await diary.addWalk(pets: ["who"], route: route) } == .unknownPet)
    #expect(
      await code { try await diary.addWalk(pets: [pet.id], route: timeless) } == .invalidInput)
    for end in [noon - 1, noon + 1e300, Date(timeIntervalSinceReferenceDate: .nan)] {
      #expect(
        await code { try await diary.addWalk(pets: [pet.id], start: noon, end: end) }
          == .invalidInput)
    }
    #expect(try await diary.allWalks().isEmpty)
    let walk = try await diary.addWalk(
      pets: [pet.id], route: timeless, start: noon, end: noon + 60)
    #expect(walk.duration == .seconds(60))
    #expect(
      await code { try await diary.trim(walk.id, to: noon...noon + 30) } == .invalidInput)
    #expect(
      await code { try await diary.update(walk.id, WalkChanges(distance: .zero)) } == .invalidInput)
    #expect(await code { try await diary.update(walk.id, WalkChanges(pets: [])) } == .invalidInput)
    #expect(
      await code { try await diary.update(walk.id, WalkChanges(end: noon - 1)) } == .invalidInput)
    #expect(try await diary.walk(walk.id) == walk)
  }

  @Test("A walk of another app whose dog stood still isn't as long as the receiver's noise")
  func noisy() async throws {
    let pet = try await mesh()
    var chance = SeededGenerator(seed: 5)
    let points = try (0..<360).map { number in
      try TrackSamples.point(
        Double(number * 5), north: .random(in: -5...5, using: &chance),
        east: .random(in: -5...5, using: &chance))
    }
    let route = WalkRoute(segments: [points])
    let walk = try await bench.diary.addWalk(pets: [pet.id], route: route)
    #expect(route.distance > .kilometers(1))
    #expect(walk.distance < .meters(20))
    let stored = try await bench.diary.route(of: walk.id)
    #expect(stored.pointCount == 360)
    let half = try await bench.diary.trim(walk.id, to: walk.start...walk.start + 900)
    #expect(half.distance < .meters(20))
  }

  // MARK: Editing

  @Test("The pets of a walk are exchanged, and those who stay keep their times")
  func pets() async throws {
    let (pet, other) = (try await mesh(), try await bench.diary.register(DiaryBench.form("tori")))
    let walk = try await bench.diary.addWalk(
      pets: [pet.id], start: DiaryBench.noon, end: DiaryBench.noon + 60,
      notes: [WalkNote(.pee, time: DiaryBench.noon, pet: pet.id)])
    let both = try await bench.diary.update(walk.id, WalkChanges(pets: [other.id, pet.id]))
    #expect(both.pets.map(\.pet) == [other.id, pet.id])
    #expect(try await bench.diary.allWalks(of: other.id) == [both])
    let one = try await bench.diary.update(walk.id, WalkChanges(pets: [other.id]))
    #expect(one.notes.map(\.pet) == [nil])
    #expect(try await bench.diary.allWalks(of: pet.id).isEmpty)
    let diary = bench.diary
    #expect(
      await code { try await diary.update(walk.id, WalkChanges(pets: ["who"])) } == .unknownPet)
  }

  @Test(
    "Photos are added to a walk in the order in which they were taken, and removed with their bytes"
  )
  func photos() async throws {
    let pet = try await mesh()
    let walk = try await bench.save("w", of: [pet], photos: [[1], [2]])
    let place = try Coordinate(latitude: 37.5, longitude: 127)
    var changed = try await bench.diary.addPhoto(
      Data([3]), to: walk.id, takenAt: DiaryBench.noon + 0.5, at: place)
    changed = try await bench.diary.addPhoto(Data([4]), to: walk.id)
    var bytes: [Data] = []
    for photo in changed.photos { bytes.append(try await bench.diary.photo(photo)) }
    #expect(bytes == [Data([1]), Data([3]), Data([2]), Data([4])])
    #expect(changed.photos[1].coordinate == place)
    let removed = changed.photos[1]
    let left = try await bench.diary.removePhoto(removed.id, from: walk.id)
    #expect(left.photos == [changed.photos[0], changed.photos[2], changed.photos[3]])
    let diary = bench.diary
    #expect(await code { _ = try await diary.photo(removed) } == .blobMissing)
    #expect(await code { try await diary.removePhoto(removed.id, from: walk.id) } == .blobMissing)
    #expect(await code { try await diary.addPhoto(Data(), to: walk.id) } == .invalidInput)
    #expect(await code { try await diary.addPhoto(Data([1]), to: "who") } == .unknownWalk)
  }

  // MARK: Trimming

  /// A recorded walk with climbs and two pauses.
  private func record(_ seconds: some Sequence<Int>, pausing: Bool = true) async throws -> (
    Walk, WalkRoute
  ) {
    let bench = RecordingBench()
    let begin = bench.clock.now
    var walk: WalkRecorder?
    var last: Int?
    for second in seconds {
      let isPause = last.map { pausing && second - $0 > 1 } ?? false
      if isPause { try await walk?.pause() }
      bench.clock.advance(
        by: .seconds(begin.addingTimeInterval(Double(second)).timeIntervalSince(bench.clock.now)))
      if isPause { try await walk?.resume() }
      if walk == nil { walk = try await bench.start() }
      last = second
      let height = 20 + 10 * sin(Double(second) / 40)
      await walk?.record(
        bench.fix(Double(second) * 1.5, 40 * sin(Double(second) / 60), elevation: height))
    }
    let saved = try await walk?.finish()
    let done = try #require(saved)
    return (done, try #require(bench.diary.route(of: done.id)))
  }

  @Test(
    "A trimmed walk equals one that was recorded from the remaining fixes",
    arguments: [(60, 500), (0, 300), (150, 599), (250, 260), (0, 599)])
  func trimming(first: Int, last: Int) async throws {
    let seconds = Array(0..<200) + Array(240..<400) + Array(450..<600)
    let (whole, route) = try await record(seconds)
    let (wanted, wantedRoute) = try await record(seconds.filter { (first...last).contains($0) })
    let period = whole.start + Double(first)...whole.start + Double(last)
    let rest = try route.trimmed(to: period, of: whole)
    var trimmed = whole
    try trimmed.trim(to: period, from: route, to: rest)
    #expect(
      rest.segments.map { $0.map(\.coordinate) }
        == wantedRoute.segments.map { $0.map(\.coordinate) })
    #expect(abs(trimmed.distance.meters - wanted.distance.meters) < 1e-6)
    #expect(trimmed.climb == wanted.climb)
    #expect(trimmed.elapsed == wanted.elapsed)
    #expect(trimmed.duration == wanted.duration)
    #expect(trimmed.movingTime == wanted.movingTime)
    #expect(trimmed.start == whole.start + Double(first))
    #expect(trimmed.end.timeIntervalSince(trimmed.start) == wanted.elapsed / .seconds(1))
    #expect(trimmed.pets.map(\.joined) == [trimmed.start])
  }

  @Test("Trimming keeps photos, notes, the goal, and the reward, and is stored")
  func trimmed() async throws {
    let pet = try await mesh()
    let walk = try await bench.save("w", of: [pet], photos: [[1]], points: 100, reward: true)
    let trimmed = try await bench.diary.trim(walk.id, to: walk.start + 95...walk.start + 505)
    #expect(try await bench.diary.walk(walk.id) == trimmed)
    #expect((trimmed.start, trimmed.end) == (walk.start + 95, walk.start + 505))
    #expect((trimmed.photos, trimmed.reward) == (walk.photos, walk.reward))
    let route = try await bench.diary.route(of: walk.id)
    #expect(route.segments.map(\.count) == [41])
    #expect(try await bench.diary.trim(walk.id, to: .distantPast ... .distantFuture) == trimmed)
    let diary = bench.diary
    let before = walk.start - 10...walk.start - 5
    #expect(await code { try await diary.trim(walk.id, to: before) } == .invalidInput)
    #expect(await code { try await diary.trim("who", to: before) } == .unknownWalk)
  }

  @Test("A pet that was there only before or after the remaining time isn't on the trimmed walk")
  func trimmedPets() throws {
    let start = DiaryBench.noon
    var walk = Walk(
      id: "w",
      pets: [
        .init(pet: "a", joined: start), .init(pet: "b", joined: start, left: start + 50),
        .init(pet: "c", joined: start + 900),
      ], start: start, end: start + 1_000, utcOffset: .seoul)
    let empty = WalkRoute()
    try walk.trim(to: start + 100...start + 800, from: empty, to: empty)
    #expect(walk.pets == [.init(pet: "a", joined: start + 100)])
    #expect(walk.duration == .seconds(700))
  }
}
