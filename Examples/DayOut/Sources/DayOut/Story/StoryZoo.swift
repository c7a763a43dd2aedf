import FieldFakes
import FieldKit
import Foundation

/// The zoo in the story: fetched once, and then visited with the network disconnected.
struct StoryZoo {
  private let zoo: Zoo
  private let storage: Storage
  private let network: StoryNetwork
  private let sighting = "臺灣藍鵲"
  private let photo = Data(FakeTaipeiOpenData.SmallPicture.jpeg)

  init(storage: Storage, network: StoryNetwork) {
    self.storage = storage
    self.network = network
    zoo = Self.zoo(storage, network.url)
  }

  private static func zoo(_ storage: Storage, _ url: URL) -> Zoo {
    let transport = URLSessionTransport()
    return Zoo(
      sources: TaipeiZoo(TaipeiOpenData(transport: transport, base: url)).sources, storage: storage,
      transport: LocalPictures(base: transport, server: url))
  }

  func noteSighting(_ narrator: Narrator) async throws {
    try await zoo.addSighting(name: sighting, photo: photo)
    try narrator.expect(
      try await zoo.listing().map(\.name) == [sighting], "a sighting needs no network.")
    narrator.done(.sightingStored, sighting)
  }

  /// Returns the number of animals.
  func visit(_ narrator: Narrator) async throws -> Int {
    narrator.chapter("10:05", .zoo, .zooSentence)
    try await zoo.refresh()
    let pictures = try await zoo.prefetchImages()
    try narrator.expect(
      pictures.failures.count == 1, "the one picture that is a web page is refused.")
    let before = try await zoo.listing()
    narrator.done(.fetched, "\(before.animals.count)", "\(pictures.fetched)")
    await network.disconnect()
    let error = try await narrator.failure(of: "a refresh without a network") {
      try await zoo.refresh(.now)
    }
    narrator.failed(.refreshing, narrator.reason(of: error))
    let after = try await zoo.listing()
    try narrator.expect(
      after.map(\.name) == before.map(\.name), "a refresh that fails leaves the list as it was.")
    let near = try await search(narrator)
    let stored = try await storedPictures()
    try narrator.expect(stored == pictures.fetched, "stored pictures need no network.")
    narrator.done(.pictures, "\(stored)")
    narrator.compare(
      narrator.text(.noAnswer), naive: narrator.text(.emptyList),
      fieldKit: narrator.text(.wholeZoo, "\(after.animals.count)", "\(stored)"))
    try await draw(narrator, near)
    try await zoo.close()
    return after.animals.count
  }

  private func search(_ narrator: Narrator) async throws -> [NearbyAnimal] {
    let found = try await zoo.animals(AnimalQuery(text: "panda"))
    try narrator.expect(!found.isEmpty, "a search needs no network.")
    let names = found.map { "\(narrator.name($0))\(status(of: $0, narrator))" }
    narrator.done(.found, names.joined(separator: ", "))
    let near = try await zoo.nearest(to: try Self.gate, count: 3)
    let places = near.map {
      "\(narrator.name($0.animal)) (\(Int($0.distance.meters.rounded())) m)"
    }
    narrator.done(.nearest, places.joined(separator: ", "))
    return near
  }

  private func status(of animal: Animal, _ narrator: Narrator) -> String {
    animal.conservation.map { ", \(narrator.text(ZooTexts.name(of: $0)))" } ?? ""
  }

  /// Loads all pictures and returns how many there are.
  private func storedPictures() async throws -> Int {
    var count = 0
    for entry in try await zoo.listing() where !entry.isLocal {
      do {
        _ = try await zoo.image(for: entry)
        count += 1
      } catch is FieldError {
        continue
      }
    }
    return count
  }

  private static var gate: Coordinate {
    get throws { try Coordinate(latitude: 24.9986, longitude: 121.5809) }
  }

  private func draw(_ narrator: Narrator, _ near: [NearbyAnimal]) async throws {
    let view = try await zoo.view()
    narrator.page.figure(
      try ZooMap(view, from: try Self.gate, near: near, in: narrator.language).svg,
      caption: narrator.text(.zooCaption, "\(view.animals.count)"))
    narrator.page.table(
      caption: narrator.text(.animals),
      [narrator.text(.name), narrator.text(.englishName), narrator.text(.status)],
      view.animals.map { animal in
        let status = animal.conservation.map { narrator.text(ZooTexts.name(of: $0)) }
        return [animal.name, animal.englishName ?? "", status ?? ""]
      })
    narrator.page.note(zoo.dataSources[0].attribution)
  }

  /// Opens the zoo again and checks that everything is there.
  func checkStored(_ narrator: Narrator, animals: Int) async throws {
    let again = Self.zoo(storage, network.url)
    let listing = try await again.listing()
    try narrator.expect(listing.animals.count == animals, "the zoo's animals are on the disk.")
    try narrator.expect(listing.sightingCount == 1, "the sighting is on the disk.")
    let image = try await again.image(for: listing[0])
    try narrator.expect(listing[0].isLocal && image.data == photo, "the sighting's photo is whole.")
    try await again.close()
    narrator.done(.zooStored, "\(animals)")
  }
}
