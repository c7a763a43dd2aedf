import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Boxes")
struct GeoBoxTests {
  static let containment: [(Double, Double, Double, Double, Double, Double, Bool)] = [
    // south, west, north, east, latitude, longitude
    (0.0, 0.0, 10.0, 10.0, 5.0, 5.0, true),
    (0, 0, 10, 10, 0, 0, true),
    (0, 0, 10, 10, 10, 10, true),
    (0, 0, 10, 10, 10.000001, 5, false),
    (0, 0, 10, 10, 5, 360, true),
    (0, 0, 10, 10, 5, -0.000001, false),
    (-10, 170, 10, -170, 0, 180, true),
    (-10, 170, 10, -170, 0, -180, true),
    (-10, 170, 10, -170, 0, 175, true),
    (-10, 170, 10, -170, 0, 185, true),
    (-10, 170, 10, -170, 0, -169.9, false),
    (-10, 170, 10, -170, 0, 0, false),
    (-10, 170, 10, 190, 0, -175, true),
    (-10, 170, 10, 180, 0, -180, true),
    (-10, 170, 10, 180, 0, -179.9, false),
    (-10, 180, 10, 190, 0, 180, true),
    (-10, 350, 10, 5, 0, 354.47333, true),
    (-10, 350, 10, 5, 0, 6, false),
    (-90, -180, 90, 180, 12, 180, true),
    (-90, 0, 90, 360, 12, -77, true),
    (-90, -180, 90, 360, 12, 300, true),
    (80, 10, 90, 20, 90, -100, true),
    (80, 10, 90, 20, 89.9, -100, false),
    (-90, 10, -80, 20, -90, 180, true),
    (80, 10, 89, 20, 90, 15, false),
    (0, 10, 5, 5, 1, 7, false),
    (0, 10, 5, 5, 1, -7, true),
    (1, 180, 1, 180, 1, -180, true),
    (1, 180, 1, 180, 1, 179, false),
    // 180 to -180 goes no way at all, unlike -180 to 180.
    (1, 180, 1, -180, 1, 0, false),
  ]

  typealias Four = (Double, Double, Double, Double)

  static let spans: [(Four, Four)] = [
    // latitude, longitude, height, width; south, west, north, east
    ((48.0, 17.0, 10.0, 10.0), (43.0, 12.0, 53.0, 22.0)),
    ((88, 0, 10, 10), (83, -5, 90, 5)),
    ((-88, 0, 10, 10), (-90, -5, -83, 5)),
    ((0, 178, 10, 10), (-5, 173, 5, -177)),
    ((0, -178, 10, 10), (-5, 177, 5, -173)),
    ((0, 175, 10, 10), (-5, 170, 5, 180)),
    ((0, -175, 10, 10), (-5, -180, 5, -170)),
    ((0, 354, 10, 10), (-5, -11, 5, -1)),
    ((0, 77, 400, 400), (-90, -180, 90, 180)),
    ((0, 77, 10, 360), (-5, -180, 5, 180)),
    ((1, 2, 0, 0), (1, 2, 1, 2)),
  ]

  static let enclosures: [([(Double, Double)], Four)] = [
    ([(10.0, 20.0), (-5, 30)], (-5.0, 20.0, 10.0, 30.0)),
    ([(0, 179), (1, -179)], (0, 179, 1, -179)),
    ([(0, 170), (1, 180)], (0, 170, 1, 180)),
    ([(0, -180), (1, -170)], (0, -180, 1, -170)),
    ([(0, 354.5), (0, 5)], (0, -5.5, 0, 5)),
    ([(0, -120), (0, 0), (0, 120)], (0, -120, 0, 120)),
    ([(90, 77), (80, 10), (80, 12)], (80, 10, 90, 12)),
    ([(90, 77)], (90, 0, 90, 0)),
    ([(3, 180)], (3, -180, 3, -180)),
  ]

  @Test(
    "boxes contain everything between their edges, inclusive, across ±180° and at the poles",
    arguments: containment)
  func contains(
    south: Double, west: Double, north: Double, east: Double, latitude: Double, longitude: Double,
    isIn: Bool
  ) throws {
    let box = try GeoBox(south: south, west: west, north: north, east: east)
    let place = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(box.contains(place) == isIn, "\(box)")
    let data = try JSONEncoder().encode(box)
    #expect(try JSONDecoder().decode(GeoBox.self, from: data) == box)
  }

  @Test("boxes know their center, their spans, and whether they cross the antimeridian")
  func measures() throws {
    let fiji = try GeoBox(south: -20, west: 176, north: -10, east: -178)
    #expect(fiji.crossesAntimeridian)
    #expect(fiji.longitudeSpan == 6)
    #expect(fiji.latitudeSpan == 10)
    #expect(fiji.center == (try Coordinate(latitude: -15, longitude: 179)))
    let same = try GeoBox(south: -20, west: 176, north: -10, east: 182)
    #expect(same == fiji)
    #expect(!GeoBox.world.crossesAntimeridian)
    #expect(GeoBox.world.longitudeSpan == 360)
    #expect(try GeoBox(south: -90, west: 0, north: 90, east: 360) == .world)
  }

  @Test("boxes reject edges that are out of range or reversed, and name each one")
  func invalid() throws {
    let error = try #require(throws: FieldError.self) {
      try GeoBox(south: 10, west: .nan, north: -95, east: 5)
    }
    #expect(error.code == .invalidInput)
    #expect(
      error.problems == [
        "southwest corner: the longitude nan isn't between -180 and 360",
        "northeast corner: the latitude -95.0 isn't between -90 and 90",
        "south 10.0 is north of north -95.0",
      ])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        GeoBox.self, from: Data(#"{"south":10,"west":0,"north":0,"east":5}"#.utf8))
    }
  }

  @Test(
    "boxes are created around a place, and clipped at the poles",
    arguments: spans)
  func around(given: Four, edges: Four) throws {
    let box = try GeoBox(
      center: try Coordinate(latitude: given.0, longitude: given.1), latitudeSpan: given.2,
      longitudeSpan: given.3)
    #expect((box.south, box.west, box.north, box.east) == edges)
  }

  @Test("boxes of nearly 360 degrees of longitude contain nearly all of them, however they round")
  func nearlyWhole() throws {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<2000 {
      let center = try Coordinate(latitude: 0, longitude: .random(in: -180...360, using: &random))
      let box = try GeoBox(center: center, latitudeSpan: 1, longitudeSpan: 360.0.nextDown)
      #expect(box.longitudeSpan > 359.99, "\(center)")
      #expect(box.contains(center))
    }
  }

  @Test("boxes reject invalid spans", arguments: [-1.0, .nan, .infinity])
  func invalidSpan(span: Double) throws {
    let center = try Coordinate(latitude: 0, longitude: 0)
    #expect(throws: FieldError.self) {
      try GeoBox(center: center, latitudeSpan: span, longitudeSpan: 10)
    }
  }

  @Test(
    "boxes enclose places as narrowly as possible",
    arguments: enclosures)
  func enclosing(places: [(Double, Double)], edges: Four) throws {
    let box = try #require(
      GeoBox(enclosing: places.map { try Coordinate(latitude: $0.0, longitude: $0.1) }))
    #expect((box.south, box.west, box.north, box.east) == edges)
  }

  @Test("the box around no places is nil, and any other box encloses all its places")
  func enclosingAll() throws {
    #expect(GeoBox(enclosing: []) == nil)
    var random = SeededGenerator(seed: 8)
    for round in 0..<300 {
      let middle = Double.random(in: -180...180, using: &random)
      let places = try (0..<Int.random(in: 1...12, using: &random)).map { _ in
        let longitude = middle + .random(in: -60...60, using: &random)
        return try Coordinate(
          latitude: .random(in: -90...90, using: &random),
          longitude: longitude < -180 ? longitude + 360 : longitude)
      }
      let box = try #require(GeoBox(enclosing: places))
      #expect(places.allSatisfy(box.contains), "round \(round)")
      #expect(box.longitudeSpan <= 120 + 1e-9, "round \(round)")
    }
  }

  @Test("boxes intersect or not, as testing places one by one confirms")
  func intersects() throws {
    var random = SeededGenerator(seed: 9)
    let lines = stride(from: -180.0, through: 180, by: 15).map { $0 }
    func box() throws -> GeoBox {
      let (south, north) = (
        Double.random(in: -6...5, using: &random).rounded() * 15,
        Double.random(in: 0...3, using: &random).rounded() * 15
      )
      return try GeoBox(
        south: south, west: lines.randomElement(using: &random) ?? 0, north: min(south + north, 90),
        east: lines.randomElement(using: &random) ?? 0)
    }
    for _ in 0..<2000 {
      let (one, other) = (try box(), try box())
      var meet = false
      for latitude in stride(from: -90.0, through: 90, by: 15) {
        for longitude in lines {
          let place = try Coordinate(latitude: latitude, longitude: longitude)
          meet = meet || (one.contains(place) && other.contains(place))
        }
      }
      #expect(one.intersects(other) == meet, "\(one); \(other)")
      #expect(other.intersects(one) == meet, "\(one); \(other)")
    }
  }
}

@Suite("Grids")
struct GeoGridTests {
  static let cells: [(Double, Double, Double, Int, Int)] = [
    // cell size, latitude, longitude, row, column
    (10, -90, 50, 0, 0), (10, 90, 50, 17, 0), (10, 0, 0, 9, 18), (10, 89.9, -180, 17, 0),
    (10, 0, 180, 9, 0), (10, 0, 179.99, 9, 35), (10, 0, 354.5, 9, 17), (7, 89, 179, 25, 51),
    (180, 5, 5, 0, 1), (0.1, 0.35, 0.75, 903, 1807),
  ]

  @Test(
    "grids assign a place to the cell with its numbers",
    arguments: cells)
  func cell(size: Double, latitude: Double, longitude: Double, row: Int, column: Int) throws {
    let grid = try GeoGrid(cellSize: size)
    let place = try Coordinate(latitude: latitude, longitude: longitude)
    #expect(grid.cell(of: place) == GeoGrid.Cell(row: row, column: column))
  }

  @Test(
    "grids give each place a cell whose box contains it", arguments: [0.1, 0.3, 1, 7, 11.25, 180])
  func boxes(size: Double) throws {
    let grid = try GeoGrid(cellSize: size)
    var random = SeededGenerator(seed: 10)
    for _ in 0..<2000 {
      // On the lines as often as between them.
      let onLine = Bool.random(using: &random)
      let latitude = Double.random(in: -90...90, using: &random)
      let longitude = Double.random(in: -180...360, using: &random)
      let place = try Coordinate(
        latitude: onLine ? max(-90, (latitude / size).rounded(.towardZero) * size) : latitude,
        longitude: onLine ? max(-180, (longitude / size).rounded(.towardZero) * size) : longitude)
      let box = try #require(grid.box(of: grid.cell(of: place)))
      #expect(box.contains(place), "\(place) in \(box)")
    }
  }

  @Test("grids count every place once")
  func counts() throws {
    let grid = try GeoGrid(cellSize: 5)
    let places = try [(90.0, 0.0), (90, 100), (0, 180), (0, -180), (1, 2)].map {
      try Coordinate(latitude: $0.0, longitude: $0.1)
    }
    #expect(
      grid.counts(of: places) == [
        GeoGrid.Cell(row: 35, column: 0): 2, GeoGrid.Cell(row: 18, column: 0): 2,
        GeoGrid.Cell(row: 18, column: 36): 1,
      ])
    #expect(grid.box(of: GeoGrid.Cell(row: 36, column: 0)) == nil)
    #expect(grid.box(of: GeoGrid.Cell(row: 0, column: -1)) == nil)
  }

  @Test("grids reject invalid sizes", arguments: [0.0, -1, .nan, 181, 1e-9])
  func invalid(size: Double) {
    #expect(throws: FieldError.self) { try GeoGrid(cellSize: size) }
  }
}
