internal import FieldCore

extension Zoo {
  /// Returns the app's list: the user's sightings, newest first, then the animals in the zoo's
  /// order.
  ///
  /// The list is built from stored data, immediately and without a network; call ``refresh(_:)`` to
  /// update the data. If a photo or record is damaged, its entry says so, and the other entries are
  /// unaffected.
  ///
  /// ```swift
  /// for entry in try await zoo.listing() {
  ///   print(entry.sequence, entry.name, entry.isLocal)
  /// }
  /// ```
  ///
  /// - Throws: `FieldError` if a store can't be read.
  @concurrent
  public func listing() async throws -> ZooListing {
    let operation = "zoo.listing"
    return try await FieldError.wrapping("The list can't be read.", operation: operation) {
      var sightings = try await sightingStore.repository.snapshot()
      var entries = try await entries(of: sightings)
      // A photo that a concurrent change removed isn't lost. In that case, build the list again.
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
        animalEntries: pictures.usesHTTPS
          ? view.entries
          : view.animals.map { animal in
            ZooEntry(
              sequence: 0, content: .animal(animal),
              picture: pictures.address(of: animal).map(ZooPicture.remote))
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

  /// Returns the current list, and then the newest after each change of the sightings or the
  /// animals, or after a photo is found to be damaged.
  ///
  /// ```swift
  /// for try await listing in zoo.listingUpdates() { print(listing) }
  /// ```
  public func listingUpdates() -> ZooListingUpdates {
    ZooListingUpdates(
      signals: [
        { [sightingStore] signal in
          for try await _ in sightingStore.repository.updates() { signal() }
        },
        { [views] signal in for try await _ in views.store.updates() { signal() } },
        { [sightingStore] signal in for await _ in sightingStore.findings.changes() { signal() } },
      ],
      skipping: { $0 == $1 }, value: { [self] in try await listing() })
  }
}
