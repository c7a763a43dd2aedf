// The code that a user writes, as the design promises it. It has to compile and work as it stands;
// a change here breaks users. The lines about meteorites are those of the design, word for word.

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
    try await meteorites(folder: folder, transport: Rerouted(to: server.url))
    await server.stop()
  }

  /// Made as the design says; nothing is sent before a refresh.
  static func made(folder: URL) -> (Field, MeteoriteCatalog) {
    let field = Field(storage: .directory(folder), transport: URLSessionTransport())
    let catalog = MeteoriteCatalog(storage: .inMemory, transport: URLSessionTransport())
    return (field, catalog)
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
