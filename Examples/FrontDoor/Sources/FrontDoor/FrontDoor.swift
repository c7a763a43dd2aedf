// The code that a user writes, as the design promises it. It has to compile and work as it stands;
// a change here breaks users. The lines about a kit are those of the design, word for word.

import FieldFakes
import FieldKit
@preconcurrency import Foundation

@main
enum FrontDoor {
  static func main() async throws {
    setvbuf(stdout, nil, _IOLBF, 0)  // A crash must not discard what was printed.
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "front-door-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try LoopbackServer(serving: try Portal())
    try await zoo(folder: folder, transport: Rerouted(to: server.url))
    try await metro(folder: folder, transport: Rerouted(to: server.url))
    try await meteorites(folder: folder, transport: Rerouted(to: server.url))
    try await walks(folder: folder, transport: Rerouted(to: server.url))
    try await civic(folder: folder, server: server.url)
    await server.stop()
  }

  /// Made as the design says; nothing is sent before a refresh.
  static func made(folder: URL) -> (Field, Zoo, Metro, MeteoriteCatalog, WalkDiary, CivicDirectory) {
    let field = Field(storage: .directory(folder), transport: URLSessionTransport())
    let catalog = MeteoriteCatalog(storage: .inMemory, transport: URLSessionTransport())
    let zoo = Zoo(storage: .inMemory, transport: URLSessionTransport())
    let metro = Metro(storage: .inMemory, transport: URLSessionTransport())
    let walks = WalkDiary(storage: .inMemory, transport: URLSessionTransport())
    let civic = CivicDirectory(storage: .inMemory, transport: URLSessionTransport())
    return (field, zoo, metro, catalog, walks, civic)
  }

  static func zoo(folder: URL, transport: some Transport) async throws {
    let field = Field(storage: .directory(folder), transport: transport)
    let jpeg = Portal.picture

    try await field.zoo.refresh()
    let sighting = try await field.zoo.addSighting(name: "石虎", photo: jpeg)          // durable as one step: photo, name, number
    for entry in try await field.zoo.listing() { print(entry.sequence, entry.name, entry.picture as Any) } // .file(URL), .remote(URL) or nil
    let pandas = try await field.zoo.animals(AnimalQuery(text: "熊貓"))
    let panda = try await field.zoo.image(for: pandas[0])

    let names = try await field.zoo.listing().map(\.name)
    guard names == ["石虎", "大貓熊", "大象"], sighting.number == 0, pandas.map(\.name) == ["大貓熊"],
      panda.data == jpeg
    else {
      throw FieldError(.invalidInput, "the front door of the zoo does not lead where it should")
    }
    try await field.close()
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

  static func walks(folder: URL, transport: some Transport) async throws {
    let field = Field(storage: .directory(folder), transport: transport)
    let jpeg = Portal.picture
    let file = folder.appending(path: "walk.gpx")
    let now = Date()
    let c = try Coordinate(latitude: 37.54523350, longitude: 127.05710240)
    let places = [Place(id: Place.ID(rawValue: "forest"), name: "Forest", coordinate: try Coordinate(latitude: 37.54771830, longitude: 127.05742970))]

    let pet = try await field.walks.register(PetRegistration(name: "mesh", breed: .welshCorgi, gender: .male,
        birth: CalendarDay("2020-01-01"), weight: .kilograms(10), photo: jpeg))
    let walk = try await field.walks.start(pets: [pet.id], goal: .nearest(of: places))
    await walk.record(LocationFix(coordinate: c, accuracy: .meters(8), time: now))     // .accepted, .ignored(reason) or .notSaved(error); survives a crash of the app
    try await walk.pause(); try await walk.resume()
    try await walk.addPhoto(jpeg)
    let finished = try await walk.finish(weather: .clear, dust: .good)
    print(finished.distance, finished.movingTime, finished.reward as Any)
    let track = try await field.walks.route(of: finished.id)
    try track.gpx().write(to: file)

    guard try await field.walks.walks().map(\.id) == [finished.id], finished.photos.count == 1,
      try GPXDocument(data: Data(contentsOf: file)).tracks[0].segments.joined().map(\.coordinate) == [c]
    else {
      throw FieldError(.invalidInput, "the front door of the walks does not lead where it should")
    }
    try await field.close()
  }

  static func civic(folder: URL, server: URL) async throws {
    let field = Field(
      storage: .directory(folder), transport: Rerouted(to: server),
      civicService: CivicService(baseURL: server.appending(path: "service"), project: "front-door"))

    try await field.civic.refresh()
    let tiles = try await field.civic.facilities()                                      // rank 3 categories
    let toilets = try await field.civic.units(in: tiles[0].id)
    let hits = try await field.civic.search("社會")
    try await field.civic.searchHistory.add("社會"); print(try await field.civic.searchHistory.entries())
    let news = try await field.civic.news()
    let activities = try await field.civic.activities()
    try await field.civic.hide(activities[0].id)
    if try await field.civic.claimFirstLaunch(of: .app) { /* welcome */ }               // true at most once

    guard tiles.map(\.name) == ["廁所"], toilets.map(\.name) == ["1樓東側廁所"], hits.count == 1,
      news.count == 1, try await field.civic.activities().isEmpty,
      try await field.civic.claimFirstLaunch(of: .app) == false
    else {
      throw FieldError(.invalidInput, "the front door of the city does not lead where it should")
    }
    try await field.close()
  }
}
