public import FieldCore
public import FieldFoundation

extension Zoo {
  /// Adds a sighting: photo, name and number are stored in one step, or not at all.
  ///
  /// Nothing is asked of the network for it.
  ///
  /// - Parameters:
  ///   - name: The name; space around it is taken off.
  ///   - photo: The bytes of a picture, as a camera gives them.
  ///   - date: When the animal was seen; now by default.
  ///   - place: Where it was seen.
  /// - Returns: The sighting with its number, when it is on the device.
  /// - Throws: `FieldError` with the code `zoo.sightingRefused`, which says at once all that is wrong
  ///   with name and photo; with a code of `store` when it cannot be stored. Nothing has changed then.
  @discardableResult
  public func addSighting(
    name: String?, photo: Data?, date: Date? = nil, place: Coordinate? = nil
  ) async throws -> Sighting {
    try await FieldError.wrapping("the sighting cannot be stored", operation: "zoo.addSighting") {
      try await sightingStore.add(name: name, photo: photo, date: date, place: place)
    }
  }

  /// Changes a sighting in one step: what is given in place of what was.
  ///
  /// - Parameters:
  ///   - id: The sighting.
  ///   - name: The new name; nil leaves it.
  ///   - photo: The new photo; nil leaves it.
  ///   - place: The new place; nil leaves it.
  /// - Throws: `FieldError` with the code `zoo.sightingNotFound` when there is none, and as
  ///   ``addSighting(name:photo:date:place:)`` does.
  @discardableResult
  public func editSighting(
    _ id: Sighting.ID, name: String? = nil, photo: Data? = nil, place: Coordinate? = nil
  ) async throws -> Sighting {
    try await FieldError.wrapping("the sighting cannot be changed", operation: "zoo.editSighting") {
      try await sightingStore.edit(id, name: name, photo: photo, place: place)
    }
  }

  /// Removes a sighting with its photo; its number is never given again.
  ///
  /// As long as a damaged part of the records is set aside beside the store, photos stay on the device,
  /// because a sighting in that part may have the same photo. They go when that part is gone.
  ///
  /// - Throws: `FieldError` with the code `zoo.sightingNotFound` when there is none.
  public func removeSighting(_ id: Sighting.ID) async throws {
    try await FieldError.wrapping(
      "the sighting cannot be removed", operation: "zoo.removeSighting"
    ) {
      try await sightingStore.remove(id)
    }
  }

  /// Removes all sightings with their photos; their numbers are never given again.
  ///
  /// What was set aside of damaged records goes too, and so do the photos of sightings that were lost.
  public func eraseSightings() async throws {
    try await FieldError.wrapping(
      "the sightings cannot be erased", operation: "zoo.eraseSightings"
    ) {
      try await sightingStore.removeAll()
    }
  }

  /// The sighting of this id, or nil.
  public func sighting(_ id: Sighting.ID) async throws -> Sighting? {
    try await FieldError.wrapping("the sightings cannot be read", operation: "zoo.sighting") {
      try await sightingStore.repository.snapshot()[id: id]
    }
  }

  /// The user's sightings, the newest first.
  public func sightings() async throws -> [Sighting] {
    try await FieldError.wrapping("the sightings cannot be read", operation: "zoo.sightings") {
      try await sightingStore.repository.snapshot().sorted { $0.number > $1.number }
    }
  }

  /// Takes the old app's records over, once: all in one step, with their numbers.
  ///
  /// The counter goes on where the old app's stood. Records of which the name or the photo is lost are
  /// reported and left out; the old files are not touched. The second call does nothing.
  ///
  /// - Throws: `FieldError` when the folder of photos cannot be listed, or nothing can be stored; the
  ///   next call tries again.
  @discardableResult
  public func importLegacyData(_ old: LegacyZooData) async throws -> ZooImport {
    try await FieldError.wrapping(
      "the old app's records cannot be taken over", operation: "zoo.importLegacyData"
    ) {
      try await sightingStore.importLegacyData(old, on: engine.clock.now)
    }
  }
}
