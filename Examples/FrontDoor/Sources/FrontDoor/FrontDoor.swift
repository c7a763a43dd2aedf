// The code that a user writes, as the design promises it. It has to compile and work as it stands;
// a change here breaks users. The lines about a kit are those of the design, word for word.

import FieldFakes
import FieldKit
import Foundation

@main
enum FrontDoor {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "front-door-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try LoopbackServer(serving: Portal())
    try await metro(folder: folder, transport: Rerouted(to: server.url))
    try await meteorites(folder: folder, transport: Rerouted(to: server.url))
    await server.stop()
  }

  /// Made as the design says; nothing is sent before a refresh.
  static func made(folder: URL) -> (Field, Metro, MeteoriteCatalog) {
    let field = Field(storage: .directory(folder), transport: URLSessionTransport())
    let catalog = MeteoriteCatalog(storage: .inMemory, transport: URLSessionTransport())
    let metro = Metro(storage: .inMemory, transport: URLSessionTransport())
    return (field, metro, catalog)
  }

  static func metro(folder: URL, transport: some Transport) async throws {
    let field = Field(storage: .directory(folder), transport: transport)

    try await field.metro.refresh()
    let board = try await field.metro.board()
    let here = board.arrivals(at: "台北車站")
    print(here.first?.updatedAt?.taipeiText ?? "")                                     // 2016年05月16日18時00分
    print(field.metro.check(guess: "淡水", for: here[0]))
    for await board in field.metro.boards(every: .seconds(15)).prefix(2) { print(board.fresh.count, board.stale.count, board.lastFailure as Any) }
    let route = try MetroNetwork.taipei.route(from: "動物園", to: "淡水")
    print(route.stations.map(\.name), route.transfers, route.duration)

    guard here[0].updatedAt?.taipeiText == "2016年05月16日18時00分",
      field.metro.check(guess: "淡水", for: here[0]).isRight, route.stations.last?.name == "淡水",
      (board.fresh.count, board.stale.count) == (1, 1)
    else {
      throw FieldError(.invalidInput, "the front door of the metro does not lead where it should")
    }
    try await field.close()
  }

  static func meteorites(folder: URL, transport: some Transport) async throws {
    let field = Field(storage: .directory(folder), transport: transport)
    for await step in field.refreshAll() { print(step.kit, step.fractionCompleted, step.outcome as Any) }

    try await field.meteorites.refresh()
    let heavy = try await field.meteorites.find(MeteoriteQuery(fall: .fell, years: 2011..., order: .massDescending))
    let near = try await field.meteorites.nearest(to: Coordinate(latitude: 48.15, longitude: 17.11), count: 5)
    print(near[0].meteorite.name, near[0].distance)
    let view = try await field.meteorites.view()                                        // synchronous from here on
    print(view[heavy[0].id]?.name ?? "")

    guard near[0].meteorite.name == "Košice", view[heavy[0].id]?.name == "Chelyabinsk" else {
      throw FieldError(.invalidInput, "the front door does not lead where it should")
    }
    try await field.close()
  }
}
