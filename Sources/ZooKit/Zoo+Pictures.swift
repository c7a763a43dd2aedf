public import FieldCore

extension Zoo {
  /// A picture of an animal: out of the cache, else from the zoo.
  ///
  /// All who ask for one picture at a time share one request; who is cancelled leaves the others alone.
  ///
  /// - Parameters:
  ///   - animal: The animal.
  ///   - number: Which of its pictures, 1 to 4 as the zoo counts them; nil for the first that has an
  ///     address.
  ///   - trigger: With `.now` the zoo is asked in any case whether it has a newer one.
  /// - Throws: `FieldError` with the code `zoo.pictureMissing` when the animal has no such picture; as
  ///   `AssetCache` does when it cannot be had.
  public func image(
    for animal: Animal, number: Int? = nil, refresh trigger: RefreshTrigger = .ifDue
  ) async throws -> Asset {
    try await pictures.cache.asset(
      for: pictures.request(for: animal, number: number), refresh: trigger)
  }

  /// The picture of an entry of the list, whether it is the user's photo or one of the zoo's.
  ///
  /// - Throws: `FieldError` with the code `zoo.sightingDamaged` when of a sighting's photo not all is
  ///   left; as ``image(for:number:refresh:)`` does for an animal.
  public func image(
    for entry: ZooEntry, refresh trigger: RefreshTrigger = .ifDue
  ) async throws -> Asset {
    switch entry.content {
    case .animal(let animal): try await image(for: animal, refresh: trigger)
    case .sighting(let sighting): try await image(for: sighting)
    }
  }

  /// The photo of a sighting, proved to be the one that was stored; the one of now when an edit has
  /// taken away the one that is asked for.
  ///
  /// - Throws: `FieldError` with the code `zoo.sightingDamaged` when it is lost or damaged, which the
  ///   list then tells as well, and `zoo.sightingNotFound` when the sighting was removed.
  public func image(for sighting: Sighting) async throws -> Asset {
    let operation = ZooPictures.operation
    return try await FieldError.wrapping("the photo cannot be read", operation: operation) {
      try await sightingStore.photo(of: sighting, operation: operation)
    }
  }

  /// Fetches the first pictures of animals that are not at hand, behind all that others ask for.
  ///
  /// - Parameter animals: The animals; nil for all. Those without a picture are left aside.
  /// - Throws: `CancellationError` when the task is cancelled; `FieldError` when the zoo's data cannot
  ///   be read. A picture that cannot be had is among the report's failures.
  @discardableResult
  public func prefetchImages(of animals: [Animal]? = nil) async throws -> AssetPrefetchReport {
    let all = if let animals { animals } else { try await view().animals }
    var seen: Set<AssetRequest> = []
    let requests = all.compactMap { pictures.address(of: $0) }.map(pictures.request)
    return try await pictures.cache.prefetch(requests.filter { seen.insert($0).inserted })
  }

  /// What the cache of pictures holds, and what it has done.
  public func pictureReport() async throws -> AssetReport {
    try await pictures.cache.report()
  }

  /// Forgets the pictures in memory, as when the system warns that there is little left.
  public func releaseMemory() { pictures.cache.releaseMemory() }
}
