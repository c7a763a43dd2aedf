import FieldCore
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("The metro's models")
struct MetroModelJSONTests {
  private static let date = Date(timeIntervalSince1970: 1_791_436_570)

  /// A board on a small network, half a minute after a refresh of it failed.
  private static func board() throws -> ArrivalBoard {
    let network = try MetroNetwork(reading: NetworkSample.bytes())
    let arrivals = [
      Arrival(
        stationName: "東站", destinationName: "西站", station: "東", destination: "西", line: "X",
        updatedAt: FeedTime("20261008131602")),
      Arrival(
        stationName: "甲站", destinationName: "北站", destination: "北", countdown: "00:41",
        trainNumber: "104"),
    ]
    return ArrivalBoard(
      arrivals, fetchedAt: date, serverDate: date + 1, origin: address("https://metro.example/a"),
      failures: [RowFailure(index: 2, excerpt: "{}", reason: "there is no station")],
      policy: StalenessPolicy(maximumAge: .seconds(30)), network: network, asOf: date + 30,
      lastFailure: FieldError(.offline, "The device is offline."))
  }

  @Test("the metro's models have JSON that other programs can read")
  func models() throws {
    let board = try Self.board()
    let earlier = ArrivalBoard([], fetchedAt: Self.date - 60, network: board.network)
    // Batches are like those of any other record now: see `core-models`.
    try Golden("metro-models").expectModels(
      [
        "alerts": MetroAlerts(
          alerts: [
            MetroAlert(
              id: "7", title: "延誤", status: .normal, lines: ["X"], stationNames: ["東"],
              publishedAt: FeedTime("2026-07-18T21:36:38+08:00"))
          ], serverDate: Self.date),
        "board": board,
        "changes": board.changes(since: earlier),
        "groups": board.byStation,
        "guess": MetroGuess("西", for: board.arrivals[0], in: board.network),
        "limits": FeedLimits(),
        "lines": board.byLine,
        "polling": PollingPolicy(),
      ], retired: ["batch"])
  }

  @Test("A network survives a JSON round trip with all its names, times, and exits")
  func network() throws {
    for network in [.taipei, try Self.board().network] {
      let json = try Golden.json(network)
      let copy = try JSONDecoder().decode(MetroNetwork.self, from: json)
      #expect(try Golden.json(copy) == json)
      #expect(copy.stations == network.stations && copy.lines == network.lines)
      #expect(copy.services == network.services && copy.walks == network.walks)
      let (from, to) = (network.stations[0].name, network.stations[3].name)
      #expect(try copy.route(from: from, to: to) == network.route(from: from, to: to))
    }
    let json = try Golden.json(MetroNetwork.taipei)
    let copy = try JSONDecoder().decode(MetroNetwork.self, from: json)
    #expect(copy.station(named: "台北火車站")?.codes == ["BL12", "R10"])
  }

  @Test(
    "An inconsistent network is rejected",
    arguments: [
      ("\"runSeconds\" : [", "\"runSeconds\" : [ 5,", "a time for each stop"),
      ("\"#00ff7F\"", "\"green\"", "isn't a color"), ("\"X-2\"", "\"X-1\"", "twice"),
      ("\"latitude\" : 25.1,", "\"latitude\" : 125.1,", "latitude"),
    ])
  func refusal(old: String, new: String, problem: String) throws {
    let json = String(decoding: try Golden.json(Self.board().network), as: UTF8.self)
    try #require(json.contains(old))
    let error = #expect(throws: (any Error).self) {
      try JSONDecoder().decode(
        MetroNetwork.self, from: Data(json.replacing(old, with: new, maxReplacements: 1).utf8))
    }
    #expect("\(String(describing: error))".contains(problem))
  }

  @Test("A board without a moment and a policy, as older versions wrote it, is read")
  func olderBoard() throws {
    let board = try JSONDecoder().decode(
      ArrivalBoard.self, from: Golden("metro-exchange-1").bytes("board.json"))
    #expect(board.asOf == board.fetchedAt && board.policy == StalenessPolicy())
    #expect(board.arrivals.count == 2 && board.lastFailure == nil)
  }
}
