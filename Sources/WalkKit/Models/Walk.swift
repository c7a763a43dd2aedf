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

// MARK: - Bounds

extension Walk {
  /// The reason that no history can contain the walk; `nil` if there is none.
  ///
  /// A date that isn't a number has no place in an order and crashes the process that prints it, and
  /// one of `1e300` seconds does that to a process that computes with it. A duration of more than 30,000 years, which a damaged document may contain, overflows when
  /// durations are split or added.
  package var flaw: String? {
    var moments = [start, end] + pets.flatMap { [$0.joined, $0.left ?? $0.joined] }
    moments += notes.map(\.time) + photos.compactMap(\.takenAt)
    moments += [reward?.earned, reward?.claimed, air?.measuredAt].compactMap { $0 }
    guard moments.allSatisfy(\.isPossible) else {
      return "the walk has a time that isn't a number or is more than 30,000 years away"
    }
    let limits = Duration.zero - .longest ... .longest
    guard [duration, elapsed, movingTime].allSatisfy(limits.contains) else {
      return "the walk has an impossible duration"
    }
    return nil
  }
}

extension Pet {
  /// The reason that no diary can contain the pet, such as a date that isn't a number; or `nil`.
  package var flaw: String? {
    let moments = [registered, photo?.takenAt].compactMap { $0 }
    return moments.allSatisfy(\.isPossible)
      ? nil : "the pet has a time that isn't a number or is more than 30,000 years away"
  }
}

extension Date {
  /// A Boolean value that indicates whether the date can be that of an event.
  fileprivate var isPossible: Bool {
    timeIntervalSinceReferenceDate.magnitude <= Duration.longest / .seconds(1)
  }
}

// MARK: - Editing

extension Walk {
  /// Applies what an owner changed.
  mutating func apply(_ changes: WalkChanges) throws {
    if let weather = changes.weather { self.weather = weather }
    if let dust = changes.dust { self.dust = dust }
    if let notes = changes.notes(over: notes) { self.notes = notes }
    if changes.cleared.contains(.weather), changes.weather == nil { weather = nil }
    if changes.cleared.contains(.dust), changes.dust == nil { dust = nil }
    if changes.cleared.contains(.air) { air = nil }
    if let pets = changes.pets { try setPets(pets) }
    if let distance = changes.distance {
      guard routeBlob == nil else {
        throw FieldError(.invalidInput, "The distance of the walk \(id) is that of its route.")
      }
      self.distance = distance
    }
    if changes.start != nil || changes.end != nil {
      let pauses = max((elapsed - duration) / .seconds(1), 0)
      let wasMoving = movingTime < duration ? movingTime : nil
      try setTimes(
        start: changes.start ?? start, end: changes.end ?? end, pauses: pauses,
        movingTime: wasMoving)
    }
  }

  /// Sets the pets; those that were on the walk keep the times at which they joined and left.
  mutating func setPets(_ ids: [Pet.ID]) throws {
    guard !ids.isEmpty else {
      throw FieldError(.invalidInput, "A walk needs at least one pet.")
    }
    guard Set(ids).count == ids.count else {
      throw FieldError(.invalidInput, "The pets \(ids) contain a duplicate.")
    }
    let joined = ids.flatMap { id in
      let parts = pets.filter { $0.pet == id }
      return parts.isEmpty ? [Participant(pet: id, joined: start)] : parts
    }
    pets = joined
    for note in notes.indices {
      if let pet = notes[note].pet, !ids.contains(pet) { notes[note].pet = nil }
    }
  }

  /// Sets the start and the end, and what follows from them.
  ///
  /// - Parameters:
  ///   - pauses: The seconds that don't count.
  ///   - movingTime: The time in motion; `nil` for all of the duration.
  mutating func setTimes(
    start: Date, end: Date, pauses: Double, movingTime: Duration?
  ) throws {
    let seconds = end.timeIntervalSince(start)
    // A century, as for walks that are recorded.
    guard (0...3_155_760_000).contains(seconds) else {
      throw FieldError(
        .invalidInput,
        "The end of a walk must be after its start, by a century at most, but it is \(seconds) s after it."
      )
    }
    setTimes(
      start: start, end: end, elapsed: Duration(measured: seconds),
      duration: Duration(measured: max(seconds - pauses, 0)), movingTime: movingTime)
  }

  private mutating func setTimes(
    start: Date, end: Date, elapsed: Duration, duration: Duration, movingTime: Duration?
  ) {
    let hasMoved = self.start != start
    for part in pets.indices {
      // Who was there from the start still is.
      let isFirst = hasMoved && pets[part].joined == self.start
      pets[part].joined = isFirst ? start : min(max(pets[part].joined, start), end)
      pets[part].left = pets[part].left.map { min(max($0, start), end) }
    }
    (self.start, self.end) = (start, end)
    (self.elapsed, self.duration) = (elapsed, duration)
    self.movingTime = min(movingTime ?? duration, duration)
  }

  /// Becomes the walk of which only the rest of the route was recorded.
  mutating func trim(to period: ClosedRange<Date>, from route: WalkRoute, to rest: WalkRoute) throws
  {
    let from = min(max(start, period.lowerBound), end)
    let to = max(min(end, period.upperBound), from)
    let cut = max(from.timeIntervalSince(start) + end.timeIntervalSince(to), 0)
    let elapsed = max(self.elapsed / .seconds(1) - cut, 0)
    // Pauses are between segments, or before the first and after the last fix.
    let pauses = max((self.elapsed - duration) / .seconds(1), 0)
    let between = min(pauses, route.pauseSeconds)
    let outside = route.secondsOutside(start...end)
    var left = route.pauseSeconds > 0 ? between * rest.pauseSeconds / route.pauseSeconds : 0
    if outside > 0 {
      left += (pauses - between) * min(rest.secondsOutside(from...to) / outside, 1)
    } else {
      left += pauses - between
    }
    let (before, figures) = (route.figures(), rest.figures())
    // Pets that were there only before or after are gone with that time, unless all were.
    let remaining = pets.filter { part in
      part.joined <= to && (part.left.map { $0 >= from } ?? true)
    }
    if !remaining.isEmpty { pets = remaining }
    if !route.isEmpty {
      // The distance of a walk of another app is that without noise.
      let isPlain = abs((distance - before.distance).meters) <= before.distance.meters / 1_000
      distance = isPlain ? figures.distance : rest.denoised().distance
      climb = figures.climb
    }
    setTimes(
      start: from, end: to, elapsed: Duration(measured: elapsed),
      duration: Duration(measured: max(elapsed - left, 0)), movingTime: figures.movingTime)
  }
}

extension WalkRoute {
  /// The earliest and the latest time of the points; `nil` if none has one.
  var times: ClosedRange<Date>? {
    let times = segments.joined().lazy.compactMap(\.time)
      .filter(\.timeIntervalSinceReferenceDate.isFinite)
    guard let first = times.min(), let last = times.max() else { return nil }
    return first...last
  }

  /// The seconds between segments.
  var pauseSeconds: Double {
    var sum = 0.0
    var last: Date?
    for segment in segments {
      if let last, let next = segment.lazy.compactMap(\.time).first {
        let seconds = next.timeIntervalSince(last)
        // A clock that is wrong by years doesn't measure a pause.
        if (0..<315_360_000).contains(seconds) { sum += seconds }
      }
      last = segment.last { $0.time != nil }?.time ?? last
    }
    return sum
  }

  /// Returns the seconds of a period before the first and after the last time.
  func secondsOutside(_ period: ClosedRange<Date>) -> Double {
    guard let times else { return period.upperBound.timeIntervalSince(period.lowerBound) }
    return max(times.lowerBound.timeIntervalSince(period.lowerBound), 0)
      + max(period.upperBound.timeIntervalSince(times.upperBound), 0)
  }

  /// Returns the part from the first point that isn't before a period to the last that isn't after it.
  func trimmed(to period: ClosedRange<Date>, of walk: Walk) throws -> WalkRoute {
    guard period.lowerBound <= walk.end, period.upperBound >= walk.start else {
      throw FieldError(.invalidInput, "The walk \(walk.id) isn't in the period that should remain.")
    }
    guard !isEmpty else { return self }
    guard times != nil else {
      throw FieldError(
        .invalidInput, "The route of the walk \(walk.id) has no times, so it can't be trimmed.")
    }
    let times = segments.flatMap { $0.map(\.time) }
    guard let first = times.firstIndex(where: { $0.map { $0 >= period.lowerBound } ?? false }),
      let last = times.lastIndex(where: { $0.map { $0 <= period.upperBound } ?? false }),
      first <= last
    else {
      throw FieldError(
        .invalidInput, "No point of the walk \(walk.id) is in the period that should remain.")
    }
    // If nothing with a time is cut off an end, points without times stay there, too.
    let start = times[..<first].contains { $0 != nil } ? first : 0
    let end = times[(last + 1)...].contains { $0 != nil } ? last + 1 : times.count
    var rest = WalkRoute()
    var offset = 0
    for segment in segments {
      let part = segment[
        min(max(start - offset, 0), segment.count)..<min(max(end - offset, 0), segment.count)]
      if !part.isEmpty || segment.isEmpty { rest.segments.append(Array(part)) }
      offset += segment.count
    }
    return rest
  }
}
