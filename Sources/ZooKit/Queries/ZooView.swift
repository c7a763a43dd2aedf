public import FieldCore

/// The zoo's data at one moment, to be asked without waiting: for hot loops and for SwiftUI.
///
/// A view never changes. Its indexes are built at the first question that needs them; copies share them.
///
/// ```swift
/// let pandas = view.find(AnimalQuery(text: "熊貓"))
/// let near = view.nearest(to: here, count: 5)
/// let birds = view.animals(in: ZooArea.ID(name: "鳥園區"))
/// ```
public struct ZooView: StoreView {
  package let snapshot: Snapshot<ZooRecord>
  /// What opening the store cut off, until a refresh or `open()` has reported it.
  public package(set) var damage: [OpeningReport.Cut] = []
  private let content: ZooContent
  private let indexes: ZooIndexes
  private let positions: [Animal.ID: Int]
  private let areaPositions: [ZooArea.ID: Int]
  private let plantPositions: [Plant.ID: Int]

  /// Makes a view of records, which keep their order. Of records with one key the first is found by it.
  ///
  /// `areaAliases` has names by which animals and plants call areas, each with the area's own name.
  public init(
    animals: [Animal] = [], areas: [ZooArea] = [], plants: [Plant] = [], events: [ZooEvent] = [],
    areaAliases: [String: String] = ZooArea.knownAliases
  ) {
    self.init(
      ZooContent(
        animals: animals, areas: areas, plants: plants, events: events, aliases: areaAliases),
      of: Snapshot([]))
  }

  package init(of snapshot: Snapshot<ZooRecord>, after earlier: ZooView? = nil) {
    self.init(ZooContent(snapshot), of: snapshot)
  }

  private init(_ content: ZooContent, of snapshot: Snapshot<ZooRecord>) {
    self.snapshot = snapshot
    self.content = content
    indexes = ZooIndexes(of: content)
    positions = Self.positions(content.animals.map(\.id))
    areaPositions = Self.positions(content.areas.map(\.id))
    plantPositions = Self.positions(content.plants.map(\.id))
  }

  /// How far the store had come with its source.
  public var checkpoint: Checkpoint? { snapshot.checkpoint }

  private static func positions<ID: Hashable>(_ ids: [ID]) -> [ID: Int] {
    Dictionary(zip(ids, ids.indices)) { first, _ in first }
  }

  /// The animals in the order of the source.
  public var animals: [Animal] { content.animals }
  /// The areas in the order of the source.
  public var areas: [ZooArea] { content.areas }
  /// The plants in the order of the source.
  public var plants: [Plant] { content.plants }
  /// The events in the order of the source.
  public var events: [ZooEvent] { content.events }
  /// The species, in the order in which their animals come first.
  public var species: [Species] { indexes.species }

  /// The animal of this id, or nil.
  public subscript(id: Animal.ID) -> Animal? { positions[id].map { content.animals[$0] } }
  /// The area of this id, or nil.
  public subscript(id: ZooArea.ID) -> ZooArea? { areaPositions[id].map { content.areas[$0] } }
  /// The plant of this id, or nil.
  public subscript(id: Plant.ID) -> Plant? { plantPositions[id].map { content.plants[$0] } }

  // MARK: Queries

  /// The animals that a query finds.
  public func find(_ query: AnimalQuery = AnimalQuery()) -> [Animal] {
    let found = query.sort(positions(matching: query), of: content.animals)
    return found.page(offset: query.offset, limit: query.limit).map { content.animals[$0] }
  }

  /// How many animals a query finds, its limit and offset left aside.
  public func count(_ query: AnimalQuery = AnimalQuery()) -> Int {
    positions(matching: query).count
  }

  /// The plants whose names contain all words of a text, in the order of the source; see
  /// ``AnimalQuery/text``.
  public func plants(matching text: String) -> [Plant] {
    indexes.plantText.matches(text, words: .all).map { content.plants[Int($0)] }
  }

  /// The events that take place on a day, in the order of the source; see
  /// ``ZooEvent/takesPlace(on:)``.
  public func events(on day: CalendarDay) -> [ZooEvent] {
    content.events.filter { $0.takesPlace(on: day) }
  }

  /// The positions of the animals that a query finds, ascending.
  private func positions(matching query: AnimalQuery) -> [Int] {
    let positions = candidates(of: query) ?? Array(content.animals.indices)
    return positions.filter { query.admits(content.animals[$0]) }
  }

  /// The positions of the animals that meet the conditions for which there are indexes, ascending; nil
  /// when the query has none of them.
  private func candidates(of query: AnimalQuery) -> [Int]? {
    var hits: [Int]?
    if let text = query.text, !TextFolding.fold(text).isEmpty {
      hits = indexes.text.matches(text, words: .all).map { Int($0) }
    }
    guard let area = query.area else { return hits }
    let shown = areaPositions[area].map { indexes.animalsOfAreas[$0] } ?? []
    guard let found = hits else { return shown }
    let isShown = Set(shown)
    return found.filter { isShown.contains($0) }
  }

  // MARK: Areas

  /// The animals that are shown in an area, in the order of the source; none when there is no such area.
  public func animals(in area: ZooArea.ID) -> [Animal] {
    guard let position = areaPositions[area] else { return [] }
    return indexes.animalsOfAreas[position].map { content.animals[$0] }
  }

  /// The areas in which an animal is shown, in the order in which it names them.
  public func areas(of animal: Animal) -> [ZooArea] { areas(named: animal.locations) }

  /// The areas in which a plant grows, in the order in which it names them; many of its places are no
  /// areas.
  public func areas(of plant: Plant) -> [ZooArea] { areas(named: plant.locations) }

  /// The area of a name as any table has it, or nil.
  public func area(named name: String) -> ZooArea? {
    indexes.areaNames.position(of: name).map { content.areas[$0] }
  }

  /// The names of places of animals that are no area's, each once, in the order in which they come.
  public var unmatchedLocations: [String] {
    let names = indexes.areaNames
    var seen: Set<String> = []
    return content.animals.flatMap(\.locations).filter {
      names.position(of: $0) == nil && seen.insert($0).inserted
    }
  }

  private func areas(named names: [String]) -> [ZooArea] {
    var seen: Set<Int> = []
    return names.compactMap(indexes.areaNames.position).filter { seen.insert($0).inserted }
      .map { content.areas[$0] }
  }

  // MARK: Places

  /// The nearest animals, nearest first, ties in the order of the source; each once, at its nearest
  /// place.
  ///
  /// - Parameters:
  ///   - place: Where to search from.
  ///   - count: How many at the most.
  ///   - plausibleOnly: Whether animals whose place is not in the zoo are left out, as by default.
  ///   - query: Conditions that the animals must meet; its order, limit and offset are left aside.
  public func nearest(
    to place: Coordinate, count: Int, plausibleOnly: Bool = true,
    matching query: AnimalQuery = AnimalQuery()
  ) -> [NearbyAnimal] {
    guard count > 0 else { return [] }
    let places = indexes.animalPlaces
    let candidates = candidates(of: query).map(Set.init)
    // An animal of several places can come several times among the nearest places.
    let (entries, overflow) = count.multipliedReportingOverflow(by: places.mostOfOne)
    var seen: Set<Int32> = []
    let hits = places.index.nearest(
      to: place, count: overflow ? places.index.count : min(entries, places.index.count)
    ) { position in
      let animal = content.animals[Int(position)]
      return (!plausibleOnly || animal.positionIssue != .outsideZoo)
        && candidates?.contains(Int(position)) != false && query.admits(animal)
    }
    return hits.filter { seen.insert($0.key).inserted }.prefix(count).compactMap { hit in
      let animal = content.animals[Int(hit.key)]
      let nearest = animal.places.min { place.distance(to: $0) < place.distance(to: $1) }
      return nearest.map { NearbyAnimal(animal: animal, place: $0, distance: hit.distance) }
    }
  }

  /// The nearest areas, nearest first, ties in the order of the source.
  public func nearestAreas(to place: Coordinate, count: Int) -> [NearbyArea] {
    var seen: Set<Int32> = []
    return indexes.areaPlaces.nearest(to: place, count: count > 0 ? indexes.areaPlaces.count : 0)
      .filter { seen.insert($0.key).inserted }.prefix(max(0, count))
      .map { NearbyArea(content.areas[Int($0.key)], distance: $0.distance) }
  }
}
