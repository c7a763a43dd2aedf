public import FieldCore
public import FieldFoundation

/// A walk that was interrupted when the app quit, and that you can resume, finish, or discard.
///
/// ```swift
/// for walk in try await diary.unfinished() {
///   switch await ask(walk.start, walk.figures.distance) {
///   case .goOn: recorder = try await walk.resume()
///   case .save: try await walk.finish()
///   case .discard: try await walk.discard()
///   }
/// }
/// ```
///
/// The walk doesn't change until you call one of the three methods; until then, it appears each
/// time.
public struct UnfinishedWalk: Identifiable, Sendable, Codable, CustomStringConvertible {
  /// The ID of the walk.
  public let id: Walk.ID
  /// The time at which the walk began.
  public let start: Date
  /// The participants, in the order in which they joined.
  public let pets: [Walk.Participant]
  /// The last recorded point of the route, or `nil` if there is none.
  public let lastPoint: TrackPoint?
  /// The statistics of the route.
  public let figures: TrackFigures
  /// The time from the start to the last point, or to the last event if there are no points.
  public let elapsed: Duration
  /// The elapsed time without pauses.
  public let duration: Duration
  /// The progress toward the goal, or `nil` if there is no goal.
  public let goal: GoalProgress?
  /// The number of photos.
  public let photoCount: Int
  /// The notes of the walk.
  public let notes: [WalkNote]
  /// A Boolean value that indicates whether the walk was running when the app quit.
  public let wasRunning: Bool

  /// The owner that can continue the walk; `nil` for a decoded walk or one made for a preview.
  private var owner: (sessions: WalkSessions, saving: any WalkSaving)?

  private enum CodingKeys: String, CodingKey {
    case id, start, pets, lastPoint, figures, elapsed, duration, goal, photoCount, notes
    case wasRunning
  }

  /// Creates a walk to show in previews and tests, which can't be resumed, finished, or discarded.
  public init(
    id: Walk.ID, start: Date, pets: [Walk.Participant], lastPoint: TrackPoint? = nil,
    figures: TrackFigures = TrackFigures(), elapsed: Duration = .zero, duration: Duration = .zero,
    goal: GoalProgress? = nil, photoCount: Int = 0, notes: [WalkNote] = [],
    wasRunning: Bool = false
  ) {
    self.id = id
    self.start = start
    self.pets = pets
    self.lastPoint = lastPoint
    self.figures = figures
    self.elapsed = elapsed
    self.duration = duration
    self.goal = goal
    self.photoCount = photoCount
    self.notes = notes
    self.wasRunning = wasRunning
  }

  init(_ draft: WalkDraft, sessions: WalkSessions, saving: any WalkSaving) {
    let ending = Self.ending(of: draft)
    self.init(
      id: draft.id, start: draft.start, pets: draft.participants, lastPoint: draft.lastPoint,
      figures: draft.meter.figures, elapsed: .milliseconds(ending.elapsed),
      duration: .milliseconds(ending.active), goal: draft.goal.progress,
      photoCount: draft.photos.count, notes: draft.notes, wasRunning: draft.isRunning)
    owner = (sessions, saving)
  }

  /// Returns a recorder of the walk, after running `body` on it while its pets are admitted.
  @concurrent
  private func reopened(
    with pets: [Pet.ID] = [], _ body: @Sendable (WalkRecorder) -> Void = { _ in }
  ) async throws -> WalkRecorder {
    guard let owner else {
      throw FieldError(
        .unknownWalk, "The walk \(id) is a copy. Take the walk itself from `unfinished()`.")
    }
    return try await owner.sessions.admitting(pets) {
      let recorder = try owner.sessions.reopen(id, saving: owner.saving)
      body(recorder)
      return recorder
    }
  }

  /// Resumes recording in a new segment of the route.
  ///
  /// The time since the app quit counts only in ``Walk/elapsed``.
  ///
  /// - Throws: `FieldError` with the code `walks.taken` if the walk is being recorded or finished
  ///   elsewhere, or `walks.petIsOut` if one of the pets is on another walk.
  @concurrent
  public func resume() async throws -> WalkRecorder {
    let along = pets.filter { $0.left == nil }.map(\.pet)
    return try await reopened(with: along) { $0.goOn() }
  }

  /// Saves the walk as it was recorded.
  ///
  /// - Parameters:
  ///   - weather: The weather, or `nil` to keep what was set before the app quit, if anything.
  ///   - dust: The fine dust grade, or `nil` to keep what was set before the app quit, if
  ///     anything.
  ///   - air: The measured air quality, or `nil` to keep what was set before the app quit, if
  ///     anything.
  ///   - end: The end of the walk. By default, it is the time of the last point, or the time at
  ///     which the walk was finished if only saving was interrupted. Times before the default have
  ///     no effect.
  /// - Throws: The errors of ``WalkRecorder/finish(weather:dust:air:)``, and `walks.taken` if the
  ///   walk is being recorded or finished elsewhere. The walk is then still unfinished.
  @concurrent
  @discardableResult
  public func finish(
    weather: WalkWeather? = nil, dust: DustGrade? = nil, air: AirQuality? = nil, end: Date? = nil
  ) async throws -> Walk {
    try Task.checkCancellation()
    let recorder = try await reopened()
    defer { recorder.close() }
    var ending = recorder.core.withLock { Self.ending(of: $0.draft) }
    if let end {
      let seconds = end.timeIntervalSince(start)
      // Milliseconds, from zero through a century.
      let given = seconds.isFinite ? Int64(min(max(seconds, 0), 3_155_760_000) * 1000) : 0
      let later = max(given - ending.elapsed, 0)
      let isCounted = recorder.core.withLock { $0.draft.isRunning }
      ending.elapsed += later
      if isCounted { ending.active += later }
    }
    ending.weather = weather ?? ending.weather
    ending.dust = dust ?? ending.dust
    ending.air = air ?? ending.air
    return try await recorder.finish { [ending] in $0 = ending }
  }

  /// Discards the walk and its photos.
  ///
  /// - Throws: `FieldError` with the code `walks.taken` if the walk is being recorded or finished
  ///   elsewhere.
  @concurrent
  public func discard() async throws {
    try Task.checkCancellation()
    let recorder = try await reopened()
    defer { recorder.close() }
    try await recorder.discard()
  }

  /// The actual ending of the walk, or the one that it would have at its last point.
  private static func ending(of draft: WalkDraft) -> WalkEnding {
    if let ending = draft.ending { return ending }
    let last = draft.atLastPoint ?? (elapsed: draft.elapsed, active: draft.active)
    return WalkEnding(elapsed: last.elapsed, active: last.active)
  }

  /// The start and the distance.
  public var description: String { "\(start), \(figures.distance)" }
}

/// A photo of a walk that isn't saved yet.
public struct DraftPhoto: Identifiable, Sendable, Hashable, Codable {
  /// The ID that the photo will have in its walk.
  public var id: WalkPhoto.ID
  /// The ID of the photo's bytes among the drafts.
  public var blob: BlobID
  /// The time at which the photo was taken.
  public var takenAt: Date
  /// The location of the last good fix at that time, or `nil` before the first.
  public var coordinate: Coordinate?

  /// Creates a photo.
  public init(id: WalkPhoto.ID, blob: BlobID, takenAt: Date, coordinate: Coordinate? = nil) {
    self.id = id
    self.blob = blob
    self.takenAt = takenAt
    self.coordinate = coordinate
  }
}

/// A walk that has ended but isn't saved yet.
struct FinishedWalk: Sendable {
  /// The walk, without its photos and without the reference to its route.
  var walk: Walk
  /// The route, which is empty if no fix was accepted.
  var route: WalkRoute
  /// The photos, in the order in which they were taken.
  var photos: [DraftPhoto]
  /// The store of the photos' bytes.
  var drafts: any BlobStore

  /// Returns the bytes of a photo, or `nil` if they are missing or damaged, which shouldn't keep the
  /// walk from being saved.
  func bytes(of photo: DraftPhoto) async throws -> [UInt8]? {
    do {
      return try await drafts.bytes(of: photo.blob)
    } catch let error as FieldError where error.code == .damaged {
      return nil
    }
  }
}

/// A type that saves finished walks: the diary.
protocol WalkSaving: Sendable {
  /// Stores the photos and the route, and then commits the walk.
  ///
  /// When the method returns, everything is synced to the device. It is called again for the same
  /// walk if it threw, or if the app quit before the recorder learned of its success. A walk with
  /// an ID that already exists isn't stored twice.
  ///
  /// - Returns: The walk as it is stored.
  func save(_ finished: FinishedWalk) async throws -> Walk

  /// Throws unless all of these pets may go on a walk.
  func admit(_ pets: [Pet.ID]) async throws

  /// Returns the stored walk with an ID, or `nil` if there is none.
  func savedWalk(_ id: Walk.ID) async throws -> Walk?

  /// Returns the stored walk with an ID, once it is synced to the device, or `nil` if there is none.
  ///
  /// The recording of such a walk can be removed.
  func durableWalk(_ id: Walk.ID) async throws -> Walk?
}
