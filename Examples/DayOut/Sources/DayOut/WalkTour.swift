import FieldFakes
import FieldKit
import Foundation

/// The walks: a pet, a walk that the end of the app cuts off, a goal, a reward, and the statistics.
struct WalkTour {
  let storage: Storage
  let language: TextLanguage

  func run(page: inout HTMLPage) async throws {
    // 2020-02-14 19:18 in Seoul, when the old app's screen was taken.
    let clock = ManualClock(now: Date(timeIntervalSince1970: 1_581_675_480))
    let diary = diary(clock)
    let tori = try await register(diary)
    let goal = try await diary.addPlace(
      "서울숲", at: Coordinate(latitude: 37.5437985, longitude: 127.0556436))
    try await diary.addPlace(
      "home", kind: .home, at: Coordinate(latitude: 37.5452335, longitude: 127.0571024))
    try await begin(diary, tori, clock)
    let again = self.diary(clock)
    let walk = try await finish(again, clock)
    try await look(again, walk, tori)
    let route = try await again.route(of: walk.id)
    page.heading("The walk")
    page.figure(
      RouteMap(route: route, goal: goal).svg,
      caption: """
        \(tori.name) went \(walk.distance) to \(goal.name), \(route.segments.count) segments with a \
        pause and a quit of the app between them; no line is drawn across.
        """)
    try await again.close()
  }

  private func diary(_ clock: ManualClock) -> WalkDiary {
    WalkDiary(
      storage: storage, transport: URLSessionTransport(), clock: clock,
      rules: PetRules(required: [.name, .breed]))
  }

  private func register(_ diary: WalkDiary) async throws -> Pet {
    let form = PetRegistration(
      name: "토리", breed: Breed("시츄"), gender: .male, birth: "2999-01-31", weight: "abc")
    do {
      try await diary.register(form)
    } catch let error as FieldError {
      say("a form with two errors: \(error.problems.joined(separator: "; "))")
    }
    let pet = try await diary.register(
      PetRegistration(
        name: "토리", breed: Breed("시츄"), gender: .male, birth: "2020-01-31", weight: "3.3"))
    print(
      "  registered \(pet.name), \(language.text(WalkTexts.name(of: pet.breed))), \(pet.weight?.description ?? "")"
    )
    return pet
  }

  /// Walks half of the way, with a pause, and then the app ends.
  private func begin(_ diary: WalkDiary, _ pet: Pet, _ clock: ManualClock) async throws {
    let walk = try await diary.start(
      pets: [pet.id], goal: .nearest(of: diary.places(.goal)))
    try await record(0..<30, walk, clock)
    try await walk.pause()
    clock.advance(by: .seconds(120))
    try await walk.resume()
    try await record(30..<50, walk, clock)
    print("  \(walk.current.figures.distance) walked, and the app ends")
    try await diary.close()
  }

  /// Restores the walk in the next diary, and walks on to the goal.
  private func finish(_ diary: WalkDiary, _ clock: ManualClock) async throws -> Walk {
    guard let unfinished = try await diary.unfinished().first else {
      throw FieldError(.damaged, "the walk is lost")
    }
    say("the next start finds a walk with \(unfinished.figures.pointCount) points")
    let walk = try await unfinished.resume()
    try await record(50..<100, walk, clock)
    return try await walk.finish(weather: .clear, dust: .good)
  }

  private func record(_ range: Range<Int>, _ walk: WalkRecorder, _ clock: ManualClock) async throws
  {
    for number in range {
      clock.advance(by: .seconds(3))
      await walk.record(
        LocationFix(coordinate: try Self.place(number), accuracy: .meters(6), time: clock.now))
    }
  }

  /// A hundred steps from home to the goal, not quite straight.
  private static func place(_ number: Int) throws -> Coordinate {
    let part = Double(number) / 99
    return try Coordinate(
      latitude: 37.5452335 - 0.001435 * part + 0.0003 * sin(part * 9) * (1 - part),
      longitude: 127.0571024 - 0.0014588 * part)
  }

  private func look(_ diary: WalkDiary, _ walk: Walk, _ pet: Pet) async throws {
    let time = WalkTexts.duration(walk.duration).string(in: language)
    say("\(WalkTexts.title(of: walk).string(in: language)): \(walk.distance), \(time)")
    for claim in 1...2 {
      let isMine = try await diary.claimReward(of: walk.id)
      print(
        "  claim \(claim): \(isMine ? WalkTexts.praise.string(in: language) : "claimed before")")
    }
    let figures = try await diary.statistics(of: pet.id)
    let streak = try await diary.streak(of: pet.id)
    let badges = try await diary.badges(of: pet.id)
    print(
      """
        \(figures.walkCount) walk, \(figures.distance), streak \(streak.current), \
      \(badges.count) badges\n
      """)
  }
}
