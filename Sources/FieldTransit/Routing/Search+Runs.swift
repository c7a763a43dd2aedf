/// The times of runs, in the direction of a search.
extension Search {
  @inline(__always)
  func realRun(_ run: Int, _ count: Int) -> Int {
    Direction.isForward ? run : count &- 1 &- run
  }

  /// Returns the time at which a run can be boarded at a place, in the direction of the search.
  @inline(__always)
  func boardTime(
    _ pattern: TimetableContents.Pattern, _ day: SearchDay, _ place: Int, _ run: Int
  ) -> Int32 {
    let count = pattern.runCount
    if Direction.isForward {
      return Int32(contents.times[pattern.departures &+ place &* count &+ run]) &+ day.offset
    }
    let real = pattern.stopCount &- 1 &- place
    return 0
      &- (Int32(contents.times[pattern.arrivals &+ real &* count &+ count &- 1 &- run])
        &+ day.offset)
  }

  @inline(__always)
  func alightTime(
    _ pattern: TimetableContents.Pattern, _ day: SearchDay, _ place: Int, _ run: Int
  ) -> Int32 {
    let count = pattern.runCount
    if Direction.isForward {
      return Int32(contents.times[pattern.arrivals &+ place &* count &+ run]) &+ day.offset
    }
    let real = pattern.stopCount &- 1 &- place
    return 0
      &- (Int32(contents.times[pattern.departures &+ real &* count &+ count &- 1 &- run])
        &+ day.offset)
  }

  /// Returns whether a run runs on a day and may be used.
  @inline(__always)
  func allows(_ run: Int, on day: SearchDay) -> Bool {
    let service = contents.runServices[run]
    return day.active[Int(service & RunFlags.serviceMask)] && filter.allows(run: service)
  }
}
