import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import Testing

@Suite("What the old app did with a portal")
struct SODAChecklistTests {
  /// The old app's selection: what was seen to fall, from 2011 on.
  static func selection() throws -> SoQL {
    "fall = \("Fell") AND year >= \(try CalendarDay("2011-01-01"))"
  }

  // R1 of Docs/old-apps.md
  @Test("the first run requests the whole selection, a later one only changes since then")
  func increments() async throws {
    let portal = PortalFixture(stones: 20)
    portal.server.update(
      where: { ["3", "4"].contains(PortalFixture.text($0["id"])) },
      ["fall": "Fell", "year": "2012-01-01T00:00:00.000"])
    let catalog = portal.catalog(try portal.source(condition: Self.selection()))
    #expect(try await catalog.refresh(.now).rows == 2)
    let first = try #require(portal.server.requests.first?[parameter: "$where"])
    #expect(first.contains("2011-01-01") && !first.contains(":updated_at"))
    portal.pass(60)
    portal.server.update("3", ["mass": 3])
    portal.server.update("9", ["mass": 9])
    portal.server.forgetRequests()
    #expect(try await catalog.refresh(.now).rows == 1)
    let later = try #require(portal.server.requests.first?[parameter: "$where"])
    #expect(later.contains("2011-01-01") && later.contains(":updated_at"))
    #expect(try await portal.masses() == ["3": 3, "4": 10])
  }

  // R14 of Docs/old-apps.md
  @Test("removed rows are dropped by a full download, or by increments and a request for IDs")
  func deletions() async throws {
    for (deletion, asksForIDs) in [(DeletionPolicy.bySnapshot, false), (.byKeys, true)] {
      let portal = PortalFixture(stones: 40)
      try await portal.refresh(deletion: deletion)
      portal.server.delete("7")
      portal.server.forgetRequests()
      #expect(try await portal.refresh(deletion: deletion).removed == 1)
      let selections = portal.server.requests.compactMap { $0[parameter: "$select"] }
      #expect(selections.contains(":id, id") == asksForIDs)
      #expect(try await portal.masses() == portal.portalMasses)
    }
  }
}
