import FieldCore
import FieldPortals
import Foundation
import TestSupport
import Testing

@Suite("The shapes of ArcGIS features")
struct EsriShapeTests {
  private static func layer(
    _ features: [String], reference: String = #"{"wkid":4326}"#, layer: String = "",
    fields: String = ""
  ) -> ServedLayer {
    let rows = features.enumerated().map { index, members in
      #"{"attributes":{"OBJECTID":\#(index + 1)},\#(members)}"#
    }
    return ServedLayer(
      layer: Array(
        #"{"name":"Shapes","maxRecordCount":1000,"supportsAdvancedQueries":true,\#(layer)"fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}\#(fields)]}"#
          .utf8),
      page: Array(
        #"{"spatialReference":\#(reference),"features":[\#(rows.joined(separator: ","))]}"#.utf8))
  }

  private func row(
    _ geometry: String, reference: String = #"{"wkid":4326}"#, layer: String = ""
  ) async throws -> JSONValue {
    let batch = try await Self.layer(
      [#""geometry":\#(geometry)"#], reference: reference, layer: layer
    ).rows()
    #expect(batch.failures.isEmpty)
    return try #require(batch.records.first).values
  }

  static let isPyprojThere =
    Tool.canRun
    && (try? Tool.run("python3", "-c", "import pyproj")) != nil

  @Test(
    "Positions in Web Mercator are on WGS84 within a millimeter of pyproj",
    .enabled(if: isPyprojThere, "Python's pyproj isn't installed"),
    arguments: [
      #"{"wkid":102100,"latestWkid":3857}"#, #"{"wkid":102100}"#, #"{"wkid":3857}"#,
      #"{"wkt":"PROJCS[\"WGS_1984_Web_Mercator_Auxiliary_Sphere\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\"]]]"}"#,
    ])
  func webMercator(_ reference: String) async throws {
    var generator = SeededGenerator(seed: 38)
    var points = (0..<2_000).map { _ in
      (
        Double.random(in: -20_037_508...20_037_508, using: &generator),
        Double.random(in: -40_000_000...40_000_000, using: &generator)
      )
    }
    points += [
      (0, 0), (20_037_508.3, 0), (-20_037_508.3, 1e-6), (21_000_000, 5), (-21_500_000, -5),
    ]
    let script = """
      import json, sys
      from pyproj import Transformer
      convert = Transformer.from_crs(3857, 4326, always_xy=True).transform
      print(json.dumps([list(convert(x, y)) for x, y in json.load(sys.stdin)]))
      """
    let given = "[" + points.map { "[\($0.0),\($0.1)]" }.joined(separator: ",") + "]"
    let expected = try JSONDocument.value(
      [UInt8](try Tool.run("python3", "-c", script, input: Data(given.utf8))))
    let batch = try await Self.layer(
      points.map { #""geometry":{"x":\#($0.0),"y":\#($0.1)}"# }, reference: reference
    ).rows()
    try #require(batch.records.count == points.count)
    for (record, other) in zip(batch.records, expected.elements ?? []) {
      let mine = try record.values["geometry"]?["coordinates"]?.elements?.map(\.double) ?? []
      let theirs = other.elements?.map(\.double) ?? []
      let (longitude, latitude) = (try #require(mine[0]), try #require(mine[1]))
      let (x, y) = (try #require(theirs[0]), try #require(theirs[1]))
      // A millimeter is 9e-9 degrees of latitude.
      #expect(abs(latitude - y) < 8e-9)
      #expect(abs((longitude - x).remainder(dividingBy: 360)) < 8e-9)
    }
  }

  @Test(
    "Shapes keep heights, and no measures",
    arguments: [
      (#"{"x":1,"y":2,"z":3,"m":4}"#, "", #"{"coordinates":[1.0,2.0,3.0],"type":"Point"}"#),
      (#"{"x":1,"y":2,"z":"NaN","m":4}"#, "", #"{"coordinates":[1.0,2.0],"type":"Point"}"#),
      (
        #"{"hasM":true,"points":[[1,2,9]]}"#, "",
        #"{"coordinates":[[1.0,2.0]],"type":"MultiPoint"}"#
      ),
      (
        #"{"hasZ":true,"hasM":true,"points":[[1,2,5,9]]}"#, "",
        #"{"coordinates":[[1.0,2.0,5.0]],"type":"MultiPoint"}"#
      ),
      (
        #"{"paths":[[[1,2,5],[3,4,6]]]}"#, #""hasZ":true,"#,
        #"{"coordinates":[[1.0,2.0,5.0],[3.0,4.0,6.0]],"type":"LineString"}"#
      ),
      (
        #"{"hasM":true,"paths":[[[1,2,5],[3,4,6]],[[5,6,0],[7,8,0]]]}"#, "",
        #"{"coordinates":[[[1.0,2.0],[3.0,4.0]],[[5.0,6.0],[7.0,8.0]]],"type":"MultiLineString"}"#
      ),
    ])
  func heights(_ geometry: String, _ layer: String, _ expected: String) async throws {
    let row = try await row(geometry, layer: layer)
    let shape = try #require(row["shape_geojson"] ?? row["geometry"])
    #expect(shape == (try JSONDocument.value(Array(expected.utf8))).withDoubles)
  }

  @Test("Polygons have their holes in the ring around them, and outer rings are counterclockwise")
  func rings() async throws {
    // Two squares, of which the second has two holes, one of them before it in the list.
    let square = "[[0,0],[0,10],[10,10],[10,0],[0,0]]"
    let hole = "[[22,2],[24,2],[24,4],[22,4],[22,2]]"
    let far = "[[20,0],[20,10],[30,10],[30,0],[20,0]]"
    let other = "[[26,6],[28,6],[28,8],[26,8],[26,6]]"
    let row = try await row(#"{"rings":[\#(square),\#(hole),\#(far),\#(other)]}"#)
    let shape = try #require(row["shape_geojson"])
    #expect(shape["type"] == "MultiPolygon")
    let polygons = shape["coordinates"]?.elements ?? []
    #expect(polygons.map { $0.elements?.count } == [1, 3])
    for polygon in polygons {
      for (index, ring) in (polygon.elements ?? []).enumerated() {
        let area = try Self.area(ring)
        #expect(index == 0 ? area == 100 : area == -4)
      }
    }
    // The location is inside of a square.
    #expect(row["geometry"]?["coordinates"]?.elements?.map(\.double) == [5, 5])
  }

  /// Returns the signed area of a ring.
  private static func area(_ ring: JSONValue) throws -> Double {
    let corners = try (ring.elements ?? []).map {
      (try #require($0.elements?[0].double), try #require($0.elements?[1].double))
    }
    return zip(corners, corners.dropFirst()).reduce(0) {
      $0 + ($1.0.0 * $1.1.1 - $1.1.0 * $1.0.1) / 2
    }
  }

  @Test(
    "Shapes that are empty or can't be read are no location, and cost no row",
    arguments: [
      "null", "{}", #"{"x":"NaN","y":"NaN"}"#, #"{"x":null,"y":null}"#, #"{"rings":[]}"#,
      #"{"paths":[[]]}"#, #"{"points":[["a","b"]]}"#,
    ])
  func empty(_ geometry: String) async throws {
    #expect(try await row(geometry)["geometry"] == nil)
  }

  @Test("A curve becomes the line to its end")
  func curves() async throws {
    let row = try await row(
      #"{"curvePaths":[[[0,0],{"c":[[4,0],[2,2]]},{"b":[[8,0],[5,1],[7,1]]}]]}"#)
    #expect(
      row["shape_geojson"]?["coordinates"]
        == (try JSONDocument.value(Array("[[0,0],[4,0],[8,0]]".utf8))).withDoubles)
  }

  @Test("Dates in milliseconds, days, and times with zones are read as such")
  func dates() async throws {
    let fields = ["Date", "DateOnly", "TimestampOffset"].map {
      #",{"name":"\#($0)","type":"esriFieldType\#($0)"}"#
    }
    var layer = Self.layer([], fields: fields.joined())
    layer.page = Array(
      #"{"features":[{"attributes":{"OBJECTID":1,"Date":-1,"DateOnly":"2024-02-29","TimestampOffset":"2024-02-29T23:30:00.5-08:00"}},{"attributes":{"OBJECTID":2,"Date":1709278200500}},{"attributes":{"OBJECTID":3,"Date":1e15,"DateOnly":null}}]}"#
        .utf8)
    let dated = try await PortalRows<Dated>(
      arcGIS: URL(literal: "https://portal.example/FeatureServer/0"), transport: layer
    ).fetch(RecordRequest()).records
    let expected = [-0.001, 1_709_278_200.5].map { Date(timeIntervalSince1970: $0) }
    #expect(dated.map(\.date) == [expected[0], expected[1], nil])
    #expect(dated[0].day == (try CalendarDay(year: 2024, month: 2, day: 29)))
    #expect(dated[0].moment?.timeIntervalSince1970 == 1_709_278_200.5)
  }

  struct Dated: CatalogRecord {
    var id: String
    var date: Date?
    var day: CalendarDay?
    var moment: Date?

    enum CodingKeys: String, CodingKey {
      case id = "OBJECTID", date = "Date", day = "DateOnly", moment = "TimestampOffset"
    }
  }
}

extension JSONValue {
  /// The value with its numbers in the form that Swift prints.
  fileprivate var withDoubles: JSONValue {
    switch self {
    case .number: double.map { .number("\($0)") } ?? self
    case .array(let elements): .array(elements.map(\.withDoubles))
    case .object(let members):
      .object(members.map { Member(key: $0.key, value: $0.value.withDoubles) })
    default: self
    }
  }
}
