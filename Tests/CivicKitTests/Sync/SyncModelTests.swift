import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("Random operations on a server and a directory", .timeLimit(.minutes(60)))
struct SyncModelTests {
  @Test(
    "random operations on a server and a directory match a naive model",
    arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func model(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let fixture = try CivicFixture(isFilled: false)
    var banners: [String: String] = [:]
    var links: [String: Set<String>] = [:]
    for step in 0..<120 {
      if Bool.random(using: &random) { fixture.clock.advance(by: .seconds(1)) }
      let id = "x\(Int.random(in: 0..<6, using: &random))"
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        try fixture.server.put("edm", #"{"edmId":"\#(id)","edmName":"n\#(step)"}"#)
        banners[id] = "n\(step)"
      case 2:
        fixture.server.delete("edm", key: id)
        banners[id] = nil
      case 3:
        let count = Int.random(in: 1...3, using: &random)
        let set = Set((0..<count).map { _ in "c\(Int.random(in: 0..<5, using: &random))" })
        try fixture.server.setLinks(
          "administrativeUnitInCategory", of: id,
          to: set.sorted().map { #"{"unitId":"\#(id)","categoryId":"\#($0)"}"# })
        links[id] = set
      case 4:
        // A sync that fails changes nothing.
        fixture.server.fail(.cut(after: 12), table: "mobileApp")
        await #expect(throws: FieldError.self) { try await fixture.directory.refresh() }
        fixture.server.fail(nil)
        continue
      default:
        try await fixture.directory.refresh()
        let view = try await fixture.directory.view()
        let found = Dictionary(uniqueKeysWithValues: view.banners.map { ($0.id.rawValue, $0.name) })
        #expect(found == banners, "seed \(seed), step \(step)")
        let sets = Dictionary(grouping: view.memberships, by: \.unitID.rawValue)
          .mapValues { Set($0.map(\.categoryID.rawValue)) }
        #expect(sets == links, "seed \(seed), step \(step)")
      }
    }
  }
}
