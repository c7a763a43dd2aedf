import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import Testing

@Suite("Every version of SODA")
struct SODAVersionTests {
  static let flavors: [(FakeSODAServer.Flavor, SODAVersion)] = [
    (.soda20, .v2_0), (.soda21, .v2_1), (.soda30, .v3),
  ]

  @Test("every version of SODA is synced, changes and deletions included", arguments: flavors)
  func sync(flavor: FakeSODAServer.Flavor, version: SODAVersion) async throws {
    var options = FakeSODAServer.Options()
    options.flavor = flavor
    options.acceptedTokens = ["good"]
    let portal = PortalFixture(stones: 45, options: options)
    let catalog = portal.catalog(
      try portal.source(
        deletion: .byKeys, pageSize: 10, version: version, token: SODAToken("good"),
        condition: "fall = \("Found")"))
    try await catalog.refresh(.now)
    #expect(try await portal.masses() == portal.portalMasses)
    portal.pass(60)
    portal.server.update("7", ["mass": 0.5])
    portal.server.delete("8")
    let report = try await catalog.refresh(.now)
    #expect((report.updated, report.removed) == (1, 1))
    #expect(try await portal.masses() == portal.portalMasses)
    #expect(portal.server.requests.allSatisfy { $0.tokensInAddress.isEmpty })
    #expect(portal.server.requests.allSatisfy { $0.method == (version == .v3 ? .post : .get) })
  }

  @Test("every version of SODA returns the same counts, groups, and pages", arguments: flavors)
  func queries(flavor: FakeSODAServer.Flavor, version: SODAVersion) async throws {
    var options = FakeSODAServer.Options()
    options.flavor = flavor
    let portal = PortalFixture(stones: 45, options: options)
    portal.server.update(where: { _ in true }, ["recclass": "H5"])
    portal.server.insert([PortalFixture.stone(46)])
    let client = SODAClient(
      try portal.dataset(version), transport: portal.server, token: SODAToken("any"))
    #expect(try await client.count() == 46)
    #expect(try await client.count(where: "recclass = \("H5")") == 45)
    let query = SoQL.Query(
      select: "recclass, count(*) AS n", group: "recclass", order: "n DESC")
    var groups: [String: Int] = [:]
    for try await row in client.rows(query) {
      groups[row["recclass"]?.text ?? ""] = row["n"]?.integer
    }
    #expect(groups == ["H5": 45, "L6": 1])
    var ids: Set<String> = []
    for try await row in client.rows(SoQL.Query(select: "id, name"), pageSize: 7) {
      ids.insert(row["id"]?.text ?? "")
      #expect(row.cells.count == 2)
    }
    #expect(ids.count == 46)
  }

  @Test("SODA 3 without a token is rejected, with its own code")
  func tokenNeeded() async throws {
    var options = FakeSODAServer.Options()
    options.flavor = .soda30
    let portal = PortalFixture(stones: 5, options: options)
    #expect(await portal.failure(of: try portal.source(version: .v3))?.code == .sodaDenied)
  }
}
