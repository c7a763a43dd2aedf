//! Fresh rows, stale rows, and a board that works without a network.

// snippet.hide
import FieldKit
import Foundation

func verdicts(metro: Metro) async throws {
  // snippet.show
  // snippet.verdicts
  let board = try await metro.board()
  print(board.fresh.count, "worth showing,", board.stale.count, "ghosts")
  for arrival in board.stale {
    print(arrival.stationName, board.freshness(of: arrival), board.age(of: arrival) as Any)
  }
  // snippet.end

  // snippet.later
  let inAMinute = board.evaluatingFreshness(at: board.asOf.addingTimeInterval(60))
  print(inAMinute.fresh.count)  // fewer, without a request
  // snippet.end

  // snippet.failure
  print(MetroTexts.age(of: board))  // updated 12 seconds ago
  if let failure = board.lastFailure {
    print(failure.code == .offline ? "offline" : failure.message)
  }
  // snippet.end
  // snippet.hide
}

func policy(transport: some Transport, folder: URL) {
  // snippet.show
  // snippet.policy
  let metro = Metro(
    source: MetroStationFeed(transport: transport.retrying()),
    storage: .directory(folder),
    staleness: StalenessPolicy(maximumAge: .seconds(900), frozenAfter: .seconds(900)))
  // snippet.end
  // snippet.hide
  _ = metro
}

func storage(transport: some Transport, folder: URL) {
  // snippet.show
  // snippet.storage
  let metro = Metro(
    storage: .directory(folder, durability: .deferred), transport: transport)
  // snippet.end
  // snippet.hide
  _ = metro
}

func alerts(transport: some Transport, folder: URL, token: TDXToken) async throws {
  // snippet.show
  // snippet.alerts
  let metro = Metro(
    alerts: TDXAlerts(token: token, transport: transport),
    storage: .directory(folder), transport: transport)
  try await metro.refresh()
  let board = try await metro.board()
  for alert in board.alerts(at: "台北車站") { print(alert.title, alert.text ?? "") }
  if let failure = board.alertsFailure {
    print("as of", board.alerts?.fetchedAt as Any, failure.message)
  }
  // snippet.end
  // snippet.hide
}

@MainActor
final class BoardModel {
  private let metro: Metro
  private(set) var rows: [Arrival] = []
  private(set) var footnote = ""

  init(metro: Metro) { self.metro = metro }

  // snippet.show
  // snippet.ageing
  func show(_ station: String) async {
    for await board in metro.updates() {  // also when a row becomes stale
      rows = board.arrivals(at: station, freshOnly: true)
    }
  }
  // snippet.end
  // snippet.hide

  // snippet.show
  // snippet.polling
  func follow(_ station: String) async {
    for await board in metro.boards(every: .seconds(20)) {
      rows = board.arrivals(at: station, freshOnly: true)
      footnote = board.lastFailure?.message ?? MetroTexts.age(of: board).string()
      if let changes = board.changes, !changes.arrived.isEmpty {
        print("new:", changes.arrived.map(\.stationName))
      }
    }
  }
  // snippet.end
  // snippet.hide
}
