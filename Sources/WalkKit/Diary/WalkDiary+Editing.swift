internal import FieldCore
public import FieldFoundation

extension WalkDiary {
  // MARK: Adding

  /// Adds a walk that wasn't recorded here: one of another app with its route, or one that the owner
  /// enters.
  ///
  /// ```swift
  /// let track = try GPXDocument(data: try Data(contentsOf: url))  // FieldXML
  /// let walk = try await diary.addWalk(pets: [mesh.id], route: WalkRoute(tracks: track.tracks))
  ///
  /// try await diary.addWalk(
  ///   pets: [mesh.id], start: walk.end + 3_600, end: walk.end + 5_400, distance: .kilometers(1.5))
  /// ```
  ///
  /// The route is stored as it is, with its segments, times, and elevations. Gaps between segments
  /// count as pauses. The distance is that of ``WalkRoute/denoised(_:)``, because many programs write
  /// every fix.
  ///
  /// A route is added once: if the diary has a walk with this route, including one that was recorded
  /// here and exported, or that has been trimmed or edited since it was added, that walk is returned
  /// unchanged.
  ///
  /// - Parameters:
  ///   - pets: The pets on the walk: at least one. They may be archived.
  ///   - route: The route. Defaults to none.
  ///   - start: The start, or `nil` for the earliest time of the route.
  ///   - end: The end, or `nil` for the latest time of the route.
  ///   - distance: The distance, or `nil` for that of the route.
  ///   - weather: The weather, which isn't requested for a walk of the past.
  ///   - dust: The grade of the fine dust.
  ///   - notes: The notes.
  /// - Returns: The walk as it is stored in the diary.
  /// - Throws: `FieldError` with the code `walks.unknownPet`, or `input.invalid` if there is no pet, if
  ///   neither the route nor the caller states the times, or if the end is before the start.
  @concurrent
  @discardableResult
  public func addWalk(
    pets: [Pet.ID], route: WalkRoute = WalkRoute(), start: Date? = nil, end: Date? = nil,
    distance: Distance? = nil, weather: WalkWeather? = nil, dust: DustGrade? = nil,
    notes: [WalkNote] = []
  ) async throws -> Walk {
    let times = route.times
    guard let start = start ?? times?.lowerBound, let end = end ?? times?.upperBound else {
      throw FieldError(.invalidInput, "The route has no times. Pass the start and the end.")
    }
    let pauses = min(route.pauseSeconds, max(end.timeIntervalSince(start), 0))
    let figures = route.figures()
    var walk = Walk(
      id: Walk.ID(rawValue: sessions.newID()), pets: [], start: start, end: end,
      utcOffset: core.zone, duration: .zero, elapsed: .zero,
      distance: distance ?? route.denoised().distance, climb: figures.climb, weather: weather,
      dust: dust, notes: notes)
    try walk.setPets(pets)
    try walk.setTimes(start: start, end: end, pauses: pauses, movingTime: figures.movingTime)
    return try await core.add(walk, route)
  }

  /// Adds a photo to a walk in the diary, in the order in which photos were taken.
  ///
  /// ```swift
  /// if let walk = try await diary.walks().walks.first {
  ///   try await diary.addPhoto(jpeg, to: walk.id)
  /// }
  /// ```
  ///
  /// The bytes are on the device before the walk refers to them.
  ///
  /// - Parameters:
  ///   - photo: The bytes of the photo.
  ///   - id: The ID of the walk.
  ///   - takenAt: The date on which the photo was taken; `nil` if unknown, for the last place.
  ///   - coordinate: The place where it was taken; `nil` if unknown.
  /// - Returns: The walk as it is stored in the diary.
  /// - Throws: `FieldError` with the code `walks.unknownWalk`, or `input.invalid` if there are no bytes.
  @concurrent
  @discardableResult
  public func addPhoto(
    _ photo: Data, to id: Walk.ID, takenAt: Date? = nil, at coordinate: Coordinate? = nil
  ) async throws -> Walk {
    guard !photo.isEmpty else { throw FieldError(.invalidInput, "The photo has no bytes.") }
    return try await core.write("The photo can't be added.") {
      let lease = try await core.stored.blobs.put([UInt8](photo))
      defer { lease.end() }
      let walk = try await core.stored.updateWalk(id) { walk in
        let photoID = core.newID(besides: walk.photos.map(\.id.rawValue))
        let added = WalkPhoto(
          id: .init(rawValue: photoID), takenAt: takenAt, coordinate: coordinate, blob: lease.id)
        let place = takenAt.flatMap { date in
          walk.photos.firstIndex { $0.takenAt.map { $0 > date } ?? true }
        }
        walk.photos.insert(added, at: place ?? walk.photos.endIndex)
      }
      try await core.stored.makeDurable()
      await core.stored.claim([lease.id])
      return walk
    }
  }

  /// Removes a photo from a walk in the diary, and its bytes unless something else refers to them.
  ///
  /// - Returns: The walk as it is stored in the diary.
  /// - Throws: `FieldError` with the code `walks.unknownWalk`, or `walks.blobMissing` if the walk has no
  ///   such photo.
  @concurrent
  @discardableResult
  public func removePhoto(_ photo: WalkPhoto.ID, from id: Walk.ID) async throws -> Walk {
    try await core.write("The photo can't be removed.") {
      guard let walk = try await core.stored.walk(id) else {
        throw FieldError.unknownWalk(id)
      }
      guard let removed = walk.photos.first(where: { $0.id == photo }) else {
        throw FieldError(.blobMissing, "The walk \(id) has no photo \(photo).")
      }
      let changed = try await core.stored.releasing(Set([removed.blob].compactMap(\.self))) {
        try await core.stored.updateWalk(id) { $0.photos.removeAll { $0.id == photo } }
      }
      await forgetFetched([removed])
      return changed
    }
  }

  // MARK: Trimming

  /// Removes the time before and after a period from a walk, such as a ride home that was recorded.
  ///
  /// ```swift
  /// try await diary.trim(finished.id, to: finished.start + 300...finished.end)
  /// ```
  ///
  /// The route, times, distance, and climb become those of a walk of which only the remaining fixes were
  /// recorded. Photos, notes, the goal, and the reward stay. Pauses count if they are between the
  /// remaining fixes. The walk is replaced in one step, and the removed part of the route can't be
  /// restored.
  ///
  /// - Parameters:
  ///   - id: The ID of the walk.
  ///   - period: The period that remains. Times before the start or after the end have no effect.
  /// - Returns: The walk as it is stored in the diary.
  /// - Throws: `FieldError` with the code `walks.unknownWalk`, or `input.invalid` if nothing of the walk is
  ///   in the period, or if its route has no times; or the errors of ``route(of:)``.
  @concurrent
  @discardableResult
  public func trim(_ id: Walk.ID, to period: ClosedRange<Date>) async throws -> Walk {
    try await core.write("The walk can't be trimmed.") {
      // Another process may change the walk between reading and writing it.
      for attempt in 0... {
        guard let walk = try await core.stored.walk(id) else {
          throw FieldError.unknownWalk(id)
        }
        do {
          return try await core.trim(walk, to: period)
        } catch let error as FieldError where error.code == .conflict && attempt < 8 {
          try Task.checkCancellation()
        }
      }
      throw FieldError(.conflict, "The walk \(id) keeps changing. Try again.")
    }
  }
}

extension DiaryCore {
  /// Adds a walk with its route, or returns the walk that has this route.
  fileprivate func add(_ walk: Walk, _ route: WalkRoute) async throws -> Walk {
    try await write("The walk can't be added.") {
      var walk = walk
      let lease = route.isEmpty ? nil : try await stored.blobs.put(route.encoded())
      defer { lease?.end() }
      if let blob = lease?.id {
        walk.id = Walk.ID(rawValue: ImportID.make("walk", [blob.hexadecimal]))
        walk.routeBlob = blob
        // A recorded walk can begin long before its first fix.
        let times = route.times ?? walk.start...walk.end
        let nearby = times.lowerBound - 86_400..<times.upperBound + 1
        let known = try await allWalks(of: nil, in: nearby).first { $0.routeBlob == blob }
        if let known { return known }
      }
      let saved = try await stored.save(walk)
      try await stored.makeDurable()
      await stored.claim(Set(saved.blobs))
      return saved
    }
  }

  func route(of walk: Walk) async throws -> WalkRoute {
    guard let blob = walk.routeBlob else { return WalkRoute() }
    guard let bytes = try await stored.blobs.bytes(of: blob) else {
      throw FieldError(.blobMissing, "The route of the walk \(walk.id) no longer exists.")
    }
    return try WalkRoute(decoding: bytes)
  }

  /// Trims a walk as it was read.
  ///
  /// - Throws: `FieldError` with the code `store.conflict` if it has been changed since.
  fileprivate func trim(_ walk: Walk, to period: ClosedRange<Date>) async throws -> Walk {
    let route = try await route(of: walk)
    let rest = try route.trimmed(to: period, of: walk)
    let lease = rest.isEmpty ? nil : try await stored.blobs.put(rest.encoded())
    defer { lease?.end() }
    let old = Set([walk.routeBlob].compactMap(\.self)).subtracting([lease?.id].compactMap(\.self))
    let trimmed = try await stored.releasing(old) {
      try await stored.updateWalk(walk.id) { current in
        guard current.routeBlob == walk.routeBlob, current.start == walk.start,
          current.end == walk.end
        else { throw FieldError(.conflict, "The walk \(walk.id) has been changed.") }
        try current.trim(to: period, from: route, to: rest)
        current.routeBlob = lease?.id
      }
    }
    try await stored.makeDurable()
    await stored.claim(Set(trimmed.blobs))
    return trimmed
  }
}
