internal import FieldCore

extension StoredWalks {
  /// Returns all places, sorted by name.
  @concurrent
  package func places() async throws -> [Place] { Self.places(in: try await snapshot()) }

  /// Adds or replaces a place; there is one home at most.
  @concurrent
  package func save(_ place: Place) async throws {
    try await changing { snapshot, changes in
      if place.kind == .home {
        for other in Self.places(in: snapshot) where other.kind == .home && other.id != place.id {
          changes.remove(WalkRecord.id(of: other.id))
        }
      }
      changes.upsert(WalkRecord(.place(place)))
    }
  }

  /// Removes a place.
  @concurrent
  @discardableResult
  package func removePlace(_ id: Place.ID) async throws -> Bool {
    try await removeRecord(WalkRecord.id(of: id))
  }

  static func places(in snapshot: Snapshot<WalkRecord>) -> [Place] {
    snapshot.all(.place, \.place).sorted { ($0.name, $0.id.rawValue) < ($1.name, $1.id.rawValue) }
  }
}

extension StoredWalks {
  /// Returns the pet that was selected last.
  @concurrent
  package func selectedPet() async throws -> Pet.ID? {
    guard case .choice(let pet)? = try await snapshot()[id: WalkRecord.choice]?.content else {
      return nil
    }
    return pet
  }

  /// Stores the selected pet.
  @concurrent
  package func select(_ pet: Pet.ID?) async throws {
    try await store.commit(
      Changes(upserting: [WalkRecord(.choice(pet))]), checkpoint: nil, expecting: nil)
  }
}
