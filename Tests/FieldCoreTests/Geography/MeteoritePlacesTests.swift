import FieldCore
import Foundation
import TestSupport
import Testing

/// The coordinates of the official table, read in the plainest way.
@Suite(
  "Spatial index of the real meteorites",
  .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
struct MeteoritePlacesTests {
  let entries: [SpatialIndexTests.Entry]
  let index: SpatialIndex

  init() throws {
    let bytes = try SharedData.bytes("meteor/full_legacy_Meteorite_Landings_2025.csv")
    // Name, id, nametype, recclass, mass, fall, year, reclat, reclong, "GeoLocation"; no name has a
    // comma, so the columns up to reclong can be split.
    entries = try bytes.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line in
      let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard let id = Int32(cells[1]), let latitude = Double(cells[7]),
        let longitude = Double(cells[8])
      else { return nil }
      return (id, try Coordinate(latitude: latitude, longitude: longitude))
    }.sorted { $0.key < $1.key }
    index = SpatialIndex(entries)
  }

  @Test("has them all")
  func counts() {
    #expect(index.count == 38_401)
    #expect(index.positionCount == 17_100)
  }

  @Test(
    "finds the nearest as a full search does, ties by id",
    arguments: [
      (48.15, 17.11), (-71.5, 35.66667), (0.0, 0.0), (0, 354.4), (90, 0), (-90, 0), (-17, 180),
    ])
  func nearest(latitude: Double, longitude: Double) throws {
    let place = try Coordinate(latitude: latitude, longitude: longitude)
    let all = SpatialIndexTests.ranked(entries, from: place)
    #expect(index.nearest(to: place, count: 20) == Array(all.prefix(20)))
    let circle = index.within(.kilometers(300), of: place)
    #expect(circle == Array(all.prefix { $0.distance <= .kilometers(300) }))
    let box = try GeoBox(center: place, latitudeSpan: 10, longitudeSpan: 10)
    #expect(index.keys(in: box) == entries.filter { box.contains($0.coordinate) }.map(\.key))
  }
}
