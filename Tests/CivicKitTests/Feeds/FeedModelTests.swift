import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Feeds over time", .heavy, .timeLimit(.minutes(60)))
struct FeedModelTests {
  /// What anybody would write down of the activities.
  private struct Entry: Equatable {
    var title: String
    var isHidden = false
  }

  /// What the server has, and how it is.
  private struct Server: Sendable {
    var items: [Int: String] = [1: "a"]
    var version = 0
    var isDown = false
    var hasValidators = true

    var body: String {
      FeedFixture.rss(items.keys.sorted().map { FeedFixture.item($0, items[$0]) })
    }

    func answer(to request: TransportRequest) throws -> TransportResponse {
      if isDown { throw FieldError(.offline, "no network") }
      guard hasValidators else { return TransportResponse(status: 200, body: .text(body)) }
      let tag = "\"\(version)\""
      guard request.fields["If-None-Match"] != tag else {
        return TransportResponse(status: 304, fields: ["ETag": tag])
      }
      return TransportResponse(status: 200, fields: ["ETag": tag], body: .text(body))
    }
  }

  @Test(
    "feeds of two readers in one directory match a simple model over time",
    arguments: Sample.of([61, 62, 63] as [UInt64], 1))
  func life(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let clock = ManualClock(now: FeedFixture.now)
    let state = Lock(Server())
    let city = CityServer()
    city.answer(.activities) { request in try state.withLock { try $0.answer(to: request) } }
    func reader() -> CityFeeds {
      FeedFixture.feeds(
        city, storage: .directory(folder.url, durability: .deferred), clock: clock,
        feeds: [FeedFixture.activities])
    }
    var readers = [reader(), reader()]
    var paper: [String: Entry] = [:]
    for step in 0..<250 {
      let place = Int.random(in: 0..<2, using: &random)
      let feeds = readers[place]
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3:
        let number = Int.random(in: 1...12, using: &random)
        let title: String? = Int.random(in: 0..<3, using: &random) == 0 ? nil : "t\(step)"
        state.withLock { server in
          server.items[number] = title
          if server.items.isEmpty { server.items[number] = "t\(step)" }
          server.version += 1
        }
      case 4: state.withLock { $0.isDown.toggle() }
      case 5: state.withLock { $0.hasValidators.toggle() }
      case 6:
        try await feeds.close()
        readers[place] = reader()
      case 7 where step % 5 == 0:
        try await feeds.eraseAll()
        paper = [:]
      case 8...9:
        guard let id = paper.keys.sorted().randomElement(using: &random) else { continue }
        let isHidden = Bool.random(using: &random)
        paper[id]?.isHidden = isHidden
        let activity = CityActivity.ID(rawValue: id)
        try await isHidden ? feeds.hide(activity) : feeds.unhide(activity)
      default:
        // The clock of a device may go back.
        clock.set(
          now: clock.now.addingTimeInterval(Double(Int.random(in: -30...60, using: &random))))
        let server = state.withLock(\.self)
        let hasFailed: Bool
        do {
          hasFailed = try await feeds.visitActivities().failure != nil
        } catch is FieldError {
          hasFailed = true
          #expect(paper.isEmpty, "seed \(seed), step \(step)")
        }
        #expect(hasFailed == server.isDown, "seed \(seed), step \(step)")
        if !server.isDown {
          for (number, title) in server.items {
            paper["city.example.tw?s=\(number)", default: Entry(title: title)].title = title
          }
        }
      }
      let stored = try await readers[1 - place].storedActivities(includingHidden: true)
      let held = Dictionary(
        uniqueKeysWithValues: stored.map {
          ($0.id.rawValue, Entry(title: $0.title, isHidden: $0.isHidden))
        })
      try #require(held == paper, "seed \(seed), step \(step)")
    }
    for feeds in readers { try await feeds.close() }
  }
}
