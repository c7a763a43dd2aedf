internal import FieldCore
internal import FieldFoundation

/// How a walk stands to its goal, fix by fix.
struct GoalTracker: Sendable {
  /// What happens between a walk and its goal, as the journal has it.
  enum Mark: UInt8, Sendable {
    /// The radius was left for certain.
    case left = 1
    /// The walk has been there.
    case reached = 2
  }

  private let policy: GoalPolicy
  /// The places to choose the nearest of, until the first good fix.
  private var candidates: [Place]
  /// The goal; nil when there is none and before it is chosen.
  private(set) var place: Place?
  private var target: GeodesicPoint?
  /// How far it is from the last good fix.
  private(set) var distance: Distance?
  private var insideCount = 0
  private var beganInside = false
  private var hasLeft = false
  /// When the walk was there first.
  private(set) var reached: Date?
  /// When the walk was there in a way that earns a reward.
  private(set) var earned: Date?

  init(_ policy: GoalPolicy, place: Place?, candidates: [Place]) {
    self.policy = policy
    self.candidates = candidates
    self.place = place
    target = place.map { GeodesicPoint($0.coordinate) }
  }

  /// Takes the first point of the walk, which decides on the nearest goal and on whether the walk began
  /// there.
  ///
  /// Neither is written down: the point is, and says the same whenever it is asked.
  mutating func begin(at coordinate: Coordinate) {
    if place == nil {
      place = candidates.min {
        $0.coordinate.distance(to: coordinate) < $1.coordinate.distance(to: coordinate)
      }
      target = place.map { GeodesicPoint($0.coordinate) }
    }
    guard let target else { return }
    beganInside = isInside(Geodesic.meters(from: target, to: GeodesicPoint(coordinate)))
  }

  /// Takes a good fix, and tells what has happened by it and is to be written down.
  mutating func observe(_ point: TrackPoint) -> [Mark] {
    guard let target else { return [] }
    let meters = Geodesic.meters(from: target, to: GeodesicPoint(point.coordinate))
    let error = max(point.accuracy?.meters ?? 0, 0)
    distance = .meters(meters)
    let isInside = isInside(meters)
    insideCount = isInside ? insideCount + 1 : 0
    if beganInside, !hasLeft, isCertainlyOutside(meters, error) { return [.left] }
    return isInside ? arrival(meters, error) : []
  }

  /// What a person's word adds to the last good fix: being inside by it is enough.
  func asked() -> (check: GoalCheck, marks: [Mark]) {
    guard let place else { return (candidates.isEmpty ? .noGoal : .unknownPosition, []) }
    guard let distance else { return (reached == nil ? .unknownPosition : .reached(place), []) }
    guard isInside(distance.meters) else {
      return (reached == nil ? .notYet(place, distance) : .reached(place), [])
    }
    return (.reached(place), isNews ? [.reached] : [])
  }

  mutating func apply(_ mark: Mark, at date: Date) {
    switch mark {
    case .left: hasLeft = true
    case .reached:
      reached = reached ?? date
      if mayEarn { earned = earned ?? date }
    }
  }

  /// What others see of it; nil without a goal.
  var progress: GoalProgress? {
    place.map {
      GoalProgress(
        place: $0, distance: distance, isReached: reached != nil, earnsReward: earned != nil)
    }
  }

  private var mayEarn: Bool { !beganInside || hasLeft }

  /// Whether being there would change anything.
  private var isNews: Bool { reached == nil || (earned == nil && mayEarn) }

  private func arrival(_ meters: Double, _ error: Double) -> [Mark] {
    let isCertain = policy.radius.meters > 0 ? meters + error < policy.radius.meters : true
    guard isNews, isCertain || insideCount >= policy.confirmations else { return [] }
    return [.reached]
  }

  private func isInside(_ meters: Double) -> Bool {
    policy.radius.meters > 0 ? meters < policy.radius.meters : meters == 0
  }

  private func isCertainlyOutside(_ meters: Double, _ error: Double) -> Bool {
    meters - error >= max(policy.radius.meters, 0) && meters > 0
  }
}
