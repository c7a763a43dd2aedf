public import FieldCore
public import FieldFoundation

/// A walk that is over: who went, when, how far, and what came of it.
///
/// The route is not in it: ``WalkDiary/route(of:)`` loads it when it is asked for, so that a list of
/// thousands of walks costs little.
public struct Walk: Identifiable, Hashable, Codable, Sendable {
  /// What the walk is known by, from its start on.
  public var id: ID
  /// Who went along, in the order in which they joined.
  public var pets: [Participant]
  /// When it began.
  public var start: Date
  /// When it ended.
  public var end: Date
  /// The zone of the place and time where it began, which decides on its calendar day.
  public var utcOffset: FixedZone
  /// How long it took, less the pauses that the owner made.
  public var duration: Duration
  /// How long it took from start to end, pauses included.
  public var elapsed: Duration
  /// How long they were really moving.
  public var movingTime: Duration
  /// How far they went.
  public var distance: Distance
  /// How far they went up, all climbs together; nil when there were no heights.
  public var climb: Distance?
  /// The weather; nil when nobody noted it.
  public var weather: WalkWeather?
  /// How bad the fine dust was; nil when nobody noted it.
  public var dust: DustGrade?
  /// What was measured in the air; nil when nobody asked.
  public var air: AirQuality?
  /// The photos, in the order in which they were taken.
  public var photos: [WalkPhoto]
  /// What happened on the way, in order.
  public var notes: [WalkNote]
  /// The goal as it was then; nil when there was none.
  public var goal: Place?
  /// What the walk has earned; nil for nothing.
  public var reward: WalkReward?
  /// The route among the diary's blobs; nil when none was recorded.
  package var routeBlob: BlobID?

  /// Makes a walk; what is left out is not known, or is none.
  ///
  /// Without `elapsed` that is the time from start to end, without `duration` it is `elapsed`, and without
  /// `movingTime` it is the duration.
  public init(
    id: ID, pets: [Participant], start: Date, end: Date, utcOffset: FixedZone,
    duration: Duration? = nil, elapsed: Duration? = nil, movingTime: Duration? = nil,
    distance: Distance = .zero, climb: Distance? = nil, weather: WalkWeather? = nil,
    dust: DustGrade? = nil, air: AirQuality? = nil, photos: [WalkPhoto] = [],
    notes: [WalkNote] = [], goal: Place? = nil, reward: WalkReward? = nil
  ) {
    let elapsed = elapsed ?? .seconds(max(end.timeIntervalSince(start), 0))
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

  /// When the walk began: what the old app calls its date.
  public var date: Date { start }

  /// The day that the walk counts for: that of its start, in its own zone.
  public var day: CalendarDay { CalendarDay(start, in: utcOffset) }

  /// Whether a route was recorded.
  public var hasRoute: Bool { routeBlob != nil }

  /// Whether this pet went along.
  public func includes(_ pet: Pet.ID) -> Bool { pets.contains { $0.pet == pet } }

  /// The identifier of a walk.
  public typealias ID = RecordID<Walk>

  /// A pet on a walk.
  public struct Participant: Hashable, Codable, Sendable {
    /// The pet.
    public var pet: Pet.ID
    /// When it joined.
    public var joined: Date
    /// When it left; nil when it was there to the end.
    public var left: Date?

    /// Makes a participant.
    public init(pet: Pet.ID, joined: Date, left: Date? = nil) {
      self.pet = pet
      self.joined = joined
      self.left = left
    }
  }
}

extension Walk: CustomStringConvertible {
  /// The day and the distance, such as `2026-05-01, 3.2 km`.
  public var description: String { "\(day), \(distance)" }
}
