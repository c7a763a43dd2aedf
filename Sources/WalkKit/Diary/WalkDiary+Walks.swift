internal import FieldCore
public import FieldFoundation

extension WalkDiary {
  // MARK: Recording

  /// Starts a walk.
  ///
  /// - Parameters:
  ///   - pets: Who goes along from the start: at least one, and none that is archived.
  ///   - goal: Where it is to lead; nil for nowhere in particular, as with a choice among no places.
  /// - Throws: `FieldError` with the code `unknownPet`, `petArchived`, `petIsOut` or `invalidInput`, or
  ///   of the store of journals.
  public func start(pets: [Pet.ID], goal: WalkGoal? = nil) async throws -> WalkRecorder {
    try await core.read("the walk cannot be started") {
      guard !pets.isEmpty else {
        throw FieldError(.invalidInput, "a walk needs a pet: name at least one")
      }
      guard Set(pets).count == pets.count else {
        throw FieldError(.invalidInput, "a pet goes along once: \(pets) names one twice")
      }
      try await core.requireActive(pets)
      return try await sessions.start(pets: pets, goal: goal, saving: DiarySaver(core: core))
    }
  }

  /// The walks that were not finished, since the app ended or saving failed, the oldest first.
  ///
  /// Each can be gone on with, finished or discarded; nothing is decided here. One whose journal cannot be
  /// read hides no other: ``unreadableWalks`` and ``journalCuts`` tell of it.
  public func unfinished() async throws -> [UnfinishedWalk] {
    try await core.read("the unfinished walks cannot be read") {
      try await sessions.unfinished(saving: DiarySaver(core: core))
    }
  }

  /// The walks that ``unfinished()`` and what was done with its walks could not read, and why: for example
  /// that newer code began them. They are left as they are, and asked again at the next call.
  public var unreadableWalks: [Walk.ID: FieldError] { sessions.failures }

  /// What of the journals of unfinished walks was damaged and had to be cut off, in the order in which this
  /// diary has found it, and where it was saved.
  ///
  /// A process that was killed in the middle of writing leaves such an end, of a fix whose recording never
  /// returned.
  public var journalCuts: [OpeningReport.Cut] { sessions.cuts }

  // MARK: History

  /// A page of the history, the newest walk first: given at once, without waiting for any photo.
  ///
  /// - Parameters:
  ///   - pet: The pet that went along; nil for all walks.
  ///   - period: When the walk began, the lower end included; nil for any time.
  ///   - limit: How many walks at most; at least 1.
  ///   - cursor: The `next` of the page before; nil for the first page.
  public func walks(
    of pet: Pet.ID? = nil, in period: Range<Date>? = nil, limit: Int = 50,
    after cursor: WalkPage.Cursor? = nil
  ) async throws -> WalkPage {
    try await core.read("the walks cannot be read") {
      try await core.backend.walks.walks(
        WalkQuery(pet: pet, period: period, limit: limit, after: cursor))
    }
  }

  /// All walks of a pet and a period, the newest first: for figures over them.
  public func allWalks(
    of pet: Pet.ID? = nil, in period: Range<Date>? = nil
  ) async throws -> [Walk] {
    try await core.read("the walks cannot be read") {
      try await core.allWalks(of: pet, in: period)
    }
  }

  /// The walk of this id; nil when there is none.
  public func walk(_ id: Walk.ID) async throws -> Walk? {
    try await core.read("the walk cannot be read") { try await core.backend.walks.walk(id) }
  }

  /// The route of a walk; one without points when none was recorded, as with walks of the old app.
  ///
  /// - Throws: `FieldError` with the code `unknownWalk`; `blobMissing` or `damaged` when the bytes of
  ///   the route are not what was stored.
  @concurrent
  public func route(of id: Walk.ID) async throws -> WalkRoute {
    try await core.read("the route cannot be read") {
      guard let walk = try await core.backend.walks.walk(id) else {
        throw FieldError.unknownWalk(id)
      }
      guard let blob = walk.routeBlob else { return WalkRoute() }
      guard let bytes = try await core.backend.blobs.bytes(of: blob) else {
        throw FieldError(.blobMissing, "the route of the walk \(id) is not there any more")
      }
      return try WalkRoute(decoding: bytes)
    }
  }

  /// Changes what the owner noted about a walk: weather, dust, notes. When and how far it went stays.
  ///
  /// - Throws: `FieldError` with the code `unknownWalk`.
  @discardableResult
  public func update(_ id: Walk.ID, _ changes: WalkChanges) async throws -> Walk {
    try await core.read("the walk cannot be changed") {
      try await core.backend.walks.update(id) { walk in
        if let weather = changes.weather { walk.weather = weather }
        if let dust = changes.dust { walk.dust = dust }
        if let notes = changes.notes { walk.notes = notes }
        if changes.cleared.contains(.weather), changes.weather == nil { walk.weather = nil }
        if changes.cleared.contains(.dust), changes.dust == nil { walk.dust = nil }
        if changes.cleared.contains(.air) { walk.air = nil }
      }
    }
  }

  /// Deletes a walk with its photos and its route, as far as nothing else refers to them; in files those
  /// of the last hour go when the diary is opened later. As long as a damaged part of the records is set
  /// aside beside the store, they stay, because a record in that part may refer to them.
  ///
  /// - Throws: `FieldError` with the code `unknownWalk`, or of the store; nothing is deleted then.
  public func delete(_ id: Walk.ID) async throws {
    try await core.write("the walk cannot be deleted") {
      guard let walk = try await core.backend.walks.walk(id) else {
        throw FieldError.unknownWalk(id)
      }
      _ = try await core.releasing(walk.blobs) { try await core.backend.walks.remove(id) }
      await forgetFetched(walk.photos)
    }
  }

  // MARK: Rewards

  /// The walks whose reward waits to be claimed, the oldest first.
  ///
  /// - Parameter pet: The pet that went along; nil for all.
  public func pendingRewards(of pet: Pet.ID? = nil) async throws -> [Walk] {
    try await allWalks(of: pet).reversed().filter { walk in
      walk.reward.map { $0.claimed == nil } ?? false
    }
  }

  /// Claims the reward of a walk, which plays once.
  ///
  /// - Returns: True for the first call of all, in all processes and after restarts; false when there is
  ///   no reward, or it was claimed before.
  /// - Throws: `FieldError` with the code `unknownWalk`.
  @discardableResult
  public func claimReward(of id: Walk.ID) async throws -> Bool {
    try await core.read("the reward cannot be claimed") {
      let now = core.clock.now
      // The change runs anew when another commit came between; its last run is the one that counts.
      let isMine = Lock(false)
      try await core.backend.walks.update(id) { walk in
        let isWaiting = walk.reward.map { $0.claimed == nil } ?? false
        isMine.withLock { $0 = isWaiting }
        if isWaiting { walk.reward?.claimed = now }
      }
      return isMine.withLock { $0 }
    }
  }
}
