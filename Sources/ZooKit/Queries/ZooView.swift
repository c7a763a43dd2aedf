public import FieldCore

/// An immutable snapshot of the zoo's data that you can query synchronously, in hot loops or
/// SwiftUI.
///
/// The indexes are built by the first query that needs them, copies of the view share them, and later views update them
/// by what has changed.
///
/// ```swift
/// let pandas = view.find(AnimalQuery(text: "熊貓"))
/// let near = view.nearest(to: here, count: 5)
/// let birds = view.animals(in: ZooArea.ID(name: "鳥園區"))
/// ```
public struct ZooView: StoreView {
  package let snapshot: Snapshot<ZooRecord>
  /// The damaged parts that opening cut off, until a refresh or `open()` has reported them.
  public package(set) var damage: [OpeningReport.Cut] = []
  private let content: ZooContent
  private let indexes: ZooIndexes

  /// Creates a view of records, which keep their order; of records with the same ID, the first is
  /// found.
  ///
  /// `areaAliases` contains the names that animals and plants use for areas, each with the area's
  /// own name.
  public init(
    animals: [Animal] = [], areas: [ZooArea] = [], plants: [Plant] = [], events: [ZooEvent] = [],
    areaAliases: [String: String] = ZooArea.knownAliases
  ) {
    self.init(
      ZooContent(
        animals: ZooRows(animals), areas: ZooRows(areas), plants: ZooRows(plants),
        events: ZooRows(events), aliases: areaAliases),
      in: IndexedSnapshot(Snapshot([])), after: nil)
  }

  package init(of snapshot: Snapshot<ZooRecord>, after earlier: ZooView? = nil) {
    let store = IndexedSnapshot(snapshot)
    let content = earlier.flatMap { earlier in
      store.changes(since: earlier.snapshot).map(earlier.content.updated)
    }
    self.init(content ?? ZooContent(snapshot), in: store, after: earlier?.indexes)
  }

  private init(
    _ content: ZooContent, in store: IndexedSnapshot<ZooRecord>, after earlier: ZooIndexes?
  ) {
    snapshot = store.snapshot
    self.content = content
    indexes = ZooIndexes(of: content, in: store, after: earlier)
  }

  /// The store's checkpoint, which records how far it had come with its source.
  public var checkpoint: Checkpoint? { snapshot.checkpoint }

  /// The animals, in source order.
  public var animals: [Animal] { content.animals.all }
  /// The areas, in source order.
  public var areas: [ZooArea] { content.areas.all }
  /// The plants, in source order.
  public var plants: [Plant] { content.plants.all }
  /// The events, in source order.
  public var events: [ZooEvent] { content.events.all }
  /// The species, in the order in which their animals first occur.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// for species in view.species { show(species.title(in: .english), species.animals.count) }
  /// ```
  public var species: [Species] { indexes.species }

  /// The animals as entries of a list, numbered from 0, with the secure URLs of their pictures.
  var entries: [ZooEntry] { indexes.entries }

  /// The animal with the given ID, or `nil` if there is none.
  public subscript(id: Animal.ID) -> Animal? { content.animals[id] }
  /// The area with the given ID, or `nil` if there is none.
  public subscript(id: ZooArea.ID) -> ZooArea? { content.areas[id] }
  /// The plant with the given ID, or `nil` if there is none.
  public subscript(id: Plant.ID) -> Plant? { content.plants[id] }

  // MARK: Queries

  /// Returns the animals that match a query.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// show(view.find(AnimalQuery(statuses: [.criticallyEndangered], order: .name)).map(\.name))
  /// ```
  public func find(_ query: AnimalQuery = AnimalQuery()) -> [Animal] {
    let animals = content.animals.all
    let found = query.sort(positions(matching: query), of: animals)
    return found.page(offset: query.offset, limit: query.limit).map { animals[$0] }
  }

  /// Returns the number of animals that match a query, ignoring its limit and offset.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// show(view.count(AnimalQuery(endemicOnly: true)))
  /// ```
  public func count(_ query: AnimalQuery = AnimalQuery()) -> Int {
    positions(matching: query).count
  }

  /// Returns the plants whose names contain all words of a text, in source order.
  ///
  /// For the rules of the search, see ``AnimalQuery/text``.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// show(view.plants(matching: "九芎").map(\.name))
  /// ```
  public func plants(matching text: String) -> [Plant] {
    let plants = content.plants.all
    return indexes.plantText.slots(containing: text, words: .all).map { plants[Int($0)] }
  }

  /// Returns the events that take place on a day, in source order; see
  /// ``ZooEvent/takesPlace(on:)``.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// for event in view.events(on: CalendarDay(Date(), in: .taipei)) { show(event.title) }
  /// ```
  public func events(on day: CalendarDay) -> [ZooEvent] {
    content.events.all.filter { $0.takesPlace(on: day) }
  }

  /// Returns the positions of the matching animals, in ascending order.
  private func positions(matching query: AnimalQuery) -> [Int] {
    let animals = content.animals.all
    let positions = candidates(of: query) ?? Array(animals.indices)
    return positions.filter { query.admits(animals[$0]) }
  }

  /// Returns the ascending positions of the animals that meet the indexed conditions, or `nil` if
  /// the query has no such condition.
  private func candidates(of query: AnimalQuery) -> [Int]? {
    var hits: [Int]?
    if let text = query.text, !TextFolding.fold(text).isEmpty {
      hits = indexes.text.slots(containing: text, words: .all).map { Int($0) }
    }
    guard let area = query.area else { return hits }
    let shown = content.areas.positions[area].map { indexes.animalsOfAreas[$0] } ?? []
    guard let found = hits else { return shown }
    let isShown = Set(shown)
    return found.filter { isShown.contains($0) }
  }

  // MARK: Areas

  /// Returns the animals in an area, in source order; empty if there is no such area.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// if let area = view.area(named: "鳥園區") { show(view.animals(in: area.id).map(\.name)) }
  /// ```
  public func animals(in area: ZooArea.ID) -> [Animal] {
    guard let position = content.areas.positions[area] else { return [] }
    let animals = content.animals.all
    return indexes.animalsOfAreas[position].map { animals[$0] }
  }

  /// Returns the areas where an animal is shown, in the order in which the animal names them.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// show(view.areas(of: animal).map(\.name))
  /// ```
  public func areas(of animal: Animal) -> [ZooArea] { areas(named: animal.locations) }

  /// Returns the areas where a plant grows, in the order in which the plant names them.
  ///
  /// Many places of plants aren't areas.
  public func areas(of plant: Plant) -> [ZooArea] { areas(named: plant.locations) }

  /// Returns the area with a name, in the spelling of any table, or `nil` if there is none.
  public func area(named name: String) -> ZooArea? {
    indexes.areaNames.position(of: name).map { content.areas.all[$0] }
  }

  /// The animals' location names that match no area, each once, in order of first occurrence.
  public var unmatchedLocations: [String] {
    let names = indexes.areaNames
    return content.animals.all.flatMap(\.locations).uniqued().filter {
      names.position(of: $0) == nil
    }
  }

  private func areas(named names: [String]) -> [ZooArea] {
    names.compactMap(indexes.areaNames.position).uniqued().map { content.areas.all[$0] }
  }

  // MARK: Places

  /// Returns the animals closest to a location, nearest first, each once at its nearest place.
  ///
  /// Animals at the same distance are in source order.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// for near in view.nearest(to: here, count: 5) { show(near.animal.name, near.distance) }
  /// ```
  ///
  /// - Parameters:
  ///   - place: The location to search from.
  ///   - count: The maximum number of animals to return.
  ///   - plausibleOnly: Pass `false` to include animals whose place isn't in the zoo. Defaults to
  ///     `true`.
  ///   - query: The conditions to match. Its order, limit, and offset are ignored.
  public func nearest(
    to place: Coordinate, count: Int, plausibleOnly: Bool = true,
    matching query: AnimalQuery = AnimalQuery()
  ) -> [NearbyAnimal] {
    guard count > 0 else { return [] }
    let places = indexes.animalPlaces
    let animals = content.animals.all
    let candidates = candidates(of: query).map(Set.init)
    // An animal with several places can occur repeatedly among the nearest places.
    let (entries, overflow) = count.multipliedReportingOverflow(by: places.mostOfOne)
    let hits = places.index.nearest(
      to: place, count: overflow ? places.index.count : min(entries, places.index.count)
    ) { position in
      let animal = animals[Int(position)]
      return (!plausibleOnly || animal.positionIssue != .outsideZoo)
        && candidates?.contains(Int(position)) != false && query.admits(animal)
    }
    return hits.uniqued(by: \.key).prefix(count).compactMap { hit in
      let animal = animals[Int(hit.key)]
      let nearest = animal.places.min { place.distance(to: $0) < place.distance(to: $1) }
      return nearest.map { NearbyAnimal(animal: animal, place: $0, distance: hit.distance) }
    }
  }

  /// Returns the areas closest to a location, nearest first, with ties in source order.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// show(view.nearestAreas(to: here, count: 3))
  /// ```
  public func nearestAreas(to place: Coordinate, count: Int) -> [NearbyArea] {
    let (index, areas) = (indexes.areaPlaces, content.areas.all)
    return index.nearest(to: place, count: count > 0 ? index.count : 0)
      .uniqued(by: \.key).prefix(max(0, count))
      .map { NearbyArea(areas[Int($0.key)], distance: $0.distance) }
  }
}
