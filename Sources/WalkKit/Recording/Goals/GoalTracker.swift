public import FieldCore
internal import FieldFoundation

/// Tracks the progress of a walk toward its goal, fix by fix.
struct GoalTracker: Sendable {
  /// An event between a walk and its goal, as the journal stores it.
  enum Mark: UInt8, Sendable {
    /// The walk has definitely left the radius.
    case left = 1
    /// The walk has reached the goal.
    case reached = 2
  }

  private let policy: GoalPolicy
  /// The candidates for the nearest place, until the first good fix.
  private var candidates: [Place]
  /// The goal, or `nil` if there is none or it isn't chosen yet.
  private(set) var place: Place?
  private var target: GeodesicPoint?
  /// The distance from the last good fix to the goal.
  private(set) var distance: Distance?
  private var insideCount = 0
  private var beganInside = false
  private var hasLeft = false
  /// The time at which the goal was first reached.
  private(set) var reached: Date?
  /// The time at which reaching the goal first earned a reward.
  private(set) var earned: Date?

  init(_ policy: GoalPolicy, place: Place?, candidates: [Place]) {
    self.policy = policy
    self.candidates = candidates
    self.place = place
    target = place.map { GeodesicPoint($0.coordinate) }
  }

  /// Processes the first point of the walk, which determines the nearest goal and whether the walk
  /// began there. Neither is written: the point is, and always leads to the same result.
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

  /// Processes a good fix, and returns the resulting marks, which must be written.
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

  /// Checks the goal for a user who asks: the last good fix inside the radius suffices.
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

  var progress: GoalProgress? {
    place.map {
      GoalProgress(
        place: $0, distance: distance, isReached: reached != nil, earnsReward: earned != nil)
    }
  }

  private var mayEarn: Bool { !beganInside || hasLeft }

  /// Whether reaching the goal would change anything.
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

/// The answer to a user who claims to have reached the goal.
public enum GoalCheck: Sendable, Hashable, Codable {
  /// The goal is reached, now or earlier on the walk.
  case reached(Place)
  /// The goal is farther away than its radius.
  case notYet(Place, Distance)
  /// There has been no good fix yet, so the position is unknown.
  case unknownPosition
  /// The walk has no goal.
  case noGoal

  private enum ReachedCodingKeys: String, CodingKey { case _0 = "place" }
  private enum NotYetCodingKeys: String, CodingKey { case _0 = "place", _1 = "distance" }

  /// A Boolean value that indicates whether the goal is reached.
  public var isReached: Bool { if case .reached = self { true } else { false } }

  /// The old app's Korean message for a user who isn't there, or `nil` if the goal is reached or
  /// there is none.
  public var koreanMessage: String? {
    switch self {
    case .reached, .noGoal: nil
    case .notYet, .unknownPosition: "목표 지점에 도착하지 않았어요!"
    }
  }
}

/// The progress of a walk toward its goal.
public struct GoalProgress: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The goal.
  public var place: Place
  /// The distance from the last good fix to the goal, or `nil` before the first.
  public var distance: Distance?
  /// A Boolean value that indicates whether the walk has reached the goal at any time.
  public var isReached: Bool
  /// A Boolean value that indicates whether the walk will earn a reward.
  ///
  /// It does if the goal is reached and the walk didn't just begin there.
  public var earnsReward: Bool

  /// Creates a progress, for previews and tests.
  public init(
    place: Place, distance: Distance? = nil, isReached: Bool = false, earnsReward: Bool = false
  ) {
    self.place = place
    self.distance = distance
    self.isReached = isReached
    self.earnsReward = earnsReward
  }

  /// The place and the distance to it.
  public var description: String { "\(place)\(distance.map { ", \($0)" } ?? "")" }
}
