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
