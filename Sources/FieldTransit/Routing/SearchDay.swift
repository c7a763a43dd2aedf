/// A service day whose trips a search looks at.
struct SearchDay {
  /// The minutes from the start of the query's service day to the start of this one.
  let offset: Int32
  /// Whether each service runs.
  let active: Column<Bool>
}

/// The service days of a search, in its direction: a few that follow one another.
@safe
struct Days {
  private let offsets: Cells
  private let active: UnsafePointer<Bool>
  private let serviceCount: Int, stride: Int
  let count: Int

  /// Creates days.
  ///
  /// - Parameters:
  ///   - offsets: The offset of each day.
  ///   - active: Whether each service runs on the first day; those of the next days follow, or come before if they are
  ///     reversed.
  init(
    _ offsets: Cells, _ active: UnsafePointer<Bool>, services: Int, isReversed: Bool, count: Int
  ) {
    (self.offsets, serviceCount, self.count) = (offsets, services, count)
    stride = isReversed ? -services : services
    unsafe self.active = active
  }

  @inline(__always)
  subscript(day: Int) -> SearchDay {
    SearchDay(
      offset: offsets[day],
      active: unsafe Column(active + day &* stride, count: serviceCount))
  }

  /// Returns the number of a run on a day.
  @inline(__always)
  func cell(_ run: Int, _ day: Int) -> Int32 { Int32(truncatingIfNeeded: run &<< 4 | day) }

  /// Returns the run and the day of a number.
  static func run(_ cell: Int32) -> (run: Int, day: Int) { (Int(cell >> 4), Int(cell & 15)) }
}

/// The trips that a search may use.
struct SearchFilter {
  /// Whether each route may be used; empty if all of them may.
  var routes: [Bool] = []
  /// Only trips that say that they are accessible.
  var isWheelchair = false

  @inline(__always)
  func allows(route: Int) -> Bool { routes.isEmpty || routes[route] }

  @inline(__always)
  func allows(run: UInt32) -> Bool {
    !isWheelchair || run >> RunFlags.wheelchair & 3 == 1
  }
}

/// A departure of a run of a pattern.
struct Departure {
  /// The minute at which one has to be at the origin.
  var minute: Int32
  var pattern: Int32, place: Int32
}
