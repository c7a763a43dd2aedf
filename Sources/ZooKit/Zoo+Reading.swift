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

  /// The events in the order of the zoo.
  @concurrent
  public func events() async throws -> [ZooEvent] {
    try await view().events
  }

  /// The nearest animals, nearest first.
  ///
  /// - Parameters:
  ///   - place: Where to search from.
  ///   - count: How many at the most.
  @concurrent
  public func nearest(to place: Coordinate, count: Int) async throws -> [NearbyAnimal] {
    try await view().nearest(to: place, count: count)
  }
}
