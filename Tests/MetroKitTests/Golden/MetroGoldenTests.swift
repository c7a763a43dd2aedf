import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("The metro's golden files", .timeLimit(.minutes(60)))
struct MetroGoldenTests {
  private static let golden = Golden("metro")
  /// A store whose file was compacted, because a long board was replaced by a short one.
  private static let compacted = Golden("metro-compacted")
  private static let exchange = Golden("metro-exchange")
  /// 2026-10-08 13:16:10 in Taipei.
  private static let first = Date(timeIntervalSince1970: 1_791_436_570)
  private static let second = first + 60

  private static let board = #"""
    [{"Station":"台北車站","StationEn":"TaipeiMainStation","Destination":"淡水站","DestinationEn":"Tamsui","UpdateTime":"20261008131602"},
     {"Station":"","Destination":"","UpdateTime":"20261008131544"},
     {"Station":"中山國中站","Destination":"動物園站","UpdateTime":"20261008131544"}]
    """#
  private static let secondBoard = board.replacing("20261008131602", with: "20261008131702")
  private static let longBoard =
    "[\((0..<1_500).map { #"{"Station":"車站\#($0)","Destination":"淡水站","UpdateTime":"20261008131602"}"# }.joined(separator: ","))]"

  // MARK: Writing

  private static func write(_ bodies: [String], to folder: URL) async throws {
    let clock = ManualClock(now: first)
    let left = Lock(bodies)
    let transport = StubTransport {
      $0.on("metro.arrivals") { _ in
        let (body, number) = left.withLock { ($0.removeFirst(), bodies.count - $0.count) }
        return TransportResponse(
          status: 200,
          fields: [
            "ETag": "\"golden-\(number)\"", "Last-Modified": "Thu, 08 Oct 2026 05:16:05 GMT",
            "Date": "Thu, 08 Oct 2026 05:16:09 GMT", "Content-Type": "application/json",
          ], body: .text(body))
      }
    }
    let metro = Metro(
      storage: .directory(folder, clock: clock), transport: transport, clock: clock)
    for number in bodies.indices {
      if number > 0 { clock.advance(by: .seconds(60)) }
      try await metro.refresh()
    }
    try await metro.close()
  }

  @Test("the metro's golden files are written", Golden.writing)
  func writing() async throws {
    try await Self.golden.replace { try await Self.write([Self.board, Self.secondBoard], to: $0) }
    try await Self.compacted.replace {
      try await Self.write([Self.longBoard, Self.secondBoard], to: $0)
    }
    try await Self.exchange.replace { try await Self.export(to: $0) }
  }

  @Test("the metro's golden files are identical today", Golden.reading)
  func sameBytes() async throws {
    try await Self.golden.expectSame {
      try await Self.write([Self.board, Self.secondBoard], to: $0)
    }
    try await Self.compacted.expectSame {
      try await Self.write([Self.longBoard, Self.secondBoard], to: $0)
    }
    try await Self.exchange.expectSame { try await Self.export(to: $0) }
  }

  // MARK: Reading

  @Test(
    "the metro's golden files have the last board and its age", Golden.reading,
    arguments: ["metro", "metro-compacted"])
  func board(name: String) async throws {
    let folder = try Golden(name).copy()
    let clock = ManualClock(now: Self.second + 10)
    let metro = Metro(
      storage: .directory(folder.url, clock: clock), transport: StubTransport { _ in }, clock: clock
    )
    let report = try await metro.open()
    #expect(report.cuts.isEmpty && report.setAside.isEmpty && report.recordCount == 1)
    let board = try await metro.board()
    #expect(board.arrivals.map(\.stationName) == ["台北車站", "中山國中站"])
    #expect(board.arrivals.map(\.destinationName) == ["淡水站", "動物園站"])
    #expect(board.failures.count == 1)
    #expect(board.fetchedAt == Self.second && board.age == .seconds(10))
    #expect(board.serverDate == Self.first - 1)
    let here = try #require(board.arrivals(at: "台北車站").first)
    #expect(here.updatedAt?.taipeiText == "2026年10月08日13時17分")
    #expect(here.stationEnglishName == "TaipeiMainStation")
    #expect(metro.destination(of: here) == "淡水")
    #expect(try await metro.lastRefresh == Self.second)
    try await metro.close()
  }

  @Test("the metro's golden files have the validators for the next request", Golden.reading)
  func validators() async throws {
    let folder = try Self.golden.copy()
    let clock = ManualClock(now: Self.second + 30)
    let transport = StubTransport { $0.on("metro.arrivals", respond: .status(304)) }
    let metro = Metro(
      storage: .directory(folder.url, clock: clock), transport: transport, clock: clock)
    #expect(try await metro.refresh().outcome == .notModified)
    #expect(transport.requests.map { $0.fields["If-None-Match"] } == ["\"golden-2\""])
    #expect(
      transport.requests.map { $0.fields["If-Modified-Since"] }
        == ["Thu, 08 Oct 2026 05:16:05 GMT"])
    #expect(try await metro.board().arrivals.count == 2)
    #expect(try await metro.lastRefresh == clock.now)
    try await metro.close()
  }

  // MARK: Exchange

  private static func board(in folder: URL) async throws -> ArrivalBoard {
    let clock = ManualClock(now: second)
    let metro = Metro(
      storage: .directory(folder, clock: clock), transport: StubTransport { _ in }, clock: clock)
    let board = try await metro.board()
    try await metro.close()
    return board
  }

  private static func export(to folder: URL) async throws {
    let source = try TemporaryFolder()
    try await write([Self.board, secondBoard], to: source.url)
    try Golden.json(try await board(in: source.url))
      .write(to: folder.appending(path: "board.json"))
  }

  @Test("the metro's golden files in JSON are the board that the store has", Golden.reading)
  func values() async throws {
    let folder = try Self.golden.copy()
    let stored = try await Self.board(in: folder.url)
    let board = try JSONDecoder().decode(
      ArrivalBoard.self, from: Self.exchange.bytes("board.json"))
    #expect(board.arrivals == stored.arrivals && board.failures == stored.failures)
    #expect(board.fetchedAt == stored.fetchedAt && board.serverDate == stored.serverDate)
    #expect(board.validators == stored.validators && board.origin == stored.origin)
  }
}
