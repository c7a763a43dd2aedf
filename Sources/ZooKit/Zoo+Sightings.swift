public import FieldCore
public import FieldFoundation

extension Zoo {
  /// Adds a sighting, whose photo, name, and number are stored in one step or not at all.
  ///
  /// Adding a sighting doesn't use the network.
  ///
  /// ```swift
  /// let sighting = try await zoo.addSighting(name: "石虎", photo: jpeg, place: here)
  /// print(sighting.number)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name, from which surrounding whitespace is removed.
  ///   - photo: The bytes of a picture, as from a camera.
  ///   - date: The date of the sighting. Defaults to the current date.
  ///   - place: The location of the sighting.
  /// - Returns: The sighting with its number, once it is on the device.
  /// - Throws: `FieldError` with the code `zoo.sightingRefused`, which lists all problems of the
  ///   name and the photo at once, or with a `store` code if the sighting can't be stored. Nothing
  ///   has changed then.
  @discardableResult
  public func addSighting(
    name: String?, photo: Data?, date: Date? = nil, place: Coordinate? = nil
  ) async throws -> Sighting {
    try await FieldError.wrapping("The sighting can't be saved.", operation: "zoo.addSighting") {
      try await sightingStore.add(name: name, photo: photo, date: date, place: place)
    }
  }

  /// Changes the given properties of a sighting in one step.
  ///
  /// ```swift
  /// if let sighting = try await zoo.sightings().first {
  ///   try await zoo.editSighting(sighting.id, name: "雲豹")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The sighting's ID.
  ///   - name: The new name; `nil` keeps the current one.
  ///   - photo: The new photo; `nil` keeps the current one.
  ///   - place: The new location; `nil` keeps the current one.
  /// - Throws: `FieldError` with the code `zoo.sightingNotFound` if there is no such sighting, or
  ///   an error of ``addSighting(name:photo:date:place:)``.
  @discardableResult
  public func editSighting(
    _ id: Sighting.ID, name: String? = nil, photo: Data? = nil, place: Coordinate? = nil
  ) async throws -> Sighting {
    try await FieldError.wrapping("The sighting can't be changed.", operation: "zoo.editSighting") {
      try await sightingStore.edit(id, name: name, photo: photo, place: place)
    }
  }

  /// Removes a sighting and its photo; its number is never reused.
  ///
  /// As long as a damaged part of the records is set aside beside the store, photos stay on the
  /// device, because a sighting in that part may have the same photo. They go after that part is
  /// removed.
  ///
  /// ```swift
  /// if let sighting = try await zoo.sightings().first {
  ///   try await zoo.removeSighting(sighting.id)
  /// }
  /// ```
  ///
  /// - Throws: `FieldError` with the code `zoo.sightingNotFound` if there is no such sighting.
  public func removeSighting(_ id: Sighting.ID) async throws {
    try await FieldError.wrapping(
      "The sighting can't be removed.", operation: "zoo.removeSighting"
    ) {
      try await sightingStore.remove(id)
    }
  }

  /// Removes all sightings and their photos; their numbers are never reused.
  ///
  /// Damaged records that were set aside are deleted, too, and so are the photos of lost sightings.
  public func eraseSightings() async throws {
    try await FieldError.wrapping(
      "The sightings can't be erased.", operation: "zoo.eraseSightings"
    ) {
      try await sightingStore.removeAll()
    }
  }

  /// Returns the sighting with the given ID, or `nil` if there is none.
  ///
  /// ```swift
  /// let magpie = try await zoo.addSighting(name: "臺灣藍鵲", photo: jpeg)
  /// if let stored = try await zoo.sighting(magpie.id) { show(stored.name, stored.photo) }
  /// ```
  public func sighting(_ id: Sighting.ID) async throws -> Sighting? {
    try await FieldError.wrapping("The sightings can't be read.", operation: "zoo.sighting") {
      try await sightingStore.repository.snapshot()[id: id]
    }
  }

  /// Returns the user's sightings, newest first.
  ///
  /// ```swift
  /// for sighting in try await zoo.sightings() { print(sighting.number, sighting.name) }
  /// ```
  public func sightings() async throws -> [Sighting] {
    try await FieldError.wrapping("The sightings can't be read.", operation: "zoo.sightings") {
      try await sightingStore.repository.snapshot().sorted { $0.number > $1.number }
    }
  }

  /// Imports the old app's records with their numbers, once and in one step.
  ///
  /// The counter continues from the old app's. Records whose name or photo is missing are reported
  /// and skipped; the old files aren't changed. A second call does nothing.
  ///
  /// - Throws: `FieldError` if the folder of photos can't be listed, no record is usable because
  ///   photos can't be read, or nothing can be stored; with the code `input.invalid` if the folder's
  ///   URL isn't a file URL. The next call tries again.
  @discardableResult
  public func importLegacyData(_ old: LegacyZooData) async throws -> ZooImport {
    try await FieldError.wrapping(
      "The old app's records can't be imported.", operation: "zoo.importLegacyData"
    ) {
      try await sightingStore.importLegacyData(old, on: engine.clock.now)
    }
  }
}
