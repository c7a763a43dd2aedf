internal import FieldCore
internal import FieldFoundation

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
