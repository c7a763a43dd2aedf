import FieldCore
import TestSupport
import Testing

@Suite("Spatial index", .heavy)
struct SpatialIndexTests {
  typealias Entry = (key: Int32, coordinate: Coordinate)

  /// How places lie, from one seed.
  enum Cloud: String, CaseIterable, Sendable {
    case uniform, clusteredTies, polarCaps, antimeridianBand, coarseLattice, oneLine

    func entries(_ count: Int, seed: UInt64) throws -> [Entry] {
      var random = SeededGenerator(seed: seed)
      func number(_ low: Double, _ high: Double) -> Double {
        .random(in: low...high, using: &random)
      }
      let hubs = [(-71.5, 35.66667), (-84.0, 168.0), (0.0, 0.0), (90.0, 12.0), (10.0, 180.0)]
      return try (0..<count).map { index in
        let latitude: Double
        let longitude: Double
        switch self {
        case .uniform:
          (latitude, longitude) = (number(-90, 90), number(-180, 360))
        case .clusteredTies:
          let hub = hubs[Int(number(0, 4.999))]
          let isTie = number(0, 1) < 0.8
          latitude = isTie ? hub.0 : min(90, hub.0 + number(-1, 1))
          longitude = isTie ? hub.1 : hub.1 + number(-1, 1)
        case .polarCaps:
          let sign = number(-1, 1) < 0 ? -1.0 : 1.0
          latitude = sign * (number(0, 1) < 0.1 ? 90 : 90 - number(0, 1))
          longitude = number(-180, 360)
        case .antimeridianBand:
          latitude = number(-80, 80)
          longitude = number(0, 1) < 0.2 ? (number(0, 1) < 0.5 ? 180 : -180) : number(178, 182)
        case .coarseLattice:  // many equal distances, from mirrored places
          latitude = (number(-9, 9)).rounded() * 10
          longitude = (number(-18, 36)).rounded() * 10
        case .oneLine:
          (latitude, longitude) = (0, (number(-180, 180) * 4).rounded() / 4)
        }
        // Keys in no order, so that ties show whether entries or keys decide.
        let key = Int32(truncatingIfNeeded: index &* 7919 % count)
        return (key, try Coordinate(latitude: latitude, longitude: longitude))
      }
    }

    func places(seed: UInt64, entries: [Entry]) throws -> [Coordinate] {
      var random = SeededGenerator(seed: seed &+ 1)
      let fixed = try [(90.0, 0.0), (-90, 5), (0, 180), (0, -180), (0, 0), (-71.5, 35.66667)].map {
        try Coordinate(latitude: $0.0, longitude: $0.1)
      }
      let free = try (0..<6).map { _ in
        try Coordinate(
          latitude: .random(in: -90...90, using: &random),
          longitude: .random(in: -180...360, using: &random))
      }
      let taken = entries.isEmpty ? [] : (0..<4).map { entries[entries.count * $0 / 4].coordinate }
      return fixed + free + taken
    }
  }

  /// All entries by distance and order, the slow way.
  static func ranked(_ entries: [Entry], from place: Coordinate) -> [SpatialIndex.Neighbor] {
    let all = entries.map { entry in
      SpatialIndex.Neighbor(key: entry.key, distance: place.distance(to: entry.coordinate))
    }
    return all.enumerated()
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map(\.element)
  }

  /// The nearest entries, found without an index.
  private static func scanned(
    _ entries: [Entry], from place: Coordinate, _ count: Int
  ) -> [SpatialIndex.Neighbor] {
    var scan = NearestScan(from: place, count: count)
    for (rank, entry) in entries.enumerated() {
      scan.add(Int32(rank), entry.coordinate) { _ in true }
    }
    return scan.finish(ties: <).map { .init(key: entries[Int($0.key)].key, distance: $0.distance) }
  }

  @Test(
    "a spatial index finds the same nearest ones as a full search, ties in order",
    arguments: Cloud.allCases)
  func nearest(cloud: Cloud) throws {
    for (seed, size) in [(1, 1), (2, 7), (3, 60), (4, 900)] as [(UInt64, Int)] {
      let entries = try cloud.entries(size, seed: seed)
      let index = SpatialIndex(entries)
      #expect(index.count == size)
      for place in Sample.of(try cloud.places(seed: seed, entries: entries), 4, inDebug: 2) {
        let all = Self.ranked(entries, from: place)
        for count in [1, 2, 10, 100, size, size + 5] {
          let found = index.nearest(to: place, count: count)
          #expect(found == Array(all.prefix(count)), "seed \(seed), \(count) at \(place)")
          #expect(
            Self.scanned(entries, from: place, count) == found, "seed \(seed), \(count) at \(place)"
          )
        }
        let even = index.nearest(to: place, count: 9) { $0 % 2 == 0 }
        #expect(even == Array(all.filter { $0.key % 2 == 0 }.prefix(9)), "seed \(seed) at \(place)")
        let limit = all[all.count / 2].distance
        let close = index.nearest(to: place, count: 50, maxDistance: limit)
        #expect(
          close == Array(all.filter { $0.distance <= limit }.prefix(50)), "seed \(seed) at \(place)"
        )
      }
    }
  }

  @Test(
    "a spatial index finds the same within a radius as a full search", arguments: Cloud.allCases)
  func within(cloud: Cloud) throws {
    for (seed, size) in [(5, 1), (6, 50), (7, 900)] as [(UInt64, Int)] {
      let entries = try cloud.entries(size, seed: seed)
      let index = SpatialIndex(entries)
      for place in Sample.of(try cloud.places(seed: seed, entries: entries), 4, inDebug: 2) {
        let all = Self.ranked(entries, from: place)
        let distances = entries.map { place.distance(to: $0.coordinate) }
        // Radii that end exactly at an entry, and others.
        let radii: [Distance] = [
          .zero, .kilometers(50), .kilometers(3000), .kilometers(19_990), all[size / 3].distance,
        ]
        for radius in radii {
          let found = index.within(radius, of: place)
          let wanted = all.filter { $0.distance <= radius }
          #expect(found == wanted, "seed \(seed), \(radius) of \(place)")
          #expect(
            index.keys(within: radius, of: place)
              == zip(entries, distances).filter { $1 <= radius }.map(\.0.key),
            "seed \(seed), \(radius) of \(place)")
          #expect(
            index.within(radius, of: place) { $0 % 3 == 0 } == wanted.filter { $0.key % 3 == 0 },
            "seed \(seed), \(radius) of \(place)")
        }
      }
    }
  }

  @Test("a spatial index finds the same in a box as a full search", arguments: Cloud.allCases)
  func box(cloud: Cloud) throws {
    for (seed, size) in [(8, 1), (9, 50), (10, 2000)] as [(UInt64, Int)] {
      let entries = try cloud.entries(size, seed: seed)
      let index = SpatialIndex(entries)
      var random = SeededGenerator(seed: seed)
      var boxes = try cloud.places(seed: seed, entries: entries).flatMap { place in
        try [0, 1, 40, 200].map { span in
          try GeoBox(center: place, latitudeSpan: span, longitudeSpan: span)
        }
      }
      boxes.append(.world)
      boxes.append(try GeoBox(south: -90, west: 10, north: 90, east: 5))
      for _ in 0..<60 {
        let south = Double.random(in: -90...90, using: &random)
        boxes.append(
          try GeoBox(
            south: south, west: .random(in: -180...360, using: &random),
            north: .random(in: south...90, using: &random),
            east: .random(in: -180...360, using: &random)))
      }
      for box in Sample.of(boxes, 30) {
        #expect(
          index.keys(in: box) == entries.filter { box.contains($0.coordinate) }.map(\.key),
          "seed \(seed), \(box)")
      }
    }
  }

  @Test("a spatial index is empty without places, and finds nothing if nothing is requested")
  func nothing() throws {
    let here = try Coordinate(latitude: 1, longitude: 2)
    let empty = SpatialIndex([] as [Entry])
    #expect(empty.isEmpty)
    #expect(empty.nearest(to: here, count: 5).isEmpty)
    #expect(empty.within(.kilometers(100_000), of: here).isEmpty)
    #expect(empty.keys(in: .world).isEmpty)
    let one = SpatialIndex([(key: 7, coordinate: here)] as [Entry])
    #expect(one.nearest(to: here, count: 0).isEmpty)
    #expect(one.nearest(to: here, count: -1).isEmpty)
    #expect(one.nearest(to: here, count: 1, maxDistance: .meters(-1)).isEmpty)
    #expect(one.nearest(to: here, count: 1, maxDistance: .meters(.nan)).isEmpty)
    #expect(one.within(.meters(.nan), of: here).isEmpty)
    #expect(one.keys(within: .meters(-1), of: here).isEmpty)
    #expect(one.within(.zero, of: here).map(\.key) == [7])
    #expect(one.nearest(to: here, count: .max).map(\.key) == [7])
  }

  @Test("a spatial index calls the filter no more than needed among thousands of equal places")
  func ties() throws {
    let hub = try Coordinate(latitude: -71.5, longitude: 35.66667)
    let index = SpatialIndex((0..<4761).map { (key: $0, coordinate: hub) } as [Entry])
    #expect(index.positionCount == 1)
    var asked = 0
    let found = index.nearest(to: hub, count: 10) { _ in
      asked += 1
      return true
    }
    #expect(found.map(\.key) == Array(0..<10))
    #expect(found.allSatisfy { $0.distance == .zero })
    #expect(asked == 10)
  }

  @Test("a spatial index calls the filter for the nearest only, if it includes them")
  func fewCalls() throws {
    let entries = try Cloud.uniform.entries(4000, seed: 5)
    let index = SpatialIndex(entries)
    for place in try Cloud.uniform.places(seed: 5, entries: entries) {
      var asked = 0
      let found = index.nearest(to: place, count: 10) { _ in
        asked += 1
        return true
      }
      #expect(found.count == 10 && asked <= 11, "\(place)")
    }
  }

  @Test("a spatial index treats each pole and the antimeridian as one place, in any spelling")
  func onePlace() throws {
    let places: [(Double, Double)] = [
      (90, 0), (90, 170), (5, 180), (5, -180), (0, 359), (-0.0, -1),
    ]
    let index = SpatialIndex(
      try places.map { place -> Entry in
        (key: 1, coordinate: try Coordinate(latitude: place.0, longitude: place.1))
      })
    #expect(index.positionCount == 3)
  }
}
