internal import FieldCore
internal import FieldFoundation

/// The first entry of a walk's journal.
struct WalkBeginning: Codable, Sendable {
  var id: Walk.ID
  var start: Date
  var zone: FixedZone
  var pets: [Pet.ID]
  /// The goal, if it is known from the start.
  var goal: Place?
  var candidates: [Place]
}

struct WalkEnding: Codable, Sendable {
  /// The time from start to end, in milliseconds.
  var elapsed: Int64
  /// The part of the time that counts, in milliseconds.
  var active: Int64
  var weather: WalkWeather?
  var dust: DustGrade?
  var air: AirQuality?
}

/// An event of a walk that is written to the journal.
enum WalkEvent: Sendable {
  case begun(WalkBeginning)
  case point(TrackPoint, startsSegment: Bool)
  case paused
  case resumed
  /// The walk resumes after the app quit; the time in between doesn't count.
  case recovered
  case joined(Pet.ID)
  case left(Pet.ID)
  case mark(GoalTracker.Mark)
  case photo(DraftPhoto)
  case note(WalkNote)
  case ending(WalkEnding)
}

/// An entry of the journal: an event and its time.
struct WalkEntry: Sendable {
  /// The milliseconds since the start of the walk on the monotonic clock.
  var elapsed: Int64
  var event: WalkEvent
}
