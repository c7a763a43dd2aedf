import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import Testing

@Suite("Syncing with replicas and caches")
struct SyncReplicaTests {
  // S36 of Docs/old-apps.md
  @Test("the response of an outdated replica isn't used, and requested again")
  func outOfDate() async throws {
    let portal = PortalFixture(stones: 25)
    portal.server.insert([PortalFixture.stone(26)])
    portal.server.replicas = [.behind(writes: 1), .behind(writes: 1), .current]
    try await portal.refresh(pageSize: 10)
    #expect(try await portal.masses() == portal.portalMasses)
    #expect(portal.clock.slept.count == 6)
  }

  // S36 of Docs/old-apps.md
  @Test("a sync is an error if every replica is outdated, and the position stays")
  func alwaysOutOfDate() async throws {
    let portal = PortalFixture(stones: 25)
    try await portal.refresh(pageSize: 10)
    let before = try await portal.store.snapshot()
    portal.server.insert([PortalFixture.stone(26)])
    portal.server.replicas = [.behind(writes: 1)]
    let error = await portal.failure(of: try portal.source(pageSize: 10))
    #expect(error?.code == .sodaStale)
    #expect(try await portal.store.snapshot().revision == before.revision)
    portal.server.replicas = [.current]
    try await portal.refresh(pageSize: 10)
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S37 of Docs/old-apps.md
  @Test("replicas of different age that all claim to be current lose and remove nothing")
  func alternating() async throws {
    for deletion in [DeletionPolicy.bySnapshot, .byKeys] {
      let portal = PortalFixture(stones: 60)
      try await portal.refresh(deletion: deletion, pageSize: 10, overlap: .seconds(3_600))
      portal.pass(60)
      portal.server.insert((61...75).map { PortalFixture.stone($0) })
      portal.server.replicas = [.current, .behind(writes: 1).lying]
      try await portal.refresh(deletion: deletion, pageSize: 10, overlap: .seconds(3_600))
      #expect(try await portal.masses().count >= 60)
      portal.server.replicas = [.behind(writes: 1).lying, .current]
      try await portal.refresh(deletion: deletion, pageSize: 10, overlap: .seconds(3_600))
      #expect(try await portal.masses().count >= 60)
      portal.server.replicas = [.current]
      try await portal.refresh(deletion: deletion, pageSize: 10, overlap: .seconds(3_600))
      #expect(try await portal.masses() == portal.portalMasses)
    }
  }

  // S38 of Docs/old-apps.md
  @Test("a status of 304 is no change, and confirms what is stored")
  func notModified() async throws {
    let portal = PortalFixture(stones: 25)
    try await portal.refresh(pageSize: 10)
    try await portal.refresh(pageSize: 10)
    let checked = try await portal.store.snapshot().checkpoint?.lastSuccess
    try await portal.clock.sleep(for: .seconds(500))
    portal.server.forgetRequests()
    let report = try await portal.refresh(pageSize: 10)
    #expect(portal.server.requestCount == 1)
    #expect(report.outcome == .notModified)
    #expect(report.unchanged == 25)
    let now = try await portal.store.snapshot().checkpoint?.lastSuccess
    #expect(try #require(now) > #require(checked))
    portal.pass(60)
    portal.server.insert([PortalFixture.stone(26)])
    #expect(try await portal.refresh(pageSize: 10).added == 1)
  }

  // S39 of Docs/old-apps.md
  @Test(
    "the exact entity tag is sent back, only for its URL and its reader",
    arguments: [FakeSODAServer.EntityTagStyle.strong, .gzipSuffix, .weak])
  func entityTags(style: FakeSODAServer.EntityTagStyle) async throws {
    var options = FakeSODAServer.Options()
    options.entityTag = style
    let portal = PortalFixture(stones: 25, options: options)
    try await portal.refresh(pageSize: 10)
    try await portal.refresh(pageSize: 10)
    let stored = try #require(try await portal.store.snapshot().checkpoint?.validators)
    let (address, validators) = try #require(stored.first)
    #expect(stored.count == 1)
    portal.server.forgetRequests()
    try await portal.refresh(pageSize: 10)
    let again = try #require(portal.server.requests.first)
    #expect(again.url.absoluteString == address)
    #expect(again.fields["If-None-Match"] == validators.entityTag)
    // Another page size is another address.
    portal.server.forgetRequests()
    try await portal.refresh(pageSize: 11)
    #expect(portal.server.requests.first?.fields["If-None-Match"] == nil)
    // Another reader has to see the rows again.
    var checkpoint = try #require(try await portal.store.snapshot().checkpoint)
    checkpoint.fingerprint = "another"
    try await portal.store.commit(Changes(), checkpoint: checkpoint, expecting: nil)
    portal.server.forgetRequests()
    try await portal.refresh(pageSize: 11)
    #expect(portal.server.requests.first?.fields["If-None-Match"] == nil)
  }
}
