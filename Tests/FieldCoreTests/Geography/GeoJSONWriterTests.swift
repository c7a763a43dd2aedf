import FieldCore
import Foundation
import Testing

@Suite("GeoJSON writing")
struct GeoJSONWriterTests {
  @Test("a GeoJSON writer writes a collection with IDs, properties, and features without a place")
  func collection() throws {
    var writer = GeoJSONWriter()
    writer.add(
      try Coordinate(latitude: 50.775, longitude: 6.08333), id: .integer(1),
      properties: [
        ("name", .string("Aachen")), ("mass", .number(21)), ("fell", .boolean(true)),
        ("note", .null), ("noise", .number(78.400000000000006)), ("none", .number(.nan)),
      ])
    writer.add(nil, id: .string("x"))
    #expect(
      String(decoding: writer.finish(), as: UTF8.self) == """
        {"type":"FeatureCollection","features":[{"type":"Feature","id":1,"geometry":\
        {"type":"Point","coordinates":[6.08333,50.775]},"properties":{"name":"Aachen","mass":21,\
        "fell":true,"note":null,"noise":78.4,"none":null}},\
        {"type":"Feature","id":"x","geometry":null,"properties":{}}]}
        """)
    #expect(
      String(decoding: GeoJSONWriter().finish(), as: UTF8.self)
        == #"{"type":"FeatureCollection","features":[]}"#)
  }

  @Test(
    "a GeoJSON writer normalizes longitudes to -180 … 180 and writes the shortest numbers",
    arguments: [
      (0.0, 354.47333, "[-5.526670000000024,0]"), (-0.0, -0.0, "[0,0]"), (90, 180, "[180,90]"),
      (-90, -180, "[-180,-90]"), (1e-7, 360, "[0,1e-07]"), (0.1, 180.5, "[-179.5,0.1]"),
    ])
  func positions(latitude: Double, longitude: Double, text: String) throws {
    let point = GeoJSONWriter.point(try Coordinate(latitude: latitude, longitude: longitude))
    #expect(
      String(decoding: point, as: UTF8.self) == #"{"type":"Point","coordinates":\#(text)}"#)
  }

  @Test("a GeoJSON writer escapes text so that a reader gets the same text")
  func escapes() throws {
    let control = String(decoding: (0..<0x20).map { UInt8($0) }, as: UTF8.self)
    let text = control + #"Österplana "\/ 臺北 🪨 \#u{2028}\#u{7F}"#
    let bytes = GeoJSONWriter.feature(nil, properties: [(text, .string(text))])
    let read = try JSONDecoder().decode(Feature.self, from: Data(bytes))
    #expect(read.properties == [text: text])
  }

  private struct Feature: Decodable {
    let properties: [String: String]
  }
}
