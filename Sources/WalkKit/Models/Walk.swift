public import FieldCore
public import FieldFoundation

/// A completed walk: its pets, times, distance, and other results.
///
/// A walk doesn't contain its route. ``WalkDiary/route(of:)`` loads it on demand, so that a list of
/// thousands of walks costs little.
public struct Walk: Identifiable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The identifier of the walk, which it has from its start.
  public var id: ID
  /// The pets on the walk, in the order in which they joined.
  public var pets: [Participant]
  /// The date on which the walk began.
  public var start: Date
  /// The date on which the walk ended.
  public var end: Date
  /// The time zone where and when the walk began, which decides its calendar day.
  public var utcOffset: FixedZone
  /// The duration, without the owner's pauses.
  ///
  /// ```swift
  /// show(finished.duration, finished.elapsed - finished.duration)  // walking, and pauses
  /// ```
  public var duration: Duration
  /// The time from start to end, including pauses.
  public var elapsed: Duration
  /// The time in motion.
  public var movingTime: Duration
  /// The distance.
  public var distance: Distance
  /// The sum of all climbs; `nil` without elevations.
  ///
  /// ```swift
  /// show(finished.climb.map { "\($0) up" } ?? "no elevations")
  /// ```
  public var climb: Distance?
  /// The weather; `nil` if it wasn't recorded.
  public var weather: WalkWeather?
  /// The grade of the fine dust; `nil` if it wasn't recorded.
  public var dust: DustGrade?
  /// The measured air quality; `nil` if it wasn't requested.
  public var air: AirQuality?
  /// The photos, in the order in which they were taken.
  ///
  /// ```swift
  /// for photo in finished.photos { show(try await diary.photo(photo)) }
  /// ```
  public var photos: [WalkPhoto]
  /// The notes, in order.
  public var notes: [WalkNote]
  /// The goal as it was at the time; `nil` if there was none.
  public var goal: Place?
  /// The reward that the walk earned; `nil` if there is none.
  ///
  /// ```swift
  /// if let reward = finished.reward, reward.claimed == nil {
  ///   try await diary.claimReward(of: finished.id)
  /// }
  /// ```
  public var reward: WalkReward?
  /// The blob that contains the route; `nil` if none was recorded.
  package var routeBlob: BlobID?

  /// Creates a walk.
  ///
  /// `elapsed` defaults to the time from start to end, `duration` to `elapsed`, and `movingTime` to
  /// the duration.
  public init(
    id: ID, pets: [Participant], start: Date, end: Date, utcOffset: FixedZone,
    duration: Duration? = nil, elapsed: Duration? = nil, movingTime: Duration? = nil,
    distance: Distance = .zero, climb: Distance? = nil, weather: WalkWeather? = nil,
    dust: DustGrade? = nil, air: AirQuality? = nil, photos: [WalkPhoto] = [],
    notes: [WalkNote] = [], goal: Place? = nil, reward: WalkReward? = nil
  ) {
    let elapsed = elapsed ?? Duration(limiting: max(end.timeIntervalSince(start), 0))
    self.id = id
    self.pets = pets
    self.start = start
    self.end = end
    self.utcOffset = utcOffset
    self.duration = duration ?? elapsed
    self.elapsed = elapsed
    self.movingTime = movingTime ?? duration ?? elapsed
    self.distance = distance
    self.climb = climb
    self.weather = weather
    self.dust = dust
    self.air = air
    self.photos = photos
    self.notes = notes
    self.goal = goal
    self.reward = reward
  }

  /// The date on which the walk began, under the old app's name for it.
  public var date: Date { start }

  /// The day that the walk counts for, which is that of its start in its own time zone.
  ///
  /// ```swift
  /// let days = Set(try await diary.allWalks().map(\.day))
  /// ```
  public var day: CalendarDay { CalendarDay(start, in: utcOffset) }

  /// A Boolean value that indicates whether a route was recorded.
  ///
  /// ```swift
  /// if finished.hasRoute { show(try await diary.route(of: finished.id).bounds as Any) }
  /// ```
  public var hasRoute: Bool { routeBlob != nil }

  /// Returns a Boolean value that indicates whether a pet was on the walk.
  ///
  /// ```swift
  /// let walks = try await diary.allWalks().filter { $0.includes(mesh.id) }
  /// ```
  public func includes(_ pet: Pet.ID) -> Bool { pets.contains { $0.pet == pet } }

  /// The identifier of a walk.
  public typealias ID = RecordID<Walk>

  /// A pet on a walk.
  public struct Participant: Hashable, Codable, Sendable {
    /// The pet.
    public var pet: Pet.ID
    /// The date on which the pet joined.
    public var joined: Date
    /// The date on which the pet left; `nil` if it stayed to the end.
    public var left: Date?

    /// Creates a participant.
    public init(pet: Pet.ID, joined: Date, left: Date? = nil) {
      self.pet = pet
      self.joined = joined
      self.left = left
    }
  }

  /// The day and the distance, such as `2026-05-01, 3.2 km`.
  public var description: String { "\(day), \(distance)" }

  /// The start of walks whose documents don't state a date: the beginning of 1970, before any
  /// recorded walk.
  public static var undatedStart: Date { Date(timeIntervalSince1970: 0) }

  /// A Boolean value that indicates whether the date of the walk is unknown, as in some documents
  /// of the old app.
  ///
  /// Such a walk comes last in a history that is sorted newest first. It counts in all-time sums,
  /// but not for any day, week, or streak.
  public var isUndated: Bool { start == Self.undatedStart }

  /// The blobs that the walk refers to: its photos, except remote ones, and its route.
  public var blobs: [BlobID] { (photos.map(\.blob) + [routeBlob]).compactMap { $0 } }
}
