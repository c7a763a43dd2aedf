public import FieldCore
public import FieldFoundation

/// The combined statistics of several walks.
///
/// ```swift
/// let week = WalkCalendar().period(.week, containing: today)
/// let figures = WalkStatistics(walks, pet: pet.id, in: week)
/// print(figures.walkCount, figures.distance, figures.pacePerKilometer as Any)
/// ```
///
/// If a pet joined a walk late or left it early, distances and times count in proportion to its
/// time on the walk. Impossible values in a file, such as a negative distance, count as zero.
public struct WalkStatistics: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The number of walks.
  public private(set) var walkCount = 0
  /// The number of calendar days on which a walk began.
  public private(set) var dayCount = 0
  /// The total distance.
  public private(set) var distance = Distance.zero
  /// The total time, without the owner's pauses.
  public private(set) var duration = Duration.zero
  /// The total time, including pauses.
  public private(set) var elapsed = Duration.zero
  /// The total moving time.
  public private(set) var movingTime = Duration.zero
  /// The total climb; `nil` if no walk has elevations.
  public private(set) var climb: Distance?
  /// The number of photos.
  public private(set) var photoCount = 0
  /// The number of walks that earned a reward.
  public private(set) var rewardCount = 0
  /// The start of the first walk; `nil` without a dated walk.
  public private(set) var firstStart: Date?
  /// The start of the last walk; `nil` without a dated walk.
  public private(set) var lastStart: Date?

  /// Creates the statistics of several walks.
  ///
  /// - Parameters:
  ///   - walks: The walks, in any order.
  ///   - pet: The pet whose walks count; `nil` to count all walks in full. Defaults to `nil`.
  ///   - period: The period whose walks count; `nil` for all time, including walks without a date.
  ///     Defaults to `nil`.
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

  /// The mean distance of a walk; `nil` without a walk.
  public var meanDistance: Distance? { walkCount == 0 ? nil : distance / Double(walkCount) }

  /// The mean duration of a walk; `nil` without a walk.
  public var meanDuration: Duration? { walkCount == 0 ? nil : duration / walkCount }

  /// The total moving time divided by the total distance, per kilometer; `nil` without a distance.
  ///
  /// A long walk therefore has more weight than a short one.
  public var pacePerKilometer: Duration? { Self.pace(movingTime, distance) }

  /// Returns the time per kilometer, or `nil` if it can't be computed or is longer than a day.
  static func pace(_ time: Duration, _ distance: Distance) -> Duration? {
    guard distance.meters > 0, time > .zero else { return nil }
    let seconds = time.seconds / distance.kilometers
    return seconds.isFinite && seconds <= 86_400 ? .seconds(seconds) : nil
  }

  /// The number of walks and their distance.
  public var description: String { "\(walkCount) walks, \(distance)" }
}
