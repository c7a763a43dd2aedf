import FieldCore
import MeteorKit
import TestSupport

/// Random rows and queries, odd ones among them.
struct MeteoriteQueryMaker {
  var generator: SeededGenerator
  var meteorites: [Meteorite] = []

  init(generator: SeededGenerator) { self.generator = generator }

  private mutating func pick<Item>(_ items: [Item]) -> Item {
    items[Int.random(in: 0..<items.count, using: &generator)]
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &generator) < percent
  }

  mutating func row(id: Int) throws -> PortalRow {
    var fields = ["id": "\(id)"]
    func set(_ name: String, _ value: String?) { fields[name] = value }
    set("name", pick(["Österplana \(id)", "L'Aigle", "Fell \(id) ", "mount \(id)", "ＡＢ \(id)"]))
    set("fall", pick(["Fell", "Found", nil]))
    set("nametype", pick(["Valid", "Valid", "Relict", nil]))
    set(
      "recclass",
      pick([
        "L6", "L6 ", " L6", "L6\t", "\tL6", "LL6", "LL<3.5", "h5", "H", "Howardite", "Lunar (bas.)",
        "Lodranite", "Iron, IIIAB", "iron", "Irony", "Relict H", "Relict  iron", " Relict CM",
        "Relict", "CM2", "C2-ung", "Chondrite-ung", "CH3", "Cx", "Fusion crust", "fusion crust H5",
        "EH3", "E5", "Enst achon", "Eucrite", "EUCRITE", "OC3", "K3", "R4", "Stone-uncl", "null",
        "",
        " ", nil,
      ]))
    set(
      "mass",
      pick([
        "0", "0.01", "21", "78.4", "78.400000000000006", "78.40000000000001", "78.39999999999999",
        "78.399999999999998", "132.69999999999999", "1000", "999.99999999999999999", "60000000",
        "-1", nil,
      ]))
    let years = [
      1, 100, 860, 1399, 1491, 1492, 1575, 1582, 1583, 1880, 2010, 2011, 2013, 2101, 9999,
    ]
    if chance(85) {
      let digits = "\(pick(years))"
      let zeros = String(repeating: "0", count: 4 - digits.count)
      set("year", "\(zeros)\(digits)-\(pick(["01-01", "12-31"]))T00:00:00.000")
    }
    if chance(85) {
      set("reclat", pick(["0", "90", "-90", "48.15", "-71.5", "-89.9", "47", "1e-05", number(90)]))
      set(
        "reclong",
        pick([
          "0", "180", "-180", "179.9", "-179.9", "354.47333", "360", "200", "17.11", "16",
          number(180),
        ]))
    }
    return try PortalRow(fields)
  }

  private mutating func number(_ limit: Double) -> String {
    "\((Double.random(in: -limit...limit, using: &generator) * 100_000).rounded() / 100_000)"
  }

  mutating func query() throws -> MeteoriteQuery {
    var query = MeteoriteQuery()
    if chance(20) {
      query.fall = pick([
        .fell, .found, .unknown, .init(rawValue: " Fell"), .init(rawValue: "null"),
      ])
    }
    if chance(15) { query.nameType = pick([.valid, .relict, .init(rawValue: "odd")]) }
    if chance(20) {
      query.classes = Set(
        (0..<pick([0, 1, 2, 3, 70])).map { _ in
          chance(80) ? pick(meteorites).classification : pick(["L6", "Iron?", "", " ", "é"])
        })
    }
    if chance(20) {
      let groups = Meteorite.ClassGroup.all + [.init(rawValue: "odd")]
      query.groups = Set((0..<pick([0, 1, 1, 2, 5])).map { _ in pick(groups) })
    }
    if chance(25) { query.massInGrams = masses() }
    if chance(25) { query.years = years() }
    if chance(10) { query.text = pick(["osterplana", "L'AIGLE", "ab 1", "", "1", "é"]) }
    if chance(25) { query.box = try box() }
    if chance(25) { query.circle = try circle() }
    query.plausibleOnly = chance(25)
    query.order = pick([.source, .massDescending, .massAscending, .yearDescending, .name, .id])
    if chance(25) { query.limit = pick([-1, 0, 1, 5, 100]) }
    if chance(20) { query.offset = pick([1, 3, 1000]) }
    return query
  }

  private mutating func masses() -> ValueRange<Double> {
    func bound() -> Double? {
      if chance(25) { return nil }
      if chance(60) { return pick(meteorites).massInGrams }
      return pick([
        -1, 0, 78.4, 1000, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
        .leastNonzeroMagnitude,
      ])
    }
    return ValueRange(lower: bound(), upper: bound(), includesUpper: chance(50))
  }

  private mutating func years() -> ValueRange<Int> {
    func bound() -> Int? {
      if chance(25) { return nil }
      if chance(60) { return pick(meteorites).year?.rawValue }
      return pick([.min, .min + 1, -1, 0, 1, 1581, 1582, 1583, 2011, 9998, 9999, 10_000, .max])
    }
    return ValueRange(lower: bound(), upper: bound(), includesUpper: chance(50))
  }

  private mutating func coordinate() throws -> Coordinate {
    if chance(60), let place = pick(meteorites).coordinate { return place }
    return try Coordinate(
      latitude: pick([90, -90, 0, 59, 61, 48.15]),
      longitude: pick([0, 180, -180, 179, 17, 360, 354]))
  }

  private mutating func box() throws -> GeoBox {
    if chance(10) { return .world }
    let (one, other) = (try coordinate(), try coordinate())
    return try GeoBox(
      south: min(one.latitude, other.latitude), west: one.normalized.longitude,
      north: max(one.latitude, other.latitude), east: other.normalized.longitude)
  }

  private mutating func circle() throws -> MeteoriteQuery.Circle {
    let center = try coordinate()
    // To the very edge: as far as some place is.
    let place = try coordinate()
    let radius = pick([
      center.distance(to: place), center.distance(to: place), .zero, .kilometers(50),
      .kilometers(99), .kilometers(2000), .kilometers(30_000), .meters(-1), .meters(.nan),
      .meters(.infinity),
    ])
    return MeteoriteQuery.Circle(center: center, radius: radius)
  }
}
