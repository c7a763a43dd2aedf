internal import FieldCore
internal import FieldFoundation

/// The current state of a walk, built from its entries one by one.
///
/// A recorded and a recovered walk apply the same entries in the same way, so they can't differ.
/// Only the journal contains the points themselves.
struct WalkDraft: Sendable {
  let id: Walk.ID
  let start: Date
  let zone: FixedZone
  private(set) var participants: [Walk.Participant]
  private(set) var meter = TrackMeter()
  private(set) var lastPoint: TrackPoint?
  var goal: GoalTracker
  /// The marks of the last point, if the app may have quit before they were written.
  private(set) var unwrittenMarks: [WalkEntry] = []
  private(set) var photos: [DraftPhoto] = []
  private(set) var notes: [WalkNote] = []
  private(set) var ending: WalkEnding?
  /// The milliseconds from the start to the last entry, and the part of them that counts.
  private(set) var elapsed: Int64 = 0
  private(set) var active: Int64 = 0
  private(set) var isRunning = true
  /// The same times at the last point, or `nil` before the first.
  private(set) var atLastPoint: (elapsed: Int64, active: Int64)?

  init(_ beginning: WalkBeginning, goals: GoalPolicy) {
    id = beginning.id
    start = beginning.start
    zone = beginning.zone
    participants = beginning.pets.map { Walk.Participant(pet: $0, joined: beginning.start) }
    goal = GoalTracker(goals, place: beginning.goal, candidates: beginning.candidates)
  }

  /// The pets that currently take part.
  var pets: [Pet.ID] { participants.filter { $0.left == nil }.map(\.pet) }

  /// Returns the part of the time that counts at a later moment without an entry.
  func active(at elapsed: Int64) -> Int64 {
    isRunning ? active + max(elapsed - self.elapsed, 0) : active
  }

  func date(_ elapsed: Int64) -> Date { start.addingTimeInterval(Double(elapsed) / 1000) }

  mutating func apply(_ entry: WalkEntry) {
    // The time before a walk is recovered doesn't count.
    if case .recovered = entry.event { isRunning = false }
    active = active(at: entry.elapsed)
    elapsed = max(elapsed, entry.elapsed)
    switch entry.event {
    case .begun: break
    case .point(let point, let startsSegment):
      if startsSegment { meter.breakSegment() }
      meter.add(point)
      if lastPoint == nil { goal.begin(at: point.coordinate) }
      lastPoint = point
      atLastPoint = (elapsed, active)
    case .paused: isRunning = false
    case .resumed: isRunning = true
    case .recovered:
      isRunning = true
      ending = nil
    case .joined(let pet):
      participants.append(Walk.Participant(pet: pet, joined: date(entry.elapsed)))
    case .left(let pet):
      if let place = participants.lastIndex(where: { $0.pet == pet && $0.left == nil }) {
        participants[place].left = date(entry.elapsed)
      }
    case .mark(let mark): goal.apply(mark, at: date(entry.elapsed))
    case .photo(let photo): photos.append(photo)
    case .note(let note): notes.append(note)
    case .ending(let ending):
      self.ending = ending
      isRunning = false
    }
  }

  /// Evaluates the last point again, after all entries have been applied.
  ///
  /// The mark that the goal is reached is written after the point that shows it, and the app can
  /// quit in between.
  mutating func observeLastPoint() {
    guard let point = lastPoint, let at = atLastPoint else { return }
    unwrittenMarks = goal.observe(point).map { WalkEntry(elapsed: at.elapsed, event: .mark($0)) }
    for entry in unwrittenMarks { apply(entry) }
  }

  /// Returns the walk with an ending, without its photos and its route.
  func walk(_ ending: WalkEnding) -> Walk {
    let figures = meter.figures
    let duration = Duration.milliseconds(ending.active)
    var walk = Walk(
      id: id, pets: participants, start: start, end: date(ending.elapsed), utcOffset: zone,
      duration: duration, elapsed: .milliseconds(ending.elapsed),
      movingTime: figures.movingTime.map { min($0, duration) }, distance: figures.distance,
      climb: figures.climb, weather: ending.weather, dust: ending.dust, air: ending.air,
      notes: notes, goal: goal.place)
    walk.reward = goal.earned.map { WalkReward(of: id, earned: $0) }
    return walk
  }
}
