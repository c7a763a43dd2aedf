import FieldFakes
import FieldKit
import Foundation

/// `day-out` without a command: a day in Taipei in about seventy lines.
///
/// Nothing in it is staged: requests go over HTTP, the server is really stopped, the processes that
/// record and send walks are really killed, and every number is computed and checked.
struct Story {
  let language: TextLanguage

  /// Saturday, 21 November 2026, 08:55 in Taipei.
  static let morning = Date(timeIntervalSince1970: 1_795_222_500)

  func run(writing file: URL) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "day-out-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let narrator = Narrator(language: language)
    narrator.begin(.title, .opening)
    let clock = ImmediateClock(now: Self.morning)
    let portal = try ZooTour.portal()
    let network = try await StoryNetwork(
      StoryServices(metro: StoryMetro.feed(clock), zoo: portal))
    let metro = StoryMetro(storage: .directory(folder), network: network, clock: clock)
    let zoo = StoryZoo(storage: .directory(folder), network: network)
    let walk = StoryWalk(folder: folder)
    let sync = StorySync(storage: .directory(folder))

    try await leaveHome(narrator, metro, zoo)
    try network.connect()
    try await metro.showTrains(narrator)
    let animals = try await zoo.visit(narrator)
    let points = try await walk.walk(narrator)
    try await StoryCloud().run(narrator)
    let stones = try await sync.run(narrator)
    await network.disconnect()

    narrator.chapter("22:00", .end, .endSentence)
    try await zoo.checkStored(narrator, animals: animals)
    try await walk.checkStored(narrator, points: points)
    try await sync.checkStored(narrator, count: stones)
    try narrator.page.write(to: file)
    print()
    narrator.say(.page, file.lastPathComponent)
    narrator.say(.commands)
  }

  private func leaveHome(
    _ narrator: Narrator, _ metro: StoryMetro, _ zoo: StoryZoo
  ) async throws {
    narrator.chapter("08:40", .leaving, .leavingSentence)
    try await metro.failOffline(narrator)
    try metro.planRoute(narrator)
    try await zoo.noteSighting(narrator)
    narrator.compare(
      narrator.text(.refused), naive: narrator.text(.spinner),
      fieldKit: narrator.text(.routeAndSighting))
  }
}
