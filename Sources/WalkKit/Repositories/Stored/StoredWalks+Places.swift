internal import FieldCore

extension StoredWalks: PlaceRepository {
  /// Returns all places, sorted by name.
  @concurrent
  public func places() async throws -> [Place] { Self.places(in: try await snapshot()) }

  /// Adds or replaces a place; there is one home at most.
  @concurrent
  public func save(_ place: Place) async throws {
    try await changing { snapshot, changes in
      if place.kind == .home {
        for other in Self.places(in: snapshot) where other.kind == .home && other.id != place.id {
          changes.remove(Record.id(of: other.id))
        }
      }
      changes.upsert(Record(.place(place)))
    }
  }

  /// Removes a place.
  @concurrent
  @discardableResult
  public func remove(_ id: Place.ID) async throws -> Bool {
    try await removeRecord(Record.id(of: id))
  }

  static func places(in snapshot: Snapshot<Record>) -> [Place] {
    snapshot.all(.place, \.place).sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
  }
}

extension StoredWalks: WalkSettings {
  /// Returns the pet that was selected last.
  @concurrent
  public func selectedPet() async throws -> Pet.ID? {
    guard case .choice(let pet)? = try await snapshot()[id: Record.choice]?.content else {
      return nil
    }
    return pet
  }

  /// Stores the selected pet.
  @concurrent
  public func select(_ pet: Pet.ID?) async throws {
    try await store.commit(
      Changes(upserting: [Record(.choice(pet))]), checkpoint: nil, expecting: nil)
  }
}
