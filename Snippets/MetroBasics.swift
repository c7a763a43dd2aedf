//! The shortest way to use the metro.

// snippet.hide
import FieldKit
import Foundation

func metroBasics(folder: URL) async throws {
  // snippet.show
  // snippet.metro
  let metro = Metro(storage: .directory(folder), transport: URLSessionTransport())
  try await metro.refresh()
  let board = try await metro.board()
  for arrival in board.arrivals(at: "台北車站", freshOnly: true) {
    print(arrival.destinationName, arrival.updatedAt?.taipeiText ?? "")
  }
  // snippet.end

  // snippet.boards
  for await board in metro.boards(every: .seconds(15)).prefix(4) {
    print(board.fresh.count, board.stale.count, board.lastFailure as Any)
  }
  // snippet.end

  // snippet.route
  let route = try MetroNetwork.taipei.route(from: "動物園", to: "Tamsui")
  print(route.stations.map(\.name), route.transfers, route.duration)
  // snippet.end

  // snippet.guess
  if let arrival = board.fresh.first {
    let answer = metro.check(guess: "淡水", for: arrival)
    print(answer.isRight, answer.title.string(in: .traditionalChinese))  // 你好聰明，竟然答對了！
  }
  // snippet.end
  // snippet.hide
}
