/// A cost in one number: seconds first, then the number of stations if the seconds are equal.
struct RouteCost: Comparable, Sendable {
  /// The seconds in the high bits, and the stations in the low 16.
  private let bits: Int64

  private init(bits: Int64) { self.bits = bits }

  init(seconds: Int, stations: Int) { bits = Int64(seconds) << 16 | Int64(stations) }

  static let zero = RouteCost(bits: 0)
  /// The cost if there is no route; sums with it stay far from overflowing.
  static let unreachable = RouteCost(bits: 1 << 60)

  var seconds: Int { Int(bits >> 16) }
  var isReachable: Bool { bits < 1 << 60 }

  @inline(__always)
  static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
  @inline(__always)
  static func + (left: Self, right: Self) -> Self { Self(bits: left.bits &+ right.bits) }
}
