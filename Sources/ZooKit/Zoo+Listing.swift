internal import FieldCore

extension Zoo {
  /// The list of the app: the user's sightings, the newest first, and then the animals in the order of
  /// the zoo.
  ///
  /// It is made of what is stored, at once and without a network; ``refresh(_:)`` brings in what is new.
  /// A photo or a record of which something is lost is told in its entry, and costs nothing else.
  ///
  /// - Throws: `FieldError` when a store cannot be read.
  @concurrent
  public func listing() async throws -> ZooListing {
    let operation = "zoo.listing"
    return try await FieldError.wrapping("the list cannot be read", operation: operation) {
      var sightings = try await sightingStore.repository.snapshot()
      var entries = try await entries(of: sightings)
      // A photo that a change took away meanwhile is not lost: the list is made anew then.
      var attempts = 8
      while attempts > 0, entries.contains(where: { $0.problem != nil }) {
        let newest = try await sightingStore.repository.snapshot()
        if newest.revision == sightings.revision { break }
        sightings = newest
        entries = try await self.entries(of: newest)
        attempts -= 1
      }
      let view = try await views.view()
      return ZooListing(
        sightings: entries,
        animals: view.animals.map { animal in
          (animal, pictures.address(of: animal).map(ZooPicture.remote))
        },
        nextNumber: SightingCheckpoint(sightings).nextNumber,
        lastRefresh: view.checkpoint?.lastSuccess, damage: view.damage)
    }
  }

  private func entries(of sightings: Snapshot<Sighting>) async throws -> [ZooEntry] {
    var entries: [ZooEntry] = []
    for sighting in sightings {
      let (picture, problem) = try await sightingStore.picture(of: sighting)
      entries.append(
        ZooEntry(
          sequence: sighting.number, content: .sighting(sighting), picture: picture,
          problem: problem))
    }
    return entries
  }

  /// The list as it is now, and then the newest after each change of the sightings or of the
  /// animals, and when a photo that was read turns out to be damaged.
  public func listingUpdates() -> ZooListingUpdates {
    ZooListingUpdates(
      signals: [
        { [sightingStore] signal in
          for try await _ in sightingStore.repository.updates() { signal() }
        },
        { [views] signal in
          for try await _ in views.store.updates() { signal() }
        },
        { [sightingStore] signal in
          for await _ in sightingStore.findings.changes() { signal() }
        },
      ],
      listing: { [self] in try await listing() })
  }
}
