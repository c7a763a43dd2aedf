import FieldKit
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Damage that opening cut off", .timeLimit(.minutes(60)))
struct DamageTests {
  private let folder: TemporaryFolder
  private let clock = ManualClock()

  init() throws { folder = try TemporaryFolder() }

  private func field() -> Field {
    Field(
      storage: .directory(folder.url), transport: StubTransport { FieldTests.sources(&$0) },
      clock: clock)
  }

  /// Commits to all stores at least twice, and damages the last commit of some.
  private func damage(_ stores: String...) async throws {
    let field = field()
    for name in ["a", "b"] {
      for await _ in field.refreshAll(.now) {}
      try await field.walks.addPlace(name, at: Coordinate(latitude: 25, longitude: 121))
      clock.advance(by: .seconds(60))
    }
    try await field.close()
    for store in stores {
      let file = folder.url.appending(path: "\(store).store")
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count - 3] ^= 0xFF
      try bytes.write(to: file)
    }
  }

  /// The number of notices of damage in a report.
  private func count(_ report: RefreshReport) -> Int {
    report.notices.count { $0.code == .damaged }
  }

  /// Expects the damage in each view and update of a kit until a refresh has reported it.
  private func expectDamage<View: StoreView>(
    of kit: some Kit, in view: () async throws -> View, _ updates: () -> ViewUpdates<View>
  ) async throws {
    for _ in 1...2 {
      #expect(try await view().damage.count == 1, "\(kit.name)")
      var updates = updates().makeAsyncIterator()
      #expect(try await updates.next()?.damage.count == 1, "\(kit.name)")
    }
    #expect(count(try await kit.refresh(.now)) == 1, "\(kit.name)")
    #expect(try await view().damage.isEmpty, "\(kit.name)")
    var updates = updates().makeAsyncIterator()
    #expect(try await updates.next()?.damage.isEmpty == true, "\(kit.name)")
    #expect(count(try await kit.refresh(.now)) == 0, "\(kit.name)")
  }

  @Test("damage that opening cut off is in every view and update until a refresh has reported it")
  func views() async throws {
    try await damage("zoo", "meteorites", "civic-feeds")
    let field = field()
    try await expectDamage(of: field.zoo) {
      try await field.zoo.view()
    } _: {
      field.zoo.updates()
    }
    try await expectDamage(of: field.meteorites) {
      try await field.meteorites.view()
    } _: {
      field.meteorites.updates()
    }
    try await expectDamage(of: field.civic) {
      try await field.civic.view()
    } _: {
      field.civic.updates()
    }
    try await field.close()
  }

  @Test("damage that opening cut off is in every board until a refresh has reported it")
  func boards() async throws {
    try await damage("metro")
    let metro = field().metro
    var updates = metro.updates().makeAsyncIterator()
    #expect(await updates.next()?.damage.count == 1)
    #expect(try await metro.board().damage.count == 1)
    var boards = metro.boards(every: .seconds(15)).makeAsyncIterator()
    for _ in 1...2 {
      let board = try #require(await boards.next())
      #expect(board.arrivals.count == 1 && board.damage.count == 1)
    }
    // It may join the poll, whose own report nobody has read.
    #expect(count(try await metro.refresh(.now)) == 1)
    #expect(try await metro.board().damage.isEmpty)
    updates = metro.updates().makeAsyncIterator()
    #expect(await updates.next()?.damage.isEmpty == true)
    try await metro.close()
  }

  @Test(
    "damage that opening cut off is in a diary without a server, until a refresh has reported it")
  func diary() async throws {
    try await damage("walks")
    let walks = field().walks
    for _ in 1...2 { #expect(try await walks.damage.count == 1) }
    #expect(try await walks.places().map(\.name) == ["a"])
    #expect(count(try await walks.refresh()) == 1)
    #expect(try await walks.damage.isEmpty)
    #expect(count(try await walks.refresh()) == 0)
    try await walks.close()
  }

  @Test("damage that opening cut off is reported once when all kits are refreshed")
  func refreshAll() async throws {
    try await damage("walks", "meteorites")
    let field = field()
    for expected in [["meteorites", "walks"], []] {
      var reporting: [String] = []
      for await step in field.refreshAll() {
        guard case .finished(let report)? = step.outcome else { continue }
        if count(report) > 0 { reporting.append(step.kit) }
      }
      #expect(reporting.sorted() == expected)
    }
    try await field.close()
  }
}
