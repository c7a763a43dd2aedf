import FieldCore
import Foundation
import TestSupport
import Testing

/// The coordinates of the official table, read in the plainest way.
@Suite(
  "Spatial index of the real meteorites", .heavy,
  .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
struct MeteoritePlacesTests {
  let entries: [SpatialIndexTests.Entry]
  let index: SpatialIndex

  /// Read once for all tests.
  private static let shared = Result { try read() }

  init() throws { (entries, index) = try Self.shared.get() }

  private static func read() throws -> ([SpatialIndexTests.Entry], SpatialIndex) {
    let bytes = try SharedData.bytes("meteor/full_legacy_Meteorite_Landings_2025.csv")
    // Only classes and the last column, "(reclat, reclong)", have commas in quotes: the id is the
    // second cell, and reclat and reclong are the fourth and third from the end.
    let entries: [SpatialIndexTests.Entry] = try bytes.split(separator: UInt8(ascii: "\n"))
      .dropFirst().compactMap { line in
        let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard line.last == UInt8(ascii: "\""), cells.count >= 11,
          let id = Int32(String(decoding: cells[1], as: UTF8.self)),
          let latitude = Double(String(decoding: cells[cells.count - 4], as: UTF8.self)),
          let longitude = Double(String(decoding: cells[cells.count - 3], as: UTF8.self))
        else { return nil }
        return (id, try Coordinate(latitude: latitude, longitude: longitude))
      }.sorted { $0.key < $1.key }
    return (entries, SpatialIndex(entries))
  }

  @Test("a spatial index of the real meteorites contains them all")
  func counts() {
    #expect(index.count == 38_401)
    #expect(index.positionCount == 17_100)
  }

  @Test(
    "a spatial index finds the same nearest of the real meteorites as a full search",
    arguments: Sample.of(
      [
        (48.15, 17.11), (-71.5, 35.66667), (0.0, 0.0), (0, 354.4), (90, 0), (-90, 0), (-17, 180),
      ] as [(Double, Double)], 2, inDebug: 1))
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
