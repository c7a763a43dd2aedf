public import FieldCore

extension WalkDiary {
  /// Returns the owner's places, sorted by name.
  ///
  /// ```swift
  /// for place in try await diary.places(.goal) { print(place.name, place.coordinate) }
  /// ```
  ///
  /// - Parameter kind: The kind of the places; `nil` for all. Defaults to `nil`.
  public func places(_ kind: Place.Kind? = nil) async throws -> [Place] {
    try await core.read("The places can't be read.") {
      try await core.stored.places().filter { kind == nil || $0.kind == kind }
    }
  }

  /// Adds a place; a new home replaces the old one.
  ///
  /// ```swift
  /// try await diary.addPlace("大安森林公園", at: here)
  /// ```
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the name is blank or longer than 100
  ///   characters.
  @discardableResult
  public func addPlace(
    _ name: String, kind: Place.Kind = .goal, at coordinate: Coordinate
  ) async throws -> Place {
    let name = try Self.checked(name)
    return try await core.write("The place can't be stored.") {
      let id = core.newID(besides: try await core.stored.places().map(\.id.rawValue))
      let place = Place(id: Place.ID(rawValue: id), name: name, kind: kind, coordinate: coordinate)
      try await core.stored.save(place)
      return place
    }
  }

  /// Updates a place without affecting the walks that went there.
  ///
  /// - Throws: `FieldError` with the code `walks.unknownPlace` or `input.invalid`.
  @discardableResult
  public func update(_ place: Place) async throws -> Place {
    var place = place
    place.name = try Self.checked(place.name)
    try await core.write("The place can't be changed.") {
      guard try await core.stored.places().contains(where: { $0.id == place.id }) else {
        throw FieldError.unknownPlace(place.id)
      }
      try await core.stored.save(place)
    }
    return place
  }

  /// Deletes a place without affecting the walks that went there.
  ///
  /// - Throws: `FieldError` with the code `walks.unknownPlace`.
  public func delete(_ id: Place.ID) async throws {
    try await core.write("The place can't be removed.") {
      guard try await core.stored.removePlace(id) else { throw FieldError.unknownPlace(id) }
    }
  }

  private static func checked(_ name: String) throws -> String {
    let name = PetRules.trimmed(name)
    guard (1...100).contains(name.count) else {
      throw FieldError(
        .invalidInput,
        "A place's name must have 1 to 100 characters, but this one has \(name.count).")
    }
    return name
  }
}

extension FieldError {
  static func unknownPlace(_ id: Place.ID) -> FieldError {
    FieldError(.unknownPlace, "There is no place with the ID \(id). It may have been deleted.")
  }
}
