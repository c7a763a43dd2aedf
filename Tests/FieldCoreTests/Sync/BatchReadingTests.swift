import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("A page read from the bytes of a response")
struct BatchReadingTests {
  struct Spring: CatalogRecord, RowReadable, Hashable {
    static let columns = [RowColumn("no"), RowColumn("flow"), RowColumn("changed")]
    let id: Int
    let flow: Double

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.integer(0) else { throw RowProblem("The spring has no number.") }
      guard let flow = row.double(1) else { throw RowProblem("The flow isn't a number.") }
      (self.id, self.flow) = (id, flow)
    }
  }

  struct Beacon: CatalogRecord, RowReadable {
    static let columns = [RowColumn("id"), RowColumn("power")]
    let id: UUID

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.text(0).flatMap(UUID.init(uuidString:)), row.double(1) != nil else {
        throw RowProblem("It isn't a beacon.")
      }
      self.id = id
    }
  }

  @Test(
    "a page read from a response has records, failures with IDs, and the last row's position",
    arguments: [
      #"[{"no":1,"flow":2.5,"changed":"a"},{"no":"2","flow":"?","changed":"b"},{"no":3,"flow":1}]"#,
      "no,flow,changed\n1,2.5,a\n2,?,b\n3,1,\n",
      #"{"result":{"results":[{"no":1,"flow":2.5,"changed":"a"},{"no":2,"flow":[],"changed":"b"},{"no":3,"flow":1}]}}"#,
    ])
  func page(body: String) throws {
    let page = try Batch<Spring>(reading: Array(body.utf8)) { row in
      row.text(2).map { SyncPosition(stamp: $0, key: row.id(0)) }
    }
    #expect(page.records.map(\.id) == [1, 3])
    #expect(page.failures.map(\.key) == ["2"])
    #expect(page.failedIDs == [2])
    #expect(page.facts.rowCount == 3)
    #expect(page.facts.rowHashes.count == 3)
    #expect(page.facts.end == SyncPosition(stamp: "b", key: "2"))
  }

  @Test("a page of a response has the IDs of failed rows, if a text or a number is one")
  func uuids() throws {
    let ids = (0..<3).map { _ in UUID() }
    let body = "id,power\n\(ids[0]),1\n\(ids[1].uuidString.lowercased()),\n\(ids[2]),3\n"
    let page = try Batch<Beacon>(reading: Array(body.utf8))
    #expect(page.records.map(\.id) == [ids[0], ids[2]])
    #expect(page.failedIDs == [ids[1]])
  }

  @Test(
    "a page read from a response distinguishes a repeated row from another row with the same ID")
  func repeated() throws {
    let body = "no,flow\n1,2\n1,2\n1,3\n"
    let page = try Batch<Spring>(reading: Array(body.utf8))
    #expect(page.records.count == 3)
    #expect(page.recordHashes[0] == page.recordHashes[1])
    #expect(page.recordHashes[1] != page.recordHashes[2])
  }

  /// Springs in pages of three rows, as offsets.
  struct Springs: PagedSource {
    let rows: [String]
    let fingerprint = "springs/1"
    let isIncremental = false
    let options = SyncOptions(pageSize: 3)

    func page(_ request: PageRequest) async throws -> Batch<Spring> {
      let offset = request.position?.key.flatMap { Int($0) } ?? 0
      let part = rows.dropFirst(offset).prefix(request.size)
      var page = try Batch<Spring>(
        reading: Array((["no,flow"] + part).map { $0 + "\n" }.joined().utf8))
      page.facts.end = part.isEmpty ? nil : SyncPosition(key: String(offset + part.count))
      return page
    }
  }

  @Test("a paged source can delete records beside a failed row, and reports repeated IDs")
  func source() async throws {
    let storage = Storage.inMemory
    func springs(_ rows: [String]) -> Catalog<Spring> {
      Catalog("springs", source: Springs(rows: rows), storage: storage, clock: ManualClock())
    }
    let all = (1...20).map { "\($0),\($0)" }
    #expect(try await springs(all).refresh().added == 20)
    let report = try await springs(Array(all.prefix(17)) + ["20,?", "1,1", "2,7"]).refresh(.now)
    #expect(report.removed == 2)
    #expect(report.failures.map(\.key) == ["20"])
    #expect(report.updated == 1)
    // The row "1,1" is the same one again, as when rows move across pages.
    #expect(report.notices.map(\.code) == [.repeatedIDs])
    #expect(report.notices[0].message.hasPrefix("1 rows"))
  }

  /// Springs in pages of three rows, each of which names the token of the next one; the last one names none.
  struct TokenSprings: PagedSource {
    let rows: [String]
    var failsAt: Int?
    let fingerprint = "springs/tokens/1"
    let findsChanges = false
    let options = SyncOptions(pageSize: 3)

    func page(_ request: PageRequest) async throws -> Batch<Spring> {
      let offset = request.position?.key.flatMap { Int($0.dropFirst("token-".count)) } ?? 0
      if offset == failsAt { throw FieldError(.offline, "There is no network.") }
      let part = rows.dropFirst(offset).prefix(request.size)
      var page = try Batch<Spring>(
        reading: Array((["no,flow"] + part).map { $0 + "\n" }.joined().utf8))
      let next = offset + part.count
      page.facts.end = next < rows.count ? SyncPosition(key: "token-\(next)") : nil
      page.facts.isLast = next >= rows.count
      return page
    }
  }

  @Test(
    "pages with tokens need none after the last page, resume, and bring each change",
    arguments: [1, 3, 4, 7, 20], [DeletionPolicy.byKeys, .bySnapshot])
  func tokens(count: Int, deletion: DeletionPolicy) async throws {
    let storage = Storage.inMemory
    func springs(_ rows: [String], failsAt: Int? = nil) -> Catalog<Spring> {
      Catalog(
        "springs", source: TokenSprings(rows: rows, failsAt: failsAt), storage: storage,
        clock: ManualClock(), deletion: deletion)
    }
    let all = (1...count).map { "\($0),\($0)" }
    if count > 3 {
      await #expect(throws: FieldError.self) { try await springs(all, failsAt: 3).refresh() }
      #expect(try await springs(all).view().count == 3)
    }
    let first = try await springs(all).refresh(.now)
    #expect(first.notices.map(\.code) == (count > 3 ? [.resumed] : []))
    #expect(try await springs(all).view().count == count)
    let changed = ["1,100"] + all.dropFirst().dropLast()
    let second = try await springs(changed).refresh(.now)
    #expect(second.updated == 1 && second.removed == (count > 1 ? 1 : 0))
    #expect(try await springs(all).view()[1]?.flow == 100)
  }

  @Test(
    "a page read from a response isn't made of a body that isn't rows",
    arguments: [
      ("", FieldError.Code.emptyBody), ("<html></html>", .notData), ("[{\"no\":1", .cut),
    ])
  func refused(body: String, code: FieldError.Code) {
    let error = #expect(throws: FieldError.self) {
      try Batch<Spring>(reading: Array(body.utf8))
    }
    #expect(error?.code == code)
  }
}
