public import FieldCore

extension Zoo {
  /// Returns a picture of an animal, from the cache or else from the zoo.
  ///
  /// Concurrent calls for the same picture share one request. Canceling one doesn't affect the
  /// others.
  ///
  /// ```swift
  /// if let panda = try await zoo.animals(AnimalQuery(text: "熊貓")).first {
  ///   let picture = try await zoo.image(for: panda)
  ///   print(picture.data.count, picture.origin)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - animal: The animal.
  ///   - number: The number of the picture, from 1 through 4 as the zoo counts them; `nil` for the
  ///     first one with a URL.
  ///   - trigger: Pass `.now` to ask the zoo for a newer picture in any case.
  /// - Throws: `FieldError` with the code `zoo.pictureMissing` if the animal has no such picture,
  ///   or an error of `AssetCache` if the picture isn't available.
  public func image(
    for animal: Animal, number: Int? = nil, refresh trigger: RefreshTrigger = .ifDue
  ) async throws -> Asset {
    try await pictures.cache.asset(
      for: pictures.request(for: animal, number: number), refresh: trigger)
  }

  /// Returns the picture of a list entry, which is the user's photo or one of the zoo's pictures.
  ///
  /// ```swift
  /// for entry in try await zoo.listing() where entry.picture != nil {
  ///   print(entry.name, try await zoo.image(for: entry).data.count)
  /// }
  /// ```
  ///
  /// - Throws: `FieldError` with the code `zoo.sightingDamaged` if a sighting's photo is damaged,
  ///   or an error of ``image(for:number:refresh:)`` for an animal.
  public func image(
    for entry: ZooEntry, refresh trigger: RefreshTrigger = .ifDue
  ) async throws -> Asset {
    switch entry.content {
    case .animal(let animal): try await image(for: animal, refresh: trigger)
    case .sighting(let sighting): try await image(for: sighting)
    }
  }

  /// Returns the photo of a sighting, verified against the stored original.
  ///
  /// If an edit has since replaced that photo, the method returns the current one.
  ///
  /// ```swift
  /// if let sighting = try await zoo.sightings().first {
  ///   print(try await zoo.image(for: sighting).data.count)
  /// }
  /// ```
  ///
  /// - Throws: `FieldError` with the code `zoo.sightingDamaged` if the photo is lost or damaged,
  ///   which the list then shows as well, or `zoo.sightingNotFound` if the sighting was removed.
  public func image(for sighting: Sighting) async throws -> Asset {
    try await FieldError.wrapping("The photo can't be read.", operation: ZooPictures.operation) {
      try await sightingStore.photo(of: sighting)
    }
  }

  /// Fetches the missing first pictures of animals, behind all other requests for pictures.
  ///
  /// ```swift
  /// let report = try await zoo.prefetchImages()
  /// print(report.fetched, report.failures.count)
  /// ```
  ///
  /// - Parameter animals: The animals; `nil` for all. Animals without a picture are skipped.
  /// - Throws: `CancellationError` if the task is canceled; `FieldError` if the zoo's data can't be
  ///   read. A picture that isn't available is among the report's failures.
  @discardableResult
  public func prefetchImages(of animals: [Animal]? = nil) async throws -> AssetPrefetchReport {
    let all = if let animals { animals } else { try await view().animals }
    let requests = all.compactMap { pictures.pictureRequest(for: $0) }
    return try await pictures.cache.prefetch(requests.uniqued())
  }

  /// Returns the content of the picture cache and its statistics.
  ///
  /// ```swift
  /// let report = try await zoo.pictureReport()
  /// print(report.diskCount, "pictures,", report.diskBytes, "bytes")
  /// ```
  public func pictureReport() async throws -> AssetReport { try await pictures.cache.report() }

  /// Releases the pictures in memory, as after a memory warning from the system.
  public func releaseMemory() { pictures.cache.releaseMemory() }
}
