public import FieldCore
public import FieldFoundation

/// The figures of some walks taken together.
///
/// ```swift
/// let week = WalkCalendar().period(.week, containing: today)
/// let figures = WalkStatistics(walks, pet: pet.id, in: week)
/// print(figures.walkCount, figures.distance, figures.pacePerKilometer as Any)
/// ```
///
/// For a pet that joined a walk late or left it early, as much of each figure counts as it was along of
/// the time. What a file says that cannot be, such as a distance below zero, counts as none.
public struct WalkStatistics: Sendable, Hashable, Codable, CustomStringConvertible {
  /// How many walks there were.
  public private(set) var walkCount = 0
  /// On how many calendar days a walk began.
  public private(set) var dayCount = 0
  /// How far they went.
  public private(set) var distance = Distance.zero
  /// How long they were out, without the owner's pauses.
  public private(set) var duration = Duration.zero
  /// How long they were out, with pauses.
  public private(set) var elapsed = Duration.zero
  /// How long they were moving.
  public private(set) var movingTime = Duration.zero
  /// How far they went up; nil when no walk has heights.
  public private(set) var climb: Distance?
  /// How many photos were taken.
  public private(set) var photoCount = 0
  /// How many walks have earned a reward.
  public private(set) var rewardCount = 0
  /// When the first walk began; nil without a dated walk.
  public private(set) var firstStart: Date?
  /// When the last walk began; nil without a dated walk.
  public private(set) var lastStart: Date?

  /// Takes walks together.
  ///
  /// - Parameters:
  ///   - walks: The walks, in any order.
  ///   - pet: The pet whose walks count; nil for all walks, each of them whole and once.
  ///   - period: The period whose walks count; nil for all time, walks without a date among them.
  public init(_ walks: some Sequence<Walk>, pet: Pet.ID? = nil, in period: WalkPeriod? = nil) {
    var days: Set<CalendarDay> = []
    for walk in walks {
      if let period, !period.contains(walk) { continue }
      guard let share = WalkShare(walk, of: pet) else { continue }
      walkCount += 1
      distance += share.distance
      duration += share.duration
      elapsed += share.elapsed
      movingTime += share.movingTime
      if let up = share.climb { climb = (climb ?? .zero) + up }
      photoCount += walk.photos.count
      rewardCount += walk.reward == nil ? 0 : 1
      if walk.isUndated { continue }
      days.insert(walk.day)
      firstStart = min(firstStart ?? walk.start, walk.start)
      lastStart = max(lastStart ?? walk.start, walk.start)
    }
    dayCount = days.count
  }

  /// The distance of a walk in the mean; nil without a walk.
  public var meanDistance: Distance? { walkCount == 0 ? nil : distance / Double(walkCount) }

  /// The duration of a walk in the mean; nil without a walk.
  public var meanDuration: Duration? { walkCount == 0 ? nil : duration / walkCount }

  /// How long a kilometre took while they were moving: all moving time by all distance, so that a long
  /// walk counts for more than a short one. Nil when they went no distance.
  public var pacePerKilometer: Duration? {
    Self.pace(movingTime, distance)
  }

  /// The time of a kilometre; nil when there is none to speak of, or it would take longer than a day.
  static func pace(_ time: Duration, _ distance: Distance) -> Duration? {
    guard distance.meters > 0, time > .zero else { return nil }
    let seconds = time.seconds / distance.kilometers
    return seconds.isFinite && seconds <= 86_400 ? .seconds(seconds) : nil
  }

  /// The number of walks and their distance.
  public var description: String { "\(walkCount) walks, \(distance)" }
}
