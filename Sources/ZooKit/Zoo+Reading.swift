public import FieldCore

extension Zoo {
  /// Returns the animals that match a query; by default, all of them in the order of the zoo.
  ///
  /// ```swift
  /// let pandas = try await zoo.animals(AnimalQuery(text: "panda", hasPicture: true))
  /// print(pandas.map(\.name))
  /// ```
  @concurrent
  public func animals(_ query: AnimalQuery = AnimalQuery()) async throws -> [Animal] {
    try await view().find(query)
  }

  /// Returns the animal with the given ID, or `nil` if there is none.
  ///
  /// ```swift
  /// if let found = try await zoo.animal(animal.id) { show(found.name, found.diet as Any) }
  /// ```
  @concurrent
  public func animal(_ id: Animal.ID) async throws -> Animal? { try await view()[id] }

  /// Returns the species: the animals of one name as one, even if they are shown in several places.
  ///
  /// ```swift
  /// for species in try await zoo.species() { print(species.name, species.animals.count) }
  /// ```
  @concurrent
  public func species() async throws -> [Species] { try await view().species }

  /// Returns the areas, in the order of the zoo.
  ///
  /// ```swift
  /// for area in try await zoo.areas() { print(area.name, area.category as Any) }
  /// ```
  @concurrent
  public func areas() async throws -> [ZooArea] { try await view().areas }

  /// Returns the plants, in the order of the zoo.
  ///
  /// ```swift
  /// print(try await zoo.plants().map(\.name))
  /// ```
  @concurrent
  public func plants() async throws -> [Plant] { try await view().plants }

  /// Returns all events in the order of the zoo, or those of one day.
  ///
  /// ```swift
  /// let today = CalendarDay(.now, in: .taipei)
  /// for event in try await zoo.events(on: today) { print(event.title, event.location as Any) }
  /// ```
  @concurrent
  public func events(on day: CalendarDay? = nil) async throws -> [ZooEvent] {
    let view = try await view()
    return day.map { view.events(on: $0) } ?? view.events
  }

  /// Returns the animals closest to a location, nearest first, each once at its nearest place.
  ///
  /// ```swift
  /// for near in try await zoo.nearest(to: here, count: 5) {
  ///   print(near.animal.name, near.distance)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - place: The location to search from.
  ///   - count: The maximum number of animals to return.
  ///   - plausibleOnly: Pass `false` to include animals whose place isn't in the zoo. Defaults to
  ///     `true`.
  ///   - query: The conditions to match. Its order, limit, and offset are ignored.
  @concurrent
  public func nearest(
    to place: Coordinate, count: Int, plausibleOnly: Bool = true,
    matching query: AnimalQuery = AnimalQuery()
  ) async throws -> [NearbyAnimal] {
    try await view().nearest(to: place, count: count, plausibleOnly: plausibleOnly, matching: query)
  }

  /// Returns the areas closest to a location, nearest first.
  ///
  /// ```swift
  /// for near in try await zoo.nearestAreas(to: here, count: 3) {
  ///   print(near.record.name, near.distance)
  /// }
  /// ```
  @concurrent
  public func nearestAreas(to place: Coordinate, count: Int) async throws -> [NearbyArea] {
    try await view().nearestAreas(to: place, count: count)
  }
}
