import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import TestSupport
import Testing

@Suite("Detecting what a portal no longer has", .heavy)
struct SyncDeletionTests {
  static let sweeps: [DeletionPolicy] = [.bySnapshot, .byKeys]

  // S29 of Docs/old-apps.md
  @Test("a sweep removes exactly the deleted rows", arguments: sweeps)
  func exactly(deletion: DeletionPolicy) async throws {
    let portal = PortalFixture(stones: 60)
    try await portal.refresh(deletion: deletion, pageSize: 10)
    portal.server.delete("3", "30", "60")
    portal.server.update("4", ["mass": 44])
    let report = try await portal.refresh(deletion: deletion, pageSize: 10)
    #expect(report.removed == 3)
    #expect(report.updated == 1)
    #expect(try await portal.masses() == portal.portalMasses)
    if deletion == .byKeys {
      let selections = Set(portal.server.requests.suffix(7).compactMap { $0[parameter: "$select"] })
      #expect(selections == [":id, id"])
    }
  }

  // S29 of Docs/old-apps.md
  @Test("the old app's policy without deletions removes nothing")
  func never() async throws {
    let portal = PortalFixture(stones: 60)
    try await portal.refresh(deletion: .never)
    portal.server.delete("3")
    #expect(try await portal.refresh(deletion: .never).removed == 0)
    #expect(try await portal.masses().count == 60)
  }

  // S29 of Docs/old-apps.md
  @Test("an incomplete sweep removes nothing", arguments: sweeps)
  func incomplete(deletion: DeletionPolicy) async throws {
    for request in Sample.of(1...8, inDebug: 4) {
      let portal = PortalFixture(stones: 60)
      try await portal.refresh(deletion: deletion, pageSize: 10)
      portal.server.delete("3", "30", "60")
      portal.server.forgetRequests()
      portal.server.faults.append(.drop(), onRequest: request)
      let error = await portal.failure(of: try portal.source(deletion: deletion, pageSize: 10))
      if error != nil { #expect(try await portal.masses().count == 60) }
      portal.server.faults.removeAll()
      try await portal.refresh(deletion: deletion, pageSize: 10)
      #expect(try await portal.masses() == portal.portalMasses)
    }
  }

  // S30 of Docs/old-apps.md
  @Test(
    "no rows are removed if more would vanish than allowed, unless it is permitted",
    arguments: sweeps)
  func guarded(deletion: DeletionPolicy) async throws {
    let portal = PortalFixture(stones: 60)
    try await portal.refresh(deletion: deletion, pageSize: 10)
    portal.server.delete { (PortalFixture.text($0["id"]).flatMap { Int($0) } ?? 0) > 40 }
    let error = await portal.failure(of: try portal.source(deletion: deletion, pageSize: 10))
    #expect(error?.code == .snapshotRefused)
    #expect(error?.message.contains("20 of 60") == true)
    #expect(try await portal.masses().count == 60)
    let allowed = portal.catalog(
      try portal.source(deletion: deletion, pageSize: 10),
      guardedBy: SnapshotGuard(maximumRemovedFraction: 0.4))
    #expect(try await allowed.refresh(.now).removed == 20)
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S31 of Docs/old-apps.md
  @Test("an empty response doesn't empty the store", arguments: sweeps + [.never])
  func emptied(deletion: DeletionPolicy) async throws {
    let portal = PortalFixture(stones: 60)
    try await portal.refresh(deletion: deletion, pageSize: 10)
    portal.server.delete { _ in true }
    let error = await portal.failure(of: try portal.source(deletion: deletion, pageSize: 10))
    #expect(error?.code == (deletion == .never ? nil : .snapshotRefused))
    #expect(try await portal.masses().count == 60)
  }

  // S32 of Docs/old-apps.md
  @Test(
    "a row that is deleted and restored with the same ID and a new :id stays",
    arguments: sweeps)
  func recreated(deletion: DeletionPolicy) async throws {
    let portal = PortalFixture(stones: 60)
    try await portal.refresh(deletion: deletion, pageSize: 10)
    portal.pass(10)
    portal.server.delete("5")
    portal.server.insert([PortalFixture.stone(5, mass: 55)])
    let report = try await portal.refresh(deletion: deletion, pageSize: 10)
    #expect(report.updated == 1)
    #expect(report.removed == 0)
    #expect(try await portal.masses() == portal.portalMasses)
  }

  // S33 of Docs/old-apps.md
  @Test("a full replacement with new :ids and the same IDs is no change", arguments: sweeps)
  func replaced(deletion: DeletionPolicy) async throws {
    let portal = PortalFixture(stones: 60)
    try await portal.refresh(deletion: deletion, pageSize: 10)
    portal.pass(60)
    portal.server.replaceAll(portal.server.rows)
    let before = try await portal.store.snapshot()
    let report = try await portal.refresh(deletion: deletion, pageSize: 10)
    #expect(report.rows == 60)
    #expect(report.unchanged == 60)
    #expect(report.added + report.updated + report.removed == 0)
    #expect(try await portal.store.snapshot().changedIDs(since: before.revision)?.isEmpty == true)
  }

  // S33 of Docs/old-apps.md
  @Test("a replacement during a run loses nothing", arguments: sweeps)
  func replacedMeanwhile(deletion: DeletionPolicy) async throws {
    for request in Sample.of(2...12, 4) {
      let portal = PortalFixture(stones: 60)
      try await portal.refresh(deletion: deletion, pageSize: 10)
      portal.pass(60)
      portal.server.update(where: { _ in true }, ["mass": 3])
      portal.server.forgetRequests()
      let server = portal.server
      server.onRequest = { number, _ in
        if number == request { server.replaceAll(server.rows.dropLast()) }
      }
      try await portal.refresh(deletion: deletion, pageSize: 10)
      server.onRequest = nil
      #expect(try await portal.masses().count >= 59)
      try await portal.refresh(deletion: deletion, pageSize: 10)
      #expect(try await portal.masses() == portal.portalMasses, "at request \(request)")
    }
  }

  // S34 of Docs/old-apps.md
  @Test("the last changed one of rows with the same ID is used, and that is reported")
  func duplicates() async throws {
    // In one page, and on two.
    for pageSize in [100, 10] {
      let portal = PortalFixture(stones: 40)
      portal.pass(60)
      portal.server.insert([PortalFixture.stone(2, mass: 22), PortalFixture.stone(39, mass: 39)])
      portal.pass(60)
      portal.server.insert([PortalFixture.stone(2, mass: 222)])
      let report = try await portal.refresh(pageSize: pageSize)
      let masses = try await portal.masses()
      #expect(masses.count == 40)
      #expect(masses["2"] == 222)
      #expect(masses["39"] == 39)
      #expect(report.notices.map(\.code) == [.repeatedIDs])
      #expect(report.notices.first?.message.contains("3 rows") == true)
    }
  }

  // S35 of Docs/old-apps.md
  @Test(
    "a thousand rows instead of tens of thousands are rejected, and the store is unchanged",
    .timeLimit(.minutes(60)))
  func trap() async throws {
    let portal = PortalFixture(stones: Sample.rounds(45_716, 5_716, inDebug: 3_716))
    try await portal.refresh(deletion: .bySnapshot, pageSize: 20_000)
    let before = try await portal.store.snapshot()
    let server = portal.server
    server.delete { (PortalFixture.text($0["id"]).flatMap { Int($0) } ?? 0) > 1_000 }
    for deletion in Self.sweeps {
      let error = await portal.failure(of: try portal.source(deletion: deletion, pageSize: 20_000))
      #expect(error?.code == .snapshotRefused)
      #expect(Array(try await portal.store.snapshot()) == Array(before))
    }
  }
}
