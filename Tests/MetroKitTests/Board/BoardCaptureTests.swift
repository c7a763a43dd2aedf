import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("Boards of real captures")
struct BoardCaptureTests {
  @Test(
    "the capture of 18 October 2024 has 14 stale and 18 fresh rows of 32 at 11:39:30",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func capture() throws {
    let bytes = try SharedData.bytes("metro/arrivals-202305121736-as801129.json")
    let rows = try Batch<Arrival>(reading: bytes, network: .taipei)
    let board = ArrivalBoard(rows.records, fetchedAt: BoardRows.noon)
    #expect((board.arrivals.count, board.stale.count, board.fresh.count) == (32, 14, 18))
    #expect(board.undated.isEmpty)
    #expect(board.unresolvedNames.isEmpty)
    #expect(board.newest?.updatedAt?.rawText == "20241018113958")
    #expect(board.newest?.stationName == "市政府站" || board.newest?.stationName == "忠孝復興站")
    #expect(board.stale.count { $0.line == .wenhu } == 13)
    #expect(board.stale.count { $0.line == .circular } == 1)
  }

  @Test(
    "no row of the other captures is stale while its board is young",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"),
    arguments: [
      "201507201825-rita1005", "201908292007-dannychou", "202004292114-rgnuj122",
      "202009261422-myong3", "202105071606-yiching316", "202107181444-chiahaowu",
    ])
  func otherCaptures(name: String) throws {
    let rows = try Batch<Arrival>(
      reading: SharedData.bytes("metro/arrivals-\(name).json"), network: .taipei)
    let instants = rows.records.compactMap { $0.updatedAt?.instant }
    let newest = try #require(instants.max())
    let board = ArrivalBoard(rows.records, fetchedAt: newest)
    #expect(board.fresh.count == rows.records.count)
    #expect(board.evaluatingFreshness(at: newest.addingTimeInterval(180)).fresh.isEmpty)
  }
}
