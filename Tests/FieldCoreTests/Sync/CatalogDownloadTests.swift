import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("A catalog of the rows at a URL")
struct CatalogDownloadTests {
  struct Tree: CatalogRecord, RowReadable, Hashable {
    static let columns = [RowColumn("number"), RowColumn("species"), RowColumn("height")]
    let id: String
    let height: Int

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("The tree has no number.") }
      guard let height = row.integer(2) else { throw RowProblem("The height isn't a number.") }
      (self.id, self.height) = (id, height)
    }
  }

  /// The next version of ``Tree``, which reads one column more.
  struct PlantedTree: CatalogRecord, RowReadable, Hashable {
    static let storedName = "Tree"
    static let columns = Tree.columns + [RowColumn("planted")]
    let id: String
    let planted: Int?

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("The tree has no number.") }
      (self.id, planted) = (id, row.integer(3))
    }
  }

  /// A tree that reads a column that it doesn't have.
  struct WrongTree: CatalogRecord, RowReadable {
    static let columns = [RowColumn("number"), RowColumn("species")]
    let id: String
    let height: Int?

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("The tree has no number.") }
      (self.id, height) = (id, row.integer(7) ?? row.integer(-1))
    }
  }

  static let url = URL(literal: "https://example.org/trees")

  static func rows(_ numbers: some Sequence<Int>, and more: [String] = []) -> String {
    let rows = numbers.map {
      #"{"number":"\#($0)","species":"oak","height":\#($0),"planted":1900}"#
    }
    return "[" + (rows + more).joined(separator: ",") + "]"
  }

  static func trees<Record: CatalogRecord & RowReadable>(
    _ bodies: [String], as type: Record.Type = Tree.self, storage: Storage = .inMemory,
    at url: URL = url, deletion: DeletionPolicy = .bySnapshot
  ) -> Catalog<Record> {
    let answers = Lock(bodies)
    let transport = StubTransport {
      $0.on("trees.rows") { _ in
        let body = answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        return TransportResponse(status: 200, body: .text(body))
      }
    }
    return Catalog<Record>(
      "trees", at: url, storage: storage, transport: transport, clock: ManualClock(),
      deletion: deletion)
  }

  @Test(
    "a catalog removes what the source lacks beside an unusable row, whose own record stays",
    arguments: [
      #"{"number":"100","height":"tall"}"#, #"{"number":100,"height":"tall"}"#,
      #"{"number":"100.0","height":null}"#,
    ])
  func removal(bad: String) async throws {
    let trees = Self.trees([Self.rows(1...100), Self.rows(1...97, and: [bad])])
    try await trees.refresh()
    let report = try await trees.refresh(.now)
    #expect(report.removed == 2)
    #expect(report.failures.map(\.key) == ["100"])
    #expect(report.notices == [])
    #expect(try await Set(trees.view().all.map(\.id)) == Set((1...97).map(String.init) + ["100"]))
  }

  @Test(
    "a catalog removes nothing beside a row whose ID can't be read, and says so",
    arguments: [
      #"{"height":3}"#, #"{"number":null,"height":3}"#, "7", #"{"number":[1],"height":3}"#,
    ])
  func unknownID(bad: String) async throws {
    let trees = Self.trees([Self.rows(1...100, and: [bad]), Self.rows(1...98, and: [bad])])
    let first = try await trees.refresh()
    #expect(first.added == 100)
    let report = try await trees.refresh(.now)
    #expect(report.removed == 0)
    #expect(report.notices.map(\.code) == [.removalSkipped])
    #expect(report.notices[0].message.contains("1 of 99 rows can't be read"))
    #expect(try await trees.view().count == 100)
  }

  /// A tree whose ID isn't the first column.
  struct NamedTree: CatalogRecord, RowReadable {
    static let columns = [RowColumn("species"), RowColumn("number"), RowColumn("height")]
    let id: String

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(1), row.integer(2) != nil else {
        throw RowProblem("It isn't complete.")
      }
      self.id = id
    }
  }

  @Test("a catalog doesn't take the first column for the ID if other rows show that it isn't")
  func otherKey() async throws {
    let bad = #"{"number":"3","species":"1","height":"?"}"#
    let trees = Self.trees(
      [Self.rows(1...5), Self.rows(2...4, and: [bad])], as: NamedTree.self)
    try await trees.refresh()
    let report = try await trees.refresh(.now)
    #expect(report.removed == 0)
    #expect(report.notices.map(\.code) == [.removalSkipped])
  }

  @Test("a catalog of rows at a URL sends a notice if rows repeat an ID, and uses the last of them")
  func repeated() async throws {
    let trees = Self.trees([Self.rows([1, 2, 3, 2, 1])])
    let report = try await trees.refresh()
    #expect(report.added == 3)
    #expect(report.notices.map(\.code) == [.repeatedIDs])
    #expect(report.notices[0].message.hasPrefix("2 rows"))
  }

  /// A transport that confirms a conditional request with 304.
  private static func unchanging(_ body: String) -> StubTransport {
    StubTransport {
      $0.on("trees.rows") { request in
        request.fields["If-None-Match"] == "\"1\""
          ? TransportResponse(status: 304)
          : TransportResponse(status: 200, fields: ["ETag": "\"1\""], body: .text(body))
      }
    }
  }

  @Test(
    "a catalog reads everything again if its record's next version reads one column more",
    arguments: [RefreshTrigger.now, .ifDue])
  func newColumn(trigger: RefreshTrigger) async throws {
    let (storage, transport) = (
      Storage.directory(try TemporaryFolder().url), Self.unchanging(Self.rows(1...3))
    )
    let old = Catalog<Tree>(
      "trees", at: Self.url, storage: storage, transport: transport, clock: ManualClock())
    try await old.refresh()
    #expect(try await old.refresh(.now).outcome == .notModified)
    try await old.close()
    let new = Catalog<PlantedTree>(
      "trees", at: Self.url, storage: storage, transport: transport, clock: ManualClock())
    let report = try await new.refresh(trigger)
    #expect(report.rows == 3)
    #expect(report.notices.map(\.code) == [.startedAnew])
    #expect(try await new.view().all.map(\.planted) == [1900, 1900, 1900])
    #expect(try await new.refresh(.now).outcome == .notModified)
    try await new.close()
  }

  @Test("a catalog reports a column number that doesn't exist as a problem of the row")
  func wrongColumn() async throws {
    let trees = Self.trees([Self.rows(1...3)], as: WrongTree.self)
    let error = await #expect(throws: FieldError.self) { try await trees.refresh() }
    #expect(error?.code == .malformed)
    #expect(
      error?.message.contains("was read, but the columns are numbered from 0 through 1") == true,
      "\(String(describing: error))")
  }

  @Test("a catalog names the columns that came and those that were expected if no row can be read")
  func columns() async throws {
    let trees = Self.trees([
      #"[{"number":"1","SPECIES":"oak","altura":3},{"number":"2","altura":4}]"#
    ])
    let error = await #expect(throws: FieldError.self) { try await trees.refresh() }
    #expect(error?.code == .malformed)
    #expect(
      error?.message.contains(
        "the columns are number, SPECIES, altura; expected: number, species, height") == true,
      "\(String(describing: error))")
  }

  @Test("a catalog says that another source may use its name if that one's records are missing")
  func twoSources() async throws {
    let storage = Storage.inMemory
    try await Self.trees([Self.rows(1...3)], storage: storage).refresh()
    let other = Self.trees(
      [Self.rows(7...9)], storage: storage,
      at: URL(literal: "https://example.org/other"))
    let error = await #expect(throws: FieldError.self) { try await other.refresh() }
    #expect(error?.code == .snapshotRefused)
    #expect(error?.message.contains("3 of 3 stored records are missing") == true)
    #expect(
      error?.message.contains("they come from another source, https://example.org/trees") == true,
      "\(String(describing: error))")
  }

  @Test("a catalog advises another name if its store is of another type, or the name is invalid")
  func names() async throws {
    let storage = Storage.inMemory
    try await Self.trees([Self.rows(1...3)], storage: storage).refresh()
    let other = Self.trees([Self.rows(1...3)], as: NamedTree.self, storage: storage)
    let error = await #expect(throws: FieldError.self) { try await other.refresh() }
    #expect(error?.message.contains("records of the type Tree, not NamedTree") == true)
    #expect(error?.message.contains("its own name") == true)
    let invalid = Catalog<Tree>(
      "my trees", at: Self.url, storage: storage, transport: StubTransport { _ in })
    let refusal = await #expect(throws: FieldError.self) { try await invalid.open() }
    #expect(refusal?.message.contains("beginning with a letter or digit") == true)
  }

  @Test("a catalog removes a few of a small set, but refuses half of it and nothing at all")
  func smallSet() async throws {
    for (before, after) in [(58, 52), (58, 48), (3, 2), (2, 1), (12, 9)] {
      let trees = Self.trees([Self.rows(1...before), Self.rows(1...after)])
      try await trees.refresh()
      #expect(try await trees.refresh(.now).removed == before - after)
    }
    for (before, after) in [(58, 47), (58, 29), (20, 10), (4, 2), (3, 0), (1, 0)] {
      let trees = Self.trees([Self.rows(1...before), Self.rows((0..<after).map { $0 + 1 })])
      try await trees.refresh()
      let error = await #expect(throws: FieldError.self) { try await trees.refresh(.now) }
      #expect(error?.code == .snapshotRefused, "\(before) to \(after)")
      #expect(error?.refusedRemoval?.count == before - after)
      #expect(try await trees.view().count == before)
    }
  }

  @Test("a catalog of rows at a URL accepts a removal once, as far as it was shown")
  func accepted() async throws {
    let trees = Self.trees([
      Self.rows(1...100), Self.rows(1...40), Self.rows(1...30), Self.rows(1...30),
      Self.rows(1...10), "[]", "[]", "<html></html>",
    ])
    try await trees.refresh()
    let error = await #expect(throws: FieldError.self) { try await trees.refresh(.now) }
    let removal = try #require(error?.refusedRemoval)
    #expect((removal.count, removal.storedCount, removal.ids.count) == (60, 100, 60))
    #expect(removal.ids.first == "41")
    // Meanwhile, ten more are gone, which nobody has seen.
    let second = await #expect(throws: FieldError.self) {
      try await trees.refresh(.acceptingRemovals(upTo: removal.count))
    }
    #expect(second?.refusedRemoval?.count == 70)
    #expect(try await trees.refresh(.acceptingRemovals(upTo: 70)).removed == 70)
    let third = await #expect(throws: FieldError.self) { try await trees.refresh(.now) }
    #expect(third?.refusedRemoval?.count == 20)
    let empty = await #expect(throws: FieldError.self) {
      try await trees.refresh(.acceptingRemovals(upTo: 29))
    }
    #expect(empty?.refusedRemoval?.count == 30)
    #expect(try await trees.refresh(.acceptingRemovals(upTo: 30)).removed == 30)
    let page = await #expect(throws: FieldError.self) {
      try await trees.refresh(.acceptingRemovals(upTo: 100))
    }
    #expect(page?.code == .notData)
  }

  @Test("a catalog of rows at a URL yields no view after a refresh that changed no record")
  func updates() async throws {
    let trees = Self.trees([Self.rows(1...3), Self.rows(1...3), Self.rows(1...3), Self.rows(1...4)])
    try await trees.refresh()
    let counts = Lock<[Int]>([])
    let reader = Task {
      for try await view in trees.updates() { counts.withLock { $0.append(view.count) } }
    }
    try await eventually { counts.withLock { $0 == [3] } }
    #expect(try await trees.refresh(.now).outcome == .unchanged)
    // A view after this refresh would be read by then.
    try await letOthersRun()
    #expect(try await trees.refresh(.now).outcome == .unchanged)
    try await letOthersRun()
    try await trees.refresh(.now)
    try await eventually { counts.withLock { $0.last == 4 } }
    #expect(counts.withLock { $0 } == [3, 4])
    try await trees.close()
    try await reader.value
  }
}
