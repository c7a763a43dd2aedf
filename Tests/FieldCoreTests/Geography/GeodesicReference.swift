import FieldCore
import Foundation
import TestSupport

/// The pairs and distances of Scripts/Checks/geodesic_reference.py: the pairs made anew from the seed, the
/// distances read from Tests/Fixtures/geography/geodesics.bin.
enum GeodesicReference {
  struct Pair: Sendable {
    let index: Int
    let from: Coordinate
    let to: Coordinate
    let meters: Double
    var kind: Kind { Kind.allCases[index % Kind.allCases.count] }
  }

  /// What a pair is like; the order is the script's.
  enum Kind: Int, CaseIterable, Sendable {
    case anywhere, anywhereAgain, polar, equatorial, meridional, nearlyAntipodal, tiny
    case acrossTheAntimeridian, near, eastOf180
  }

  static func pairs() throws -> [Pair] {
    let file = SharedData.root.appending(path: "Tests/Fixtures/geography/geodesics.bin")
    let bytes = [UInt8](try Data(contentsOf: file))
    var source = Source(random: SeededGenerator(seed: 20_130_620))
    return try (0..<bytes.count / 8).map { index in
      let bits = bytes[8 * index..<8 * index + 8].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      }
      let numbers = source.numbers(Kind.allCases[index % Kind.allCases.count])
      return Pair(
        index: index, from: try Coordinate(latitude: numbers[0], longitude: numbers[1]),
        to: try Coordinate(latitude: numbers[2], longitude: numbers[3]),
        meters: Double(bitPattern: bits))
    }
  }

  /// The script's `pair(kind, r)`, call by call.
  private struct Source {
    var random: SeededGenerator

    mutating func unit() -> Double { Double(random.next() >> 11) / 9_007_199_254_740_992 }
    mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }
    mutating func around(_ spread: Double) -> Double { between(-spread, spread) }

    let tiny = [1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 9e-6]
    let near = [1e-4, 1e-3, 1e-2, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0]
    let opposite = [0.0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 0.1, 0.5, 1.0, 2.0]

    init(random: SeededGenerator) { self.random = random }

    mutating func numbers(_ kind: Kind) -> [Double] {
      let step = Int(random.next() % 10)
      let flag = random.next() % 4
      var lat1 = between(-90, 90)
      var lon1 = between(-180, 180)
      var lat2: Double
      var lon2: Double
      func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
        min(max(value, low), high)
      }
      switch kind {
      case .anywhere, .anywhereAgain:
        lon1 = between(-180, 360)
        lat2 = between(-90, 90)
        lon2 = between(-180, 360)
      case .polar:
        let u = unit()
        lat1 = flag == 0 ? 90 : 90 - 2 * u * u
        lat2 = 90 - between(0, 2)
        if step < 3 { lat2 = -lat2 }
        if step == 3 { lat2 = lat1 }
        if flag == 1 { (lat1, lat2) = (-lat1, -lat2) }
        lon2 = between(-180, 360)
      case .equatorial:
        lat1 = flag < 2 ? 0 : around(near[step] / 1000)
        lat2 = flag % 2 == 0 ? 0 : around(near[step] / 1000)
        lon2 = between(-180, 360)
      case .meridional:
        lon1 = between(-180, 0)
        lon2 = flag < 2 ? lon1 : flag == 2 ? lon1 + 180 : lon1 + 360
        lat2 = between(-90, 90)
      case .nearlyAntipodal:
        lat2 = clamp(-lat1 + around(opposite[step]), -90, 90)
        if flag == 0 { (lat1, lat2) = (0, around(opposite[step])) }
        lon2 = clamp(lon1 + 180 + around(opposite[step]), -180, 360)
      case .tiny:
        if flag == 0 { lat1 = lat1 / 1e6 }
        lat2 = clamp(lat1 + around(tiny[step]), -90, 90)
        lon2 = clamp(lon1 + around(tiny[step]), -180, 360)
      case .acrossTheAntimeridian:
        lat2 = clamp(lat1 + around(near[step]), -90, 90)
        lon1 = 180 - between(0, near[step])
        lon2 = -180 + between(0, near[step])
        if flag == 0 { lon2 += 360 }
      case .near:
        lat2 = clamp(lat1 + around(near[step]), -90, 90)
        lon2 = clamp(lon1 + around(near[step]), -180, 360)
      case .eastOf180:
        lat2 = flag == 0 ? lat1 : flag == 1 ? -lat1 : between(-90, 90)
        lon1 = between(180, 360)
        lon2 = between(-180, 360)
      }
      return [lat1, lon1, lat2, lon2]
    }
  }
}
