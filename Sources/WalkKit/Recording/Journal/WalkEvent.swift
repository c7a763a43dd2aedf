internal import FieldCore
internal import FieldFoundation

/// What the journal of a walk begins with.
struct WalkBeginning: Codable, Sendable {
  var id: Walk.ID
  var start: Date
  var zone: FixedZone
  var pets: [Pet.ID]
  /// The goal, when it is known from the start.
  var goal: Place?
  /// The places to choose the nearest of.
  var candidates: [Place]
}

/// How a walk ended.
struct WalkEnding: Codable, Sendable {
  /// From start to end, in milliseconds.
  var elapsed: Int64
  /// The part of it that counts, in milliseconds.
  var active: Int64
  var weather: WalkWeather?
  var dust: DustGrade?
  var air: AirQuality?
}

/// Something that happens on a walk and is written down.
enum WalkEvent: Sendable {
  case begun(WalkBeginning)
  /// A point of the route.
  case point(TrackPoint, startsSegment: Bool)
  case paused
  case resumed
  /// The walk goes on after the app had ended; the time between does not count.
  case recovered
  case joined(Pet.ID)
  case left(Pet.ID)
  case mark(GoalTracker.Mark)
  case photo(DraftPhoto)
  case note(WalkNote)
  case ending(WalkEnding)
}

/// An event and when it was: one entry of the journal.
struct WalkEntry: Sendable {
  /// Milliseconds since the start of the walk, by a clock that nobody sets.
  var elapsed: Int64
  var event: WalkEvent
}
