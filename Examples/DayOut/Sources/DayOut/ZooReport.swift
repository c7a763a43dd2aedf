import FieldKit

/// The output of `day-out zoo --json`.
struct ZooReport: Encodable {
  struct Near: Encodable {
    let id: String
    let name: String
    let meters: Double
  }

  let animals: Int
  let species: Int
  let areas: Int
  let plants: Int
  let events: Int
  let withCoordinate: Int
  let withPicture: Int
  /// Rows of all files that could not be used.
  let failures: Int
  /// How many animals have each status of the Red List, by its code.
  let conservation: [String: Int]
  /// How many animals have the text in one of their names; null when none was asked for.
  let search: Int?
  let found: [String]
  let nearest: [Near]
  /// Places that animals are said to be at, and no area is called.
  let unmatchedLocations: [String]
  let changes: [RefreshChange]

  init(
    refreshes: [RefreshReport], view: ZooView, nearest: [NearbyAnimal], search: [Animal]?
  ) {
    animals = view.animals.count
    species = view.species.count
    areas = view.areas.count
    plants = view.plants.count
    events = view.events.count
    withCoordinate = view.animals.count { !$0.places.isEmpty }
    withPicture = view.animals.count { $0.pictures.contains { $0.url != nil } }
    failures = refreshes.reduce(0) { $0 + $1.failureCount }
    conservation = view.animals.reduce(into: [:]) { counts, animal in
      if let status = animal.conservation { counts[status.rawValue, default: 0] += 1 }
    }
    self.search = search?.count
    found = search?.map(\.name) ?? []
    self.nearest = nearest.map {
      Near(id: $0.animal.id.rawValue, name: $0.animal.name, meters: $0.distance.meters)
    }
    unmatchedLocations = view.areas.isEmpty ? [] : view.unmatchedLocations
    changes = refreshes.map(RefreshChange.init)
  }

  func printTables(
    _ refreshes: [RefreshReport], search text: String?, found: [Animal], near: [NearbyAnimal],
    _ language: TextLanguage
  ) {
    RefreshChange.printTable(of: refreshes)
    var figures = Table("figure", "value")
    figures.add("animals", "\(animals)")
    figures.add("species", "\(species)")
    figures.add("with a place", "\(withCoordinate)")
    figures.add("with a picture", "\(withPicture)")
    figures.add("areas", "\(areas)")
    figures.add("plants", "\(plants)")
    figures.add("events", "\(events)")
    if let text, let search { figures.add("names with \"\(text)\"", "\(search)") }
    figures.print()
    if !conservation.isEmpty {
      var statuses = Table("status", "animals")
      for status in ConservationStatus.known {
        guard let count = conservation[status.rawValue] else { continue }
        statuses.add("\(status.rawValue) \(language.text(status.title))", "\(count)")
      }
      statuses.print()
    }
    if !found.isEmpty {
      say("found: \(found.prefix(10).map(language.name).joined(separator: ", "))\n")
    }
    guard !near.isEmpty else { return }
    var places = Table("nearest", "m")
    for near in near {
      places.add(language.name(near.animal), "\(Int(near.distance.meters.rounded()))")
    }
    places.print()
  }
}
