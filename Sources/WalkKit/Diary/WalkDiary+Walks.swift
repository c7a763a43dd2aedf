internal import FieldCore
public import FieldFoundation

extension WalkDiary {
  // MARK: Recording

  /// Starts a walk.
  ///
  /// ```swift
  /// let walk = try await diary.start(pets: [mesh.id], goal: .nearest(of: diary.places()))
  /// print(walk.state)
  /// ```
  ///
  /// - Parameters:
  ///   - pets: The pets on the walk from its start: at least one, and none that is archived.
  ///   - goal: The destination; `nil` for none, as when choosing among no places. Defaults to
  ///     `nil`.
  /// - Throws: `FieldError` with the code `walks.unknownPet`, `walks.petArchived`,
  ///   `walks.petIsOut`, or `input.invalid`, or a code of the store of journals.
  public func start(pets: [Pet.ID], goal: WalkGoal? = nil) async throws -> WalkRecorder {
    try await core.read("The walk can't be started.") {
      guard !pets.isEmpty else { throw FieldError(.invalidInput, "A walk needs at least one pet.") }
      guard Set(pets).count == pets.count else {
        throw FieldError(.invalidInput, "The pets \(pets) contain a duplicate.")
      }
      try await core.requireActive(pets)
      return try await sessions.start(pets: pets, goal: goal, saving: core)
    }
  }

  /// Returns the walks that weren't finished because the app quit or saving failed, oldest first.
  ///
  /// You can resume, finish, or discard each of them. A walk whose journal can't be read doesn't
  /// hide the others; see ``unreadableWalks`` and ``journalCuts``.
  ///
  /// ```swift
  /// for walk in try await diary.unfinished() { try await walk.finish() }
  /// ```
  public func unfinished() async throws -> [UnfinishedWalk] {
    try await core.read("The unfinished walks can't be read.") {
      try await sessions.unfinished(saving: core)
    }
  }

  /// The walks that ``unfinished()`` and operations on its results couldn't read, with the reasons.
  ///
  /// A walk is unreadable, for example, if newer code began it. Such walks are left as they are,
  /// and tried again on the next call.
  public var unreadableWalks: [Walk.ID: FieldError] { sessions.failures }

  /// The damaged parts that were cut off the journals of unfinished walks, in the order of
  /// discovery, with the locations where they were saved.
  ///
  /// A process that is killed while writing leaves such a part. It belongs to a fix whose recording
  /// never returned.
  public var journalCuts: [OpeningReport.Cut] { sessions.cuts }

  // MARK: History

  /// Returns a page of the history, newest walk first, without loading any photo.
  ///
  /// ```swift
  /// var page = try await diary.walks(of: mesh.id, limit: 20)
  /// for walk in page.walks { print(walk.day, walk.distance) }
  /// if let next = page.next { page = try await diary.walks(of: mesh.id, after: next) }
  /// ```
  ///
  /// - Parameters:
  ///   - pet: The pet on the walks; `nil` for all walks. Defaults to `nil`.
  ///   - period: The range of the walks' starts; `nil` for any time. Defaults to `nil`.
  ///   - limit: The maximum number of walks, which is at least 1. Defaults to 50.
  ///   - cursor: The `next` of the previous page; `nil` for the first page.
  public func walks(
    of pet: Pet.ID? = nil, in period: Range<Date>? = nil, limit: Int = 50,
    after cursor: WalkPage.Cursor? = nil
  ) async throws -> WalkPage {
    try await core.read("The walks can't be read.") {
      try await core.stored.walks(
        WalkQuery(pet: pet, period: period, limit: limit, after: cursor))
    }
  }

  /// Returns all walks of a pet in a period, newest first.
  ///
  /// ```swift
  /// print(try await diary.allWalks(of: mesh.id).count)
  /// ```
  public func allWalks(
    of pet: Pet.ID? = nil, in period: Range<Date>? = nil
  ) async throws -> [Walk] {
    try await core.read("The walks can't be read.") { try await core.allWalks(of: pet, in: period) }
  }

  /// Returns the walk with an ID, or `nil` if there is none.
  ///
  /// ```swift
  /// if let walk = try await diary.walk(finished.id) { print(walk.day, walk.distance) }
  /// ```
  public func walk(_ id: Walk.ID) async throws -> Walk? {
    try await core.read("The walk can't be read.") { try await core.stored.walk(id) }
  }

  /// Returns the route of a walk, which is empty if none was recorded, as with walks of the old
  /// app.
  ///
  /// ```swift
  /// if let walk = try await diary.walks().walks.first {
  ///   print(try await diary.route(of: walk.id).distance)
  /// }
  /// ```
  ///
  /// - Throws: `FieldError` with the code `walks.unknownWalk`, and `walks.blobMissing` or
  ///   `store.damaged` if the bytes of the route are missing or damaged.
  @concurrent
  public func route(of id: Walk.ID) async throws -> WalkRoute {
    try await core.read("The route can't be read.") {
      guard let walk = try await core.stored.walk(id) else {
        throw FieldError.unknownWalk(id)
      }
      return try await core.route(of: walk)
    }
  }

  /// Changes what the owner can say about a walk: weather, dust, notes, pets, and times.
  ///
  /// The route doesn't change. ``trim(_:to:)`` shortens it, and ``addPhoto(_:to:takenAt:at:)`` and
  /// ``removePhoto(_:from:)`` change the photos.
  ///
  /// ```swift
  /// if let walk = try await diary.walks().walks.first {
  ///   try await diary.update(walk.id, WalkChanges(weather: .rain))
  /// }
  /// ```
  ///
  /// If another device shares the diary, pass the notes that the owner has seen as ``WalkChanges/originalNotes``.
  ///
  /// - Throws: `FieldError` with the code `walks.unknownWalk` or `walks.unknownPet`, or `input.invalid` if
  ///   there is no pet, if the end is before the start, or if the walk has a route and thus a distance.
  @discardableResult
  public func update(_ id: Walk.ID, _ changes: WalkChanges) async throws -> Walk {
    try await core.read("The walk can't be changed.") {
      try await core.stored.updateWalk(id) { try $0.apply(changes) }
    }
  }

  /// Deletes a walk with its photos and its route, unless something else refers to them.
  ///
  /// In files, bytes of the last hour are deleted when the diary is opened later. As long as a
  /// damaged part of the records is set aside beside the store, the bytes are kept, because a
  /// record in that part may refer to them.
  ///
  /// ```swift
  /// if let walk = try await diary.walks().walks.first { try await diary.delete(walk.id) }
  /// ```
  ///
  /// - Throws: `FieldError` with the code `walks.unknownWalk`, or a code of the store. In each
  ///   case, nothing is deleted.
  public func delete(_ id: Walk.ID) async throws {
    let message = "The walk can't be deleted."
    try await core.read(message) { try await sessions.removeRest(of: id, core) }
    try await core.write(message) {
      guard let walk = try await core.stored.walk(id) else {
        throw FieldError.unknownWalk(id)
      }
      _ = try await core.stored.releasing(Set(walk.blobs)) {
        try await core.stored.removeWalk(id)
      }
      await forgetFetched(walk.photos)
    }
  }

  // MARK: Rewards

  /// Returns the walks whose reward hasn't been claimed, oldest first.
  ///
  /// ```swift
  /// for walk in try await diary.pendingRewards() where try await diary.claimReward(of: walk.id) {
  ///   print(walk.day, walk.reward as Any)
  /// }
  /// ```
  ///
  /// - Parameter pet: The pet on the walks; `nil` for all. Defaults to `nil`.
  public func pendingRewards(of pet: Pet.ID? = nil) async throws -> [Walk] {
    try await allWalks(of: pet).reversed().filter { walk in
      walk.reward.map { $0.claimed == nil } ?? false
    }
  }

  /// Claims the reward of a walk.
  ///
  /// ```swift
  /// for walk in try await diary.pendingRewards() where try await diary.claimReward(of: walk.id) {
  ///   show(walk.reward as Any)
  /// }
  /// ```
  ///
  /// - Returns: `true` for the first call, across processes and launches; `false` if there is no
  ///   reward or it was already claimed.
  /// - Throws: `FieldError` with the code `walks.unknownWalk`.
  @discardableResult
  public func claimReward(of id: Walk.ID) async throws -> Bool {
    try await core.read("The reward can't be claimed.") {
      let now = core.clock.now
      // The closure runs again if another commit comes in between; its last run is the one that
      // counts.
      let isMine = Lock(false)
      try await core.stored.updateWalk(id) { walk in
        let isWaiting = walk.reward.map { $0.claimed == nil } ?? false
        isMine.withLock { $0 = isWaiting }
        if isWaiting { walk.reward?.claimed = now }
      }
      return isMine.withLock { $0 }
    }
  }
}
