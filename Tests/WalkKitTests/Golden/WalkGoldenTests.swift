import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("The walks' golden files", .timeLimit(.minutes(60)))
struct WalkGoldenTests {
  private static let golden = Golden("walks")
  private static let start = Date(timeIntervalSince1970: 1_767_236_400)
  /// When the unfinished walk was last written to.
  private static let end = start + 6_400
  private static let portrait = Data([0xFF, 0xD8, 0xFF, 0xE0, 1])
  private static let oldPhoto = Data([0xFF, 0xD8, 0xFF, 0xE0, 2])
  private static let oldDocument = """
    {"Pets": [{"key": "-M1", "name": "보리", "breed": "비글", "gender": "female", "birth": "2019-05-31",
      "profileURL": "https://photos.example/bori.jpg?alt=media&token=secret", "weight": 12.5,
      "walks": [
        {"key": "-W1", "date": "2020-02-14 19:18:00", "duration": "1201", "weather": "맑음",
          "dust": "보통", "images": ["https://photos.example/1.jpg"]},
        {"key": "-W2", "date": "", "duration": "17", "weather": "", "dust": "", "images": []}]}]}
    """

  // MARK: Writing

  /// Pets, places, a walk with everything, a deleted walk, an import, and a walk that goes on.
  static func write(to folder: URL) async throws {
    let clock = ManualClock(now: start)
    let diary = diary(folder, clock, photos)
    let mesh = try await diary.register(
      PetRegistration(
        name: "mesh", breed: .welshCorgi, gender: .male, birth: CalendarDay("2020-01-01"),
        weight: .kilograms(10), photo: portrait))
    let tori = try await diary.register(PetRegistration(name: "토리"))
    let gone = try await diary.register(PetRegistration(name: "gone"))
    try await diary.delete(gone.id)
    try await diary.select(tori.id)
    try await diary.addPlace("집", kind: .home, at: place(-10))
    let park = try await diary.addPlace("공원", at: place(20))
    let wrong = try await diary.addPlace("wrong", at: place(40))
    try await diary.delete(wrong.id)

    let walk = try await diary.start(pets: [mesh.id], goal: .nearest(of: diary.places(.goal)))
    try await record(walk, 0..<10, clock)
    try await walk.join(tori.id)
    try await walk.addNote("물", kind: .water, pet: tori.id)
    try await walk.pause()
    clock.advance(by: .seconds(60))
    try await walk.resume()
    try await walk.addPhoto([0xFF, 0xD8, 0xFF, 3])
    try await record(walk, 10..<21, clock)
    try await walk.leave(tori.id)
    let finished = try await walk.finish(
      weather: .clear, dust: .good,
      air: AirQuality(pm10: 31, pm25: 12, measuredAt: start, station: "강남구"))
    #expect(finished.goal == park)
    #expect(try await diary.claimReward(of: finished.id))

    clock.advance(by: .seconds(600))
    let short = try await diary.start(pets: [tori.id])
    try await record(short, 0..<3, clock)
    try await short.addPhoto([0xFF, 0xD8, 0xFF, 4])
    try await diary.delete(try await short.finish().id)

    let old = try WalkImport(reading: Data(oldDocument.utf8), clock: clock)
    let added = try await diary.add(old)
    #expect(added.problems.count == 1 && added.added.walks.count == 2)
    let dated = try #require(added.added.walks.first { !$0.photos.isEmpty })
    #expect(try await diary.photo(dated.photos[0]) == oldPhoto)

    clock.set(now: start + 6_000)
    let unfinished = try await diary.start(pets: [mesh.id, tori.id], goal: .place(park))
    try await record(unfinished, 0..<5, clock)
    try await unfinished.addPhoto([0xFF, 0xD8, 0xFF, 5])
    try await unfinished.addNote("쉬", kind: .pee, pet: mesh.id)
    try await unfinished.pause()
    clock.advance(by: .seconds(320))
    try await unfinished.resume()
    try await record(unfinished, 5..<10, clock)
    try await diary.close()
  }

  /// Latitudes to the north, ten meters and more apart.
  private static func place(_ number: Int) throws -> Coordinate {
    try Coordinate(latitude: 37.5 + Double(number) / 10_000, longitude: 127.0625)
  }

  private static func record(
    _ walk: WalkRecorder, _ numbers: Range<Int>, _ clock: ManualClock
  ) async throws {
    for number in numbers {
      clock.advance(by: .seconds(8))
      let result = await walk.record(
        LocationFix(
          coordinate: try place(number), accuracy: .meters(5.5), time: clock.now,
          elevation: 20.25 + Double(number)))
      guard case .accepted = result else {
        Issue.record("fix \(number): \(result)")
        return
      }
    }
  }

  static func diary(
    _ folder: URL, _ clock: ManualClock, _ transport: some Transport = StubTransport { _ in }
  ) -> WalkDiary {
    let chance = Lock(SeededGenerator(seed: 7))
    return WalkDiary(
      storage: .directory(folder, clock: clock), transport: transport, clock: clock,
      rules: PetRules(required: []),
      random: { chance.withLock { Double($0.next() >> 11) / Double(1 << 53) } })
  }

  /// The server of the old app's photos.
  private static var photos: StubTransport {
    StubTransport {
      $0.onRequest(
        where: { $0.url.host() == "photos.example" },
        respond: .bytes(
          [UInt8](oldPhoto), fields: ["ETag": "\"golden\"", "Content-Type": "image/jpeg"]))
    }
  }

  @Test("the walks' golden files are written", Golden.writing)
  func writing() async throws {
    try await Self.golden.replace { try await Self.write(to: $0) }
  }

  @Test("the walks' golden files are identical today", Golden.reading)
  func sameBytes() async throws {
    try await Self.golden.expectSame { try await Self.write(to: $0) }
  }

  // MARK: Reading

  @Test(
    "the walks' golden files have the pets with their portraits, and the places", Golden.reading)
  func pets() async throws {
    let folder = try Self.golden.copy()
    let diary = Self.diary(folder.url, ManualClock(now: Self.end))
    let report = try await diary.open()
    #expect(report.cuts.isEmpty && report.setAside.isEmpty)
    let pets = try await diary.pets()
    #expect(pets.map(\.name) == ["mesh", "토리", "보리"])
    #expect(pets[0].breed == .welshCorgi && pets[0].weight == .kilograms(10))
    #expect(pets[0].birth == (try CalendarDay("2020-01-01")) && pets[0].gender == .male)
    #expect(pets[0].registered == Self.start)
    #expect(try await diary.portrait(of: pets[0].id) == Self.portrait)
    #expect(pets[2].photo?.url?.host() == "photos.example")
    #expect(try await diary.selectedPet()?.name == "토리")
    #expect(try await diary.places().map(\.name) == ["공원", "집"])
    #expect(try await diary.places(.home).first?.coordinate == (try Self.place(-10)))
    try await diary.close()
  }

  @Test(
    "the walks' golden files have the walks with routes, photos, notes, and rewards", Golden.reading
  )
  func walks() async throws {
    let folder = try Self.golden.copy()
    let diary = Self.diary(folder.url, ManualClock(now: Self.end))
    let walks = try await diary.allWalks()
    #expect(walks.count == 3)
    let walk = walks[0]
    #expect(walk.start == Self.start && walk.end == Self.start + 228)
    #expect(walk.duration == .seconds(168) && walk.elapsed == .seconds(228))
    #expect(abs(walk.distance.meters - 211) < 1, "\(walk.distance)")
    #expect(walk.weather == .clear && walk.dust == .good && walk.air?.station == "강남구")
    #expect(walk.goal?.name == "공원" && walk.reward?.earned != nil)
    #expect(walk.reward?.claimed == Self.start + 228)
    #expect(try await !diary.claimReward(of: walk.id))
    #expect(walk.pets.map(\.left) == [nil, Self.start + 228])
    #expect(walk.notes.map(\.text) == ["물"] && walk.notes.map(\.kind) == [.water])
    #expect(walk.photos.map(\.takenAt) == [Self.start + 140])
    #expect(try await diary.photo(walk.photos[0]) == Data([0xFF, 0xD8, 0xFF, 3]))
    let route = try await diary.route(of: walk.id)
    #expect(route.segments.map(\.count) == [10, 11])
    #expect(route.segments[1].last?.coordinate == (try Self.place(20)))
    #expect(route.segments[1].last?.time == Self.start + 228)
    #expect(route.segments[1].last?.elevation == 40.25)
    #expect(route.segments[1].last?.accuracy == .meters(5.5))
    #expect(walks[1].weather == .clear && walks[1].duration == .seconds(1_201))
    #expect(walks[2].isUndated)
    try await diary.close()
  }

  @Test("the walks' golden files have the unfinished walk, which can be resumed", Golden.reading)
  func unfinished() async throws {
    let folder = try Self.golden.copy()
    let clock = ManualClock(now: Self.end + 100)
    let diary = Self.diary(folder.url, clock)
    let found = try await diary.unfinished()
    #expect(found.count == 1 && diary.unreadableWalks.isEmpty && diary.journalCuts.isEmpty)
    let unfinished = try #require(found.first)
    #expect(unfinished.start == Self.start + 6_000 && unfinished.wasRunning)
    #expect(unfinished.pets.count == 2 && unfinished.photoCount == 1)
    #expect(unfinished.notes.map(\.text) == ["쉬"])
    #expect(unfinished.elapsed == .seconds(400) && unfinished.duration == .seconds(80))
    #expect(unfinished.lastPoint?.coordinate == (try Self.place(9)))
    #expect(unfinished.goal != nil)
    let walk = try await unfinished.resume()
    clock.advance(by: .seconds(8))
    try await walk.addPhoto([0xFF, 0xD8, 0xFF, 6])
    let finished = try await walk.finish(weather: .rain)
    #expect(finished.photos.count == 2)
    #expect(try await diary.photo(finished.photos[0]) == Data([0xFF, 0xD8, 0xFF, 5]))
    #expect(try await diary.route(of: finished.id).segments.map(\.count) == [5, 5])
    #expect(try await diary.unfinished().isEmpty)
    try await diary.close()
  }

  @Test(
    "the walks' golden files have the fetched photo, and its validators for the next request",
    Golden.reading)
  func fetchedPhoto() async throws {
    let folder = try Self.golden.copy()
    let diary = Self.diary(folder.url, ManualClock(now: Self.end))
    let photo = try #require(try await diary.allWalks()[1].photos.first)
    #expect(photo.url?.absoluteString == "https://photos.example/1.jpg")
    #expect(try await diary.photo(photo) == Self.oldPhoto)
    try await diary.close()
    let transport = StubTransport { $0.onRequest(where: { _ in true }, respond: .status(304)) }
    let later = Self.diary(folder.url, ManualClock(now: Self.end + 8 * 86_400), transport)
    #expect(try await later.photo(photo) == Self.oldPhoto)
    #expect(transport.requests.map { $0.fields["If-None-Match"] } == ["\"golden\""])
    try await later.close()
  }
}
