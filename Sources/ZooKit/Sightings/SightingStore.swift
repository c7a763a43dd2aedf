internal import FieldCore
internal import FieldFoundation

/// A store of sightings and their photos. A photo is synced to the device before the record that
/// refers to it, and record and number are committed together.
final class SightingStore: Sendable {
  let repository: any SightingRepository
  let limits: SightingLimits
  let blobs: any BlobStore
  private let clock: any FieldClock
  private let random: @Sendable () -> UInt64
  private let asyncLock = AsyncLock()
  private let hasSwept = Lock(false)
  let findings = PhotoIntegrity()

  init(
    repository: any SightingRepository, blobs: any BlobStore,
    clock: any FieldClock, limits: SightingLimits, random: @escaping @Sendable () -> UInt64
  ) {
    self.repository = repository
    self.blobs = blobs
    self.clock = clock
    self.limits = limits
    self.random = random
  }

  // MARK: Changing

  @concurrent
  func add(name: String?, photo: Data?, date: Date?, place: Coordinate?) async throws -> Sighting {
    let checked = try limits.check(name: name, photo: photo, needsBoth: true)
    guard let name = checked.name, let photo = checked.photo else {
      throw FieldError(.sightingRefused, "A name and a photo are required.")
    }
    let id = Sighting.ID(rawValue: random().digits(16, radix: 16) + random().digits(16, radix: 16))
    let date = date ?? clock.now
    return try await storing(photo) { stored in
      try await self.change { snapshot, changes, ledger in
        let number = ledger.takeNumber()
        // A test may supply the random numbers, and a collision must never cost a sighting.
        let free = snapshot[id: id] == nil ? id : Sighting.ID(rawValue: "\(id)-\(number)")
        let sighting = Sighting(
          id: free, number: number, name: name, photo: stored, date: date, place: place)
        changes.upsert(sighting)
        return sighting
      }
    }
  }

  @concurrent
  func edit(
    _ id: Sighting.ID, name: String?, photo: Data?, place: Coordinate?
  ) async throws -> Sighting {
    let checked = try limits.check(name: name, photo: photo, needsBoth: false)
    @Sendable func apply(_ stored: Sighting.Photo?) async throws -> (Sighting, old: BlobID?) {
      try await change { snapshot, changes, _ in
        guard var sighting = snapshot[id: id] else { throw Self.notFound(id) }
        let old = sighting.photo?.blob
        sighting.name = checked.name ?? sighting.name
        sighting.photo = stored ?? sighting.photo
        sighting.place = place ?? sighting.place
        // A damaged record is complete again once it has a name and a photo.
        guard !sighting.name.isEmpty, sighting.photo != nil else { throw Self.damaged(sighting) }
        // The date couldn't be read, either.
        if sighting.problem == .recordDamaged { sighting.date = clock.now }
        sighting.problem = nil
        sighting.unreadContent = []
        changes.upsert(sighting)
        return (sighting, sighting.photo?.blob == old ? nil : old)
      }
    }
    let (sighting, old) =
      if let photo = checked.photo {
        try await releasing([try await self.photo(of: id)]) {
          try await storing(photo) { try await apply($0) }
        }
      } else {
        try await apply(nil)
      }
    if let old { await discard([old]) }
    return sighting
  }

  @concurrent
  func remove(_ id: Sighting.ID) async throws {
    let removed: Sighting = try await releasing([try await photo(of: id)]) {
      try await change { snapshot, changes, _ in
        guard let sighting = snapshot[id: id] else { throw Self.notFound(id) }
        changes.remove(id)
        return sighting
      }
    }
    if let blob = removed.photo?.blob { await discard([blob]) }
  }

  /// Removes all sightings, photos, and parts that were set aside; the counter isn't reset.
  @concurrent
  func removeAll() async throws {
    let photos = try await repository.snapshot().map { $0.photo?.blob }
    let removed: [BlobID] = try await releasing(photos) {
      try await change { snapshot, changes, _ in
        if !snapshot.isEmpty { changes.removeAll() }
        return snapshot.compactMap { $0.photo?.blob }
      }
    }
    try await repository.removeSetAside()
    await discard(Set(removed))
    // The photos of lost records are claimed, but nothing else refers to them.
    try await blobs.sweep(keepingThoseOf: { [repository] in
      Set(try await repository.durableSnapshot().compactMap { $0.photo?.blob })
    })
  }

  /// Removes everything, even if the records can't be read.
  func eraseAll() async throws {
    do {
      try await removeAll()
    } catch let error as FieldError where error.isUnreadableStore {
      try await repository.eraseAll()
      try await blobs.sweep(keeping: [])
    }
  }

  /// Stores a photo, lets `body` commit the record that refers to it, and ends the lease.
  func storing<Result: Sendable>(
    _ photo: (bytes: [UInt8], format: AssetFormat), _ body: (Sighting.Photo) async throws -> Result
  ) async throws -> Result {
    await sweepOnce()
    try Task.checkCancellation()
    return try await FieldError.wrapping("The sighting can't be saved. Nothing was changed.") {
      let id = BlobID(of: photo.bytes)
      let wasThere = try await blobs.contains(id)
      do {
        let lease = try await blobs.put(photo.bytes)
        defer { lease.end() }
        findings.note(lease.id, isDamaged: false)
        let result = try await body(
          Sighting.Photo(blob: lease.id, format: photo.format, byteCount: photo.bytes.count))
        await claim([lease.id])
        return result
      } catch {
        // Even if storing the photo failed, its lease may have kept it from being removed.
        await giveUp(id, wasThere: wasThere, after: error)
        throw error
      }
    }
  }

  /// Commits the changes that `body` makes, one call at a time.
  func change<Result: Sendable>(
    _ body:
      @Sendable (
        _ sightings: Snapshot<Sighting>, _ changes: inout Changes<Sighting>,
        _ ledger: inout SightingCheckpoint
      ) throws -> Result
  ) async throws -> Result {
    try await asyncLock.withLock {
      try await repository.updating { snapshot, changes, checkpoint in
        var ledger = SightingCheckpoint(snapshot)
        let result = try body(snapshot, &changes, &ledger)
        // Without a change, don't commit only because of the counter.
        if !changes.isEmpty || ledger.takenOver != SightingCheckpoint(snapshot).takenOver {
          checkpoint = ledger.updated
        }
        return result
      }
    }
  }

  // MARK: Photos

  /// Returns the verified bytes of a sighting's photo.
  ///
  /// If an edit has since replaced that photo, returns the current one.
  @concurrent
  func photo(of sighting: Sighting) async throws -> Asset {
    var sighting = sighting
    while true {
      guard let photo = sighting.photo else { throw Self.damaged(sighting) }
      if let asset = try await asset(of: photo, of: sighting) { return asset }
      guard let newest = try await repository.snapshot()[id: sighting.id] else {
        throw Self.notFound(sighting.id)
      }
      guard newest.photo?.blob != photo.blob else {
        sighting.problem = .photoLost
        throw Self.damaged(sighting)
      }
      sighting = newest
    }
  }

  /// Returns the bytes of a photo, or `nil` if the photo doesn't exist.
  private func asset(of photo: Sighting.Photo, of sighting: Sighting) async throws -> Asset? {
    do {
      guard let bytes = try await blobs.bytes(of: photo.blob) else { return nil }
      findings.note(photo.blob, isDamaged: false)
      let file = try await blobs.status(of: photo.blob)?.file
      return Asset(local: Data(bytes), format: photo.format, file: file)
    } catch let error as FieldError where error.code == .damaged {
      findings.note(photo.blob, isDamaged: true)
      var damaged = sighting
      damaged.problem = .photoDamaged
      throw Self.damaged(damaged, underlying: error)
    } catch {
      throw FieldError.wrapping(error, as: .io, "The photo can't be read.")
    }
  }

  /// Returns the location of a sighting's photo, and its known problem, without reading the photo.
  func picture(
    of sighting: Sighting
  ) async throws -> (picture: ZooPicture?, problem: SightingProblem?) {
    guard let photo = sighting.photo else { return (nil, sighting.problem ?? .photoMissing) }
    if findings.isDamaged(photo.blob) { return (nil, .photoDamaged) }
    do {
      guard let status = try await blobs.status(of: photo.blob) else { return (nil, .photoLost) }
      guard status.byteCount == photo.byteCount else { return (nil, .photoDamaged) }
      return (status.file.map(ZooPicture.file) ?? .stored(photo.blob), sighting.problem)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // Report it with the entry, whose name and number are still useful.
      return (nil, .photoUnreadable)
    }
  }

  /// Removes photos that a sighting no longer refers to, or never did, unless another one does.
  ///
  /// By then, the requested change is done whatever becomes of the files. What can't be removed now
  /// is removed by the next sweep.
  private func discard(_ photos: Set<BlobID>) async {
    // Serialized with the commits of this zoo; photos being added have leases. This also runs after
    // a cancellation, so that a removed photo doesn't stay.
    await asyncLock.withLockUncancellably {
      // Another process may have claimed them before the commit.
      await sweepingLater {
        try await blobs.sweepUnclaimed(releasing: photos) { [self] in try await photosInUse() }
      }
      // A sweep spares young photos, and doesn't run if the task was canceled, but a photo that the
      // user has removed must not stay.
      for photo in photos { await sweepingLater { try await removeNow(photo) } }
    }
  }

  private func removeNow(_ photo: BlobID) async throws {
    var bytes: [UInt8]?
    do {
      bytes = try await blobs.bytes(of: photo)
    } catch let error as FieldError where error.code == .damaged {}
    try await blobs.remove(photo, unless: { [self] in try await isInUse(photo) })
    // Another process, whose leases are unknown here, may just have added the same photo.
    guard let bytes, try await isInUse(photo), try await !blobs.contains(photo) else { return }
    try await blobs.put(bytes).end()
  }

  /// Runs `body`, and leaves what it couldn't do to the next sweep.
  private func sweepingLater(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      hasSwept.withLock { $0 = false }
    }
  }

  /// Removes a photo if it is certain that its record wasn't stored; otherwise leaves it to a
  /// sweep.
  ///
  /// A commit that failed on disk may still exist when the store is opened next. A photo that
  /// existed before may belong to a lost record.
  private func giveUp(_ blob: BlobID, wasThere: Bool, after error: any Error) async {
    let code = (error as? FieldError)?.code
    let isCertain =
      error is CancellationError || code == .sightingNotFound || code == .sightingDamaged
    if isCertain, !wasThere {
      await discard([blob])
    } else {
      hasSwept.withLock { $0 = false }
    }
  }

  private func isInUse(_ blob: BlobID) async throws -> Bool {
    try await photosInUse()?.contains(blob) ?? true
  }

  /// Returns the photos that sightings refer to, or `nil` if an unreadable record may refer to any
  /// photo.
  private func photosInUse() async throws -> Set<BlobID>? {
    // Opened first, because a failed commit may have reappeared.
    try await repository.open()
    // A removal that isn't durable may be undone by a power failure.
    let sightings = try await repository.durableSnapshot()
    // Asked last, because a part is set aside before it is cut off.
    guard try await !repository.open().hasUnreadParts else { return nil }
    let photos = sightings.map { $0.photo?.blob }
    return photos.contains(nil) ? nil : Set(photos.compactMap(\.self))
  }

  private func photo(of id: Sighting.ID) async throws -> BlobID? {
    try await repository.snapshot()[id: id]?.photo?.blob
  }

  /// Claims photos whose records are durable. If that fails, the next sweep does it.
  func claim(_ photos: Set<BlobID>) async { await sweepingLater { try await blobs.claim(photos) } }

  /// Releases photos while `body` removes their records, so that a later sweep removes what this
  /// process can't. If releasing fails, the photos stay.
  private func releasing<Result: Sendable>(
    _ photos: [BlobID?], _ body: () async throws -> Result
  ) async throws -> Result {
    let photos = Set(photos.compactMap { $0 })
    // A sweep between now and the commit would claim them again.
    await sweepOnce()
    try? await blobs.release(photos)
    do {
      return try await body()
    } catch {
      await claim(photos)
      throw error
    }
  }

  /// Removes photos left by a process that died before it committed their records.
  ///
  /// If the sweep fails, only space is wasted, so errors are ignored and it is tried again.
  func sweepOnce() async {
    let isFirst = hasSwept.withLock { hasSwept in
      defer { hasSwept = true }
      return !hasSwept
    }
    guard isFirst else { return }
    await sweepingLater {
      try await blobs.sweepUnclaimed(releasing: []) { [self] in try await photosInUse() }
    }
  }

  // MARK: Errors

  static func notFound(_ id: Sighting.ID) -> FieldError {
    FieldError(.sightingNotFound, "There is no sighting with the ID \(id).")
  }

  static func damaged(_ sighting: Sighting, underlying: (any Error)? = nil) -> FieldError {
    let problem = sighting.problem ?? .photoMissing
    return FieldError(
      .sightingDamaged,
      """
      The sighting \(sighting.number) is damaged (\(problem)). Edit it with a name and a photo, or \
      remove it.
      """,
      problems: [problem.rawValue], underlying: underlying ?? SightingRefusal(problems: [problem]))
  }
}

// MARK: - Import

extension SightingStore {
  /// A record of the old app, after its photo has been synced to the device.
  private typealias Moved = (number: Int, name: String, photo: Sighting.Photo, date: Date)

  /// Imports the old app's records: first all photos, then all records, the counter, and the import
  /// mark in one commit.
  @concurrent
  func importLegacyData(_ old: LegacyZooData, on date: Date) async throws -> ZooImport {
    var report = ZooImport()
    if SightingCheckpoint(try await repository.snapshot()).takenOver != nil {
      report.wasDoneBefore = true
      return report
    }
    await sweepOnce()
    var moved: [Moved] = []
    var leases: [BlobLease] = []
    defer { for lease in leases { lease.end() } }
    // Only one photo at a time is in memory.
    for number in try old.numbers() {
      try Task.checkCancellation()
      do {
        let (record, photo) = try read(number, of: old)
        let lease = try await blobs.put(photo.bytes)
        leases.append(lease)
        let stored = Sighting.Photo(
          blob: lease.id, format: photo.format, byteCount: photo.bytes.count)
        moved.append((number, record.name, stored, record.date ?? date))
      } catch let refusal as SightingRefusal {
        let file = old.photo(of: number)
        report.failures.append(
          ZooImport.Failure(
            number: number, name: old.names[number],
            photo: refusal.problems.contains(.photoMissing) ? nil : file,
            problems: refusal.problems))
      }
    }
    // Before a device's first unlock, no photo can be read.
    if moved.isEmpty,
      let unread = report.failures.first(where: { $0.problems.contains(.photoUnreadable) })
    {
      throw FieldError(
        .io, "None of the old app's photos can be read, such as that of record \(unread.number).")
    }
    let done = try await commit(moved, of: old, on: date, report)
    await claim(Set(done.sightings.compactMap { $0.photo?.blob }))
    return done
  }

  private func commit(
    _ moved: [Moved], of old: LegacyZooData, on date: Date, _ report: ZooImport
  ) async throws -> ZooImport {
    try await change { _, changes, ledger in
      var report = report
      guard ledger.takenOver == nil else {
        report = ZooImport()
        report.wasDoneBefore = true
        return report
      }
      // Lower numbers belong to new sightings, some of which may have been removed.
      let firstFree = ledger.nextNumber
      ledger.skip(to: max(old.counter ?? 0, (moved.last?.number ?? -1) + 1))
      for record in moved {
        let sighting = Sighting(
          id: Sighting.ID(rawValue: "old-\(record.number)"),
          number: record.number < firstFree ? ledger.takeNumber() : record.number,
          name: record.name, photo: record.photo, date: record.date)
        changes.upsert(sighting)
        report.sightings.append(sighting)
      }
      ledger.takenOver = TimestampWriter.iso8601(date)
      return report
    }
  }

  /// Reads a record, or throws all of its problems.
  private func read(_ number: Int, of old: LegacyZooData) throws -> (
    record: (name: String, date: Date?), photo: (bytes: [UInt8], format: AssetFormat)
  ) {
    let file = old.photo(of: number)
    var problem: SightingProblem?
    var data: Data?
    do throws(FieldError) {
      let advice = "Pass the file URL of the folder."
      data = Data(try LocalFile.bytes(of: file, limit: limits.photoBytes, advice: advice))
    } catch {
      if error.code == .invalidInput { throw error }
      // A photo isn't missing if the device fails to tell.
      let isMissing = (try? LocalFile.exists(at: file.path)) == false
      problem =
        error.code == .responseTooLarge
        ? .photoTooLarge : isMissing ? .photoMissing : .photoUnreadable
    }
    // The old app stored no dates; the file's date is when the photo was taken.
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    let date = attributes?[.modificationDate] as? Date
    var checked = limits.checked(name: old.names[number] ?? "", photo: data)
    if checked.problems == [.nameMissing], let name = old.nameOfUnnamed {
      // The app's name must meet the same conditions as a user's.
      let named = limits.checked(name: name, photo: nil)
      (checked.name, checked.faults) = (named.name, named.faults)
    }
    let problems = checked.problems + (problem.map { [$0] } ?? [])
    guard problems.isEmpty, let name = checked.name, let photo = checked.photo else {
      throw SightingRefusal(problems: problems)
    }
    return ((name, date), photo)
  }
}
