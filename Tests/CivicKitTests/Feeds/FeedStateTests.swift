import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

/// What the feeds remember, when others change it meanwhile and when the store takes nothing.
@Suite("The remembered state of a feed", .timeLimit(.minutes(60)))
struct FeedStateTests {
  private static let good = FeedFixture.rss(FeedFixture.item(1), FeedFixture.item(2))

  @Test("the state of a feed survives failures that the store couldn't record", arguments: [0, 60])
  func refusedNotes(seconds: Int) async throws {
    let storage = RefusingStorage()
    let server = CityServer(news: Self.good)
    let clock = ManualClock(now: FeedFixture.now)
    let feeds = FeedFixture.feeds(server, storage: Storage(storage), clock: clock)
    _ = try await feeds.visitNews()
    server.fail(.news, .offline)
    clock.advance(by: .seconds(seconds))
    storage.isRefusing.withLock { $0 = true }
    for _ in 0..<2 { #expect(try await feeds.visitNews().count == 2) }
    #expect(try await feeds.health()[0].lastSuccess == FeedFixture.now)
    #expect(try await feeds.health()[0].itemCount == 2)
    #expect(try await feeds.health()[0].failuresInARow == 2)
    // The store takes the third, with what it knew and with the two that it did not take.
    storage.isRefusing.withLock { $0 = false }
    let page = try await feeds.visitNews()
    #expect(page.count == 2)
    #expect(page.date == FeedFixture.now)
    #expect(page.failure?.code == .offline)
    let again = FeedFixture.feeds(server, storage: Storage(storage), clock: clock)
    let health = try await again.health()[0]
    #expect(health.lastSuccess == FeedFixture.now)
    #expect(health.itemCount == 2)
    #expect(health.failuresInARow == 3)
    #expect(health.lastFailure?.date == clock.now)
  }

  @Test("a feed that failed for one reader and was later read by another is healthy for both")
  func otherReader() async throws {
    let storage = RefusingStorage()
    let server = CityServer(news: Self.good)
    let clock = ManualClock(now: FeedFixture.now)
    let first = FeedFixture.feeds(server, storage: Storage(storage), clock: clock)
    let second = FeedFixture.feeds(server, storage: Storage(storage), clock: clock)
    _ = try await first.visitNews()
    server.fail(.news, .offline)
    storage.isRefusing.withLock { $0 = true }
    _ = try await first.visitNews()
    #expect(try await first.health()[0].isHealthy == false)
    storage.isRefusing.withLock { $0 = false }
    server.answer(.news, text: Self.good)
    clock.advance(by: .seconds(60))
    _ = try await second.visitNews()
    #expect(try await first.health()[0].isHealthy)
  }

  @Test("a feed that is erased during a confirmation stores nothing, and is next requested in full")
  func erasedMeanwhile() async throws {
    let gate = FeedGate()
    let server = CityServer()
    server.answer(.news) { request in
      guard request.fields["If-None-Match"] != nil else {
        return TransportResponse(status: 200, fields: ["ETag": "\"a\""], body: .text(Self.good))
      }
      await gate.pass()
      return TransportResponse(status: 304)
    }
    let feeds = FeedFixture.feeds(server)
    _ = try await feeds.visitNews()
    let visit = Task { try await feeds.visitNews() }
    try await eventually { server.requests.count == 2 }
    try await feeds.eraseAll()
    gate.open()
    let error = await #expect(throws: FieldError.self) { try await visit.value }
    #expect(error?.code == .conflict)
    #expect(try await feeds.storedNews().isEmpty)
    #expect(try await feeds.visitNews().count == 2)
    #expect(server.requests.map { $0.fields["If-None-Match"] } == [nil, "\"a\"", nil])
  }

  // C8 of Docs/old-apps.md
  @Test("a hidden item stays hidden when another feed sends it as well")
  func hiddenElsewhere() async throws {
    let server = CityServer(activities: FeedFixture.rss(FeedFixture.item(1)))
    server.answer(.news, text: FeedFixture.rss(FeedFixture.item(2)))
    let other = CityFeed(.activities, at: FeedFixture.news.address, id: "city.other")
    let feeds = FeedFixture.feeds(server, feeds: [other, FeedFixture.activities])
    let id = try #require(try await feeds.visitActivities().first { $0.title == "第1則" }?.id)
    try await feeds.hide(id)
    server.answer(.news, text: FeedFixture.rss(FeedFixture.item(1, "again"), FeedFixture.item(2)))
    #expect(try await feeds.visitActivities().map(\.title) == ["第2則"])
    #expect(try await feeds.visitActivities(includingHidden: true)[id: id]?.isHidden == true)
    try await feeds.unhide(id)
    #expect(try await feeds.visitActivities().count == 2)
  }

  struct Entry: Sendable {
    let title: String
    let link: String
    let guid: String?

    init(_ title: String, _ link: String, _ guid: String?) {
      (self.title, self.link, self.guid) = (title, link, guid)
    }

    var xml: String {
      let guid = guid.map { "<guid isPermaLink='false'>\($0)</guid>" } ?? ""
      return "<item><title>\(title)</title><link>https://a.tw/\(link)</link>\(guid)</item>"
    }
  }

  // C8 of Docs/old-apps.md
  @Test(
    "a hidden item stays hidden if its ID changes and its URL doesn't, and the reverse",
    arguments: [
      (Entry("a", "1", "g1"), Entry("a", "1", "g2")), (Entry("a", "1", nil), Entry("a", "1", "g1")),
      (Entry("a", "1", "g1"), Entry("a", "1", nil)), (Entry("a", "1", "g1"), Entry("b", "2", "g1")),
    ])
  func renamed(before: Entry, after: Entry) async throws {
    let other = Entry("o", "o", "go").xml
    let server = CityServer(
      activities: FeedFixture.rss(before.xml, other))
    let feeds = FeedFixture.feeds(server)
    let id = try #require(try await feeds.visitActivities().first { $0.title == before.title }?.id)
    try await feeds.hide(id)
    server.answer(
      .activities,
      text: FeedFixture.rss(after.xml, other))
    for _ in 0..<2 {
      #expect(try await feeds.visitActivities().map(\.title) == ["o"])
      let all = try await feeds.visitActivities(includingHidden: true)
      #expect(all.count == 2)
      #expect(all[id: id]?.title == after.title)
    }
  }

  @Test("an item under the URL of the front page isn't mistaken for the item that had it before")
  func frontPage() async throws {
    let server = CityServer(activities: FeedFixture.rss(Entry("a", "", "g1").xml))
    let feeds = FeedFixture.feeds(server)
    try await feeds.hide(try await feeds.visitActivities()[0].id)
    server.answer(
      .activities,
      text: FeedFixture.rss(Entry("b", "", "g2").xml, Entry("a", "", "g3").xml))
    #expect(try await feeds.visitActivities().map(\.title).sorted() == ["a", "b"])
    #expect(try await feeds.visitActivities(includingHidden: true).count == 3)
  }

  @Test("a feed with one ID for all items has them identified by their URLs")
  func oneID() async throws {
    let server = CityServer(
      news: FeedFixture.rss(Entry("a", "1", "same").xml, Entry("b", "2", "same").xml))
    let feeds = FeedFixture.feeds(server)
    #expect(try await feeds.visitNews().map(\.title) == ["a", "b"])
    #expect(try await feeds.refresh().unchanged == 2)
  }
}

/// A storage in memory whose stores can be made to take nothing, as those on a full disk.
private final class RefusingStorage: StorageProvider {
  let isRefusing = Lock(false)
  private let base = Storage.inMemory

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    RefusingStore(base: try base.records(name, of: type), storage: self)
  }

  func blobs(_ name: String) throws -> any BlobStore { try base.blobs(name) }

  private struct RefusingStore<Record: StoredRecord>: RecordStore {
    let base: any RecordStore<Record>
    let storage: RefusingStorage

    func snapshot() async throws -> Snapshot<Record> { try await base.snapshot() }

    func commit(
      _ changes: Changes<Record>, checkpoint: Checkpoint?, expecting: Revision?
    ) async throws -> Revision {
      if storage.isRefusing.withLock(\.self) { throw FieldError(.io, "the disk is full") }
      return try await base.commit(changes, checkpoint: checkpoint, expecting: expecting)
    }

    func updates() -> SnapshotUpdates<Record> { base.updates() }
  }
}
