/// The direction in which a search looks at time.
///
/// A search backward is one forward in which all times are negative, patterns are visited from their ends, arrivals are
/// departures, and walks are reversed. The compiler makes one program of each direction.
protocol SearchDirection {
  static var isForward: Bool { get }
}

enum Forward: SearchDirection {
  @inline(__always)
  static var isForward: Bool { true }
}

enum Backward: SearchDirection {
  @inline(__always)
  static var isForward: Bool { false }
}
