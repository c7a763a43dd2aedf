public import FieldCore
public import FieldFoundation

/// Taipei's zoo and the user's own sightings: one list, stored on the device, refreshed once a day.
///
/// ```swift
/// let zoo = Zoo(storage: .directory(folder), transport: URLSessionTransport())
/// try await zoo.refresh()
/// try await zoo.addSighting(name: "石虎", photo: jpeg)
/// for entry in try await zoo.listing() { print(entry.sequence, entry.name) }
/// ```
///
/// Creating a zoo does no I/O; it opens on first use, once for all callers. Everything except
/// refreshing and fetching pictures works offline. If a refresh fails, the zoo keeps its data;
/// check ``lastRefresh`` to see how old it is.
///
/// A table is refreshed if it is more than a day old or has never been fetched. The interval is
/// configurable. If a table other than the animals fails, the report contains a notice, the table
/// keeps its old data, and it is due again sooner.
public final class Zoo: EngineKit, LiveKit {
  /// The engine that opens, refreshes, erases, and closes the zoo.
  public let engine: KitEngine
  let views: ViewSource<ZooView>
  let sightingStore: SightingStore
  let pictures: ZooPictures

  /// Creates a zoo from your own sources and stores, which are used as they are, without decorators.
  ///
  /// - Parameters:
  ///   - sources: The sources of the zoo's tables. The tables without one aren't refreshed.
  ///   - repository: The store for the zoo's data.
  ///   - sightings: The store for the user's sightings.
  ///   - photos: The store for the photos of sightings.
  ///   - pictures: The cache of the zoo's own pictures.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - policy: The policy that decides when a table is due. Defaults to `.daily`.
  ///   - snapshotGuard: The guard that decides whether rows can be a complete table.
  ///   - limits: The size limits for sightings.
  ///   - picturesUseHTTPS: Pass `false` to fetch pictures with `http` where the zoo writes it.
  ///     Defaults to `true`: `https` is used for all hosts that support it (``ZooLink/secureURL``).
  ///   - random: A closure that returns the random numbers for the IDs of sightings.
  public init(
    sources: ZooSources,
    repository: any ZooRepository,
    sightings: any SightingRepository,
    photos: any BlobStore,
    pictures: AssetCache,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = Zoo.snapshotGuard,
    limits: SightingLimits = SightingLimits(),
    picturesUseHTTPS: Bool = true,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0 ... .max) }
  ) {
    let pictures = ZooPictures(cache: pictures, usesHTTPS: picturesUseHTTPS)
    let sightingStore = SightingStore(
      repository: sightings, blobs: photos, clock: clock, limits: limits, random: random)
    var hooks = KitEngine.Hooks()
    hooks.opened = { await sightingStore.sweepOnce() }
    hooks.erase = {
      try await repository.eraseAll()
      try await sightingStore.eraseAll()
      try await pictures.cache.removeAll()
    }
    // The animals come first: the first table determines the zoo's age.
    let tables = ZooTable.allCases.filter { sources[$0]?.isEmpty == false }
    engine = KitEngine(
      "zoo",
      dataSources: tables.flatMap { sources[$0] ?? [] }.compactMap(\.dataSource).uniqued(),
      stores: [repository, sightings], clock: clock,
      parts: tables.map { table in
        table.part(
          sources[table] ?? [], isMain: table == tables.first, repository: repository,
          snapshotGuard: snapshotGuard, clock: clock, policy: policy)
      }, hooks: hooks)
    views = ViewSource(repository, engine: engine)
    self.sightingStore = sightingStore
    self.pictures = pictures
  }

  /// Creates a zoo that reads from your own sources, which are used without decorators.
  ///
  /// - Parameters:
  ///   - sources: The sources of the zoo's tables. The tables without one aren't refreshed.
  ///   - storage: The storage for all data.
  ///   - transport: The transport for pictures, to which the zoo adds retries and shared requests;
  ///     `nil` for a zoo that shows only stored pictures.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - policy: The policy that decides when a table is due. Defaults to `.daily`.
  ///   - snapshotGuard: The guard that decides whether rows can be a complete table.
  ///   - limits: The size limits for sightings.
  ///   - pictureLimits: The size limits for pictures.
  ///   - picturesUseHTTPS: Pass `false` to fetch pictures with `http` where the zoo writes it.
  ///     Defaults to `true`: `https` is used for all hosts that support it (``ZooLink/secureURL``).
  ///   - random: A closure that returns the random numbers for the IDs of sightings.
  public convenience init(
    sources: ZooSources,
    storage: Storage,
    transport: (any Transport)? = nil,
    clock: any FieldClock = .system,
    policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = Zoo.snapshotGuard,
    limits: SightingLimits = SightingLimits(),
    pictureLimits: AssetLimits = AssetLimits(),
    picturesUseHTTPS: Bool = true,
    random: @escaping @Sendable () -> UInt64 = { UInt64.random(in: 0 ... .max) }
  ) {
    self.init(
      sources: sources, repository: storage.store("zoo"), sightings: storage.store("sightings"),
      photos: storage.blobStore("sightings"),
      pictures: AssetCache(
        storage: storage, name: "zoo-pictures",
        transport: transport?.retrying(clock: clock).coalescing() ?? NoTransport(),
        clock: clock, limits: pictureLimits),
      clock: clock, policy: policy, snapshotGuard: snapshotGuard, limits: limits,
      picturesUseHTTPS: picturesUseHTTPS, random: random)
  }

  /// Creates a zoo that reads the current open data.
  ///
  /// - Parameters:
  ///   - storage: The storage for all data.
  ///   - transport: The transport for data and pictures. The zoo adds retries and shared requests.
  ///   - clock: The clock to use. Defaults to `.system`.
  ///   - events: The URL of the CSV file of events, which changes with each file; `nil` to omit
  ///     events.
  ///   - policy: The policy that decides when a table is due. Defaults to `.daily`.
  ///   - snapshotGuard: The guard that decides whether rows can be a complete table.
  ///   - limits: The size limits for sightings.
  ///   - pictureLimits: The size limits for pictures.
  ///   - picturesUseHTTPS: Pass `false` to fetch pictures with `http` where the zoo writes it.
  ///     Defaults to `true`: `https` is used for all hosts that support it (``ZooLink/secureURL``).
  public convenience init(
    storage: Storage, transport: any Transport, clock: any FieldClock = .system,
    events: URL? = nil, policy: RefreshPolicy = .daily,
    snapshotGuard: SnapshotGuard = Zoo.snapshotGuard, limits: SightingLimits = SightingLimits(),
    pictureLimits: AssetLimits = AssetLimits(), picturesUseHTTPS: Bool = true
  ) {
    let shared = transport.retrying(clock: clock).coalescing()
    self.init(
      sources: TaipeiZoo(transport: shared, events: events).sources, storage: storage,
      transport: shared, clock: clock, policy: policy, snapshotGuard: snapshotGuard,
      limits: limits, pictureLimits: pictureLimits, picturesUseHTTPS: picturesUseHTTPS)
  }

  /// The default guard that decides whether rows can be a complete table.
  ///
  /// Up to half of the rows may be removed at once, because the tables are small and the zoo moves
  /// its animals. All events may be removed, whatever the guard says, because they expire.
  public static var snapshotGuard: SnapshotGuard { SnapshotGuard(maximumRemovedFraction: 0.5) }

  /// Deletes the zoo's data and pictures, which can be fetched again, and keeps the user's
  /// sightings.
  ///
  /// A refresh in flight stores nothing and throws `store.conflict`. ``eraseAll()`` also deletes
  /// the sightings, and ``eraseSightings()`` deletes only them.
  ///
  /// ```swift
  /// try await zoo.eraseZooData()
  /// print(try await zoo.sightings().count, "sightings are kept")
  /// ```
  public func eraseZooData() async throws {
    try await engine.erase { [views, pictures] in
      try await views.store.eraseAll()
      try await pictures.cache.removeAll()
    }
  }

  /// Returns the date when the source last confirmed a table, or `nil` if it never has.
  ///
  /// ```swift
  /// if let date = try await zoo.lastRefresh(of: .animals) { print("animals as of", date) }
  /// ```
  public func lastRefresh(of table: ZooTable) async throws -> Date? {
    try await views.snapshot().checkpoint?[table: table.entry].lastSuccess
  }

  /// Returns the date when the portal imported a table's newest row, or `nil` if it doesn't say.
  public func importDate(of table: ZooTable) async throws -> Date? {
    try await views.snapshot().checkpoint?[table: table.entry].importDate
  }

  // MARK: Reading

  /// Returns a snapshot of the zoo's data that you can query synchronously.
  ///
  /// ```swift
  /// let view = try await zoo.view()
  /// print(view.animals.count, view.find(AnimalQuery(text: "貓熊")).map(\.name))
  /// ```
  @concurrent
  public func view() async throws -> ZooView { try await views.view() }

  /// Returns a sequence that yields the current data first, then the newest after each change.
  ///
  /// ```swift
  /// for try await view in zoo.updates() { print(view.animals.count, "animals") }
  /// ```
  public func updates() -> ZooUpdates { views.updates() }
}

/// A sequence that yields the zoo's current data first, then the newest after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. See ``Zoo/updates()``.
public typealias ZooUpdates = ViewUpdates<ZooView>

// MARK: - Listing

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

// MARK: - Pictures

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

// MARK: - Reading

extension Zoo {
  /// Returns the animals that match a query; by default, all of them in the order of the zoo.
  ///
  /// ```swift
  /// let pandas = try await zoo.animals(AnimalQuery(text: "panda", hasPicture: true))
  /// print(pandas.map(\.name))
  /// ```
  @concurrent
  public func animals(_ query: AnimalQuery = AnimalQuery()) async throws -> [Animal] {
    try await view().find(query)
  }

  /// Returns the animal with the given ID, or `nil` if there is none.
  ///
  /// ```swift
  /// if let found = try await zoo.animal(animal.id) { show(found.name, found.diet as Any) }
  /// ```
  @concurrent
  public func animal(_ id: Animal.ID) async throws -> Animal? { try await view()[id] }

  /// Returns the species: the animals of one name as one, even if they are shown in several places.
  ///
  /// ```swift
  /// for species in try await zoo.species() { print(species.name, species.animals.count) }
  /// ```
  @concurrent
  public func species() async throws -> [Species] { try await view().species }

  /// Returns the areas, in the order of the zoo.
  ///
  /// ```swift
  /// for area in try await zoo.areas() { print(area.name, area.category as Any) }
  /// ```
  @concurrent
  public func areas() async throws -> [ZooArea] { try await view().areas }

  /// Returns the plants, in the order of the zoo.
  ///
  /// ```swift
  /// print(try await zoo.plants().map(\.name))
  /// ```
  @concurrent
  public func plants() async throws -> [Plant] { try await view().plants }

  /// Returns all events in the order of the zoo, or those of one day.
  ///
  /// ```swift
  /// let today = CalendarDay(.now, in: .taipei)
  /// for event in try await zoo.events(on: today) { print(event.title, event.location as Any) }
  /// ```
  @concurrent
  public func events(on day: CalendarDay? = nil) async throws -> [ZooEvent] {
    let view = try await view()
    return day.map { view.events(on: $0) } ?? view.events
  }

  /// Returns the animals closest to a location, nearest first, each once at its nearest place.
  ///
  /// ```swift
  /// for near in try await zoo.nearest(to: here, count: 5) {
  ///   print(near.animal.name, near.distance)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - place: The location to search from.
  ///   - count: The maximum number of animals to return.
  ///   - plausibleOnly: Pass `false` to include animals whose place isn't in the zoo. Defaults to
  ///     `true`.
  ///   - query: The conditions to match. Its order, limit, and offset are ignored.
  @concurrent
  public func nearest(
    to place: Coordinate, count: Int, plausibleOnly: Bool = true,
    matching query: AnimalQuery = AnimalQuery()
  ) async throws -> [NearbyAnimal] {
    try await view().nearest(to: place, count: count, plausibleOnly: plausibleOnly, matching: query)
  }

  /// Returns the areas closest to a location, nearest first.
  ///
  /// ```swift
  /// for near in try await zoo.nearestAreas(to: here, count: 3) {
  ///   print(near.record.name, near.distance)
  /// }
  /// ```
  @concurrent
  public func nearestAreas(to place: Coordinate, count: Int) async throws -> [NearbyArea] {
    try await view().nearestAreas(to: place, count: count)
  }
}

// MARK: - Sightings

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
