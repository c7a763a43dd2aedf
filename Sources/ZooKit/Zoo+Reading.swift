public import FieldCore

extension Zoo {
  /// The animals that a query finds, in its order; all of them, in the order of the zoo, by default.
  @concurrent
  public func animals(_ query: AnimalQuery = AnimalQuery()) async throws -> [Animal] {
    try await view().find(query)
  }

  /// The animal of this key, or nil.
  @concurrent
  public func animal(_ id: Animal.ID) async throws -> Animal? {
    try await view()[id]
  }

  /// The species: the animals of one name, which may be shown at several places, as one.
  @concurrent
  public func species() async throws -> [Species] {
    try await view().species
  }

  /// The areas in the order of the zoo.
  @concurrent
  public func areas() async throws -> [ZooArea] {
    try await view().areas
  }

  /// The plants in the order of the zoo.
  @concurrent
  public func plants() async throws -> [Plant] {
    try await view().plants
  }

  /// The events, all of them in the order of the zoo, or those of one day.
  @concurrent
  public func events(on day: CalendarDay? = nil) async throws -> [ZooEvent] {
    let view = try await view()
    return day.map { view.events(on: $0) } ?? view.events
  }

  /// The nearest animals, nearest first; each once, at its nearest place.
  ///
  /// - Parameters:
  ///   - place: Where to search from.
  ///   - count: How many at the most.
  ///   - plausibleOnly: Whether animals whose place is not in the zoo are left out, as by default.
  ///   - query: Conditions that the animals must meet; its order, limit and offset are left aside.
  @concurrent
  public func nearest(
    to place: Coordinate, count: Int, plausibleOnly: Bool = true,
    matching query: AnimalQuery = AnimalQuery()
  ) async throws -> [NearbyAnimal] {
    try await view().nearest(
      to: place, count: count, plausibleOnly: plausibleOnly, matching: query)
  }

  /// The nearest areas, nearest first.
  @concurrent
  public func nearestAreas(to place: Coordinate, count: Int) async throws -> [NearbyArea] {
    try await view().nearestAreas(to: place, count: count)
  }
}
