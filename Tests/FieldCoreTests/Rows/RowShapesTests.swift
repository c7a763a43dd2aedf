import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Rows in other shapes")
struct RowShapesTests {
  private static let aachen = RowStone(id: "1", name: "A", mass: 21)
  private static let abee = RowStone(id: "2", name: "B", mass: 22)

  @Test(
    "rows are the values of an object of objects, at any of three levels",
    arguments: [
      (#"{"retCode":1,"retVal":{"0001":{ROW1},"0002":{ROW2}}}"#, ["retVal"]),
      (#"{"0001":{ROW1},"0002":{ROW2}}"#, []),
      (
        #"{"status":"ok","result":{"stations":{"a":{ROW1},"b":{ROW2}},"types":{"x":{"id":1}}}}"#,
        ["result", "stations"]
      ),
      (#"{"name":"bikes","updated":1,"data":{"a":{ROW1},"b":{ROW2}}}"#, ["data"]),
      (#"{"empty":[],"data":{"a":{ROW1},"b":{ROW2}}}"#, ["data"]),
      (#"{"retVal": { "a" : {ROW1} , "b":{ROW2} } }"#, ["retVal"]),
    ] as [(String, [String])])
  func objectOfObjects(_ template: String, _ path: [String]) throws {
    let text = template.replacing("ROW1", with: #""id":"1","name":"A","mass":"21""#)
      .replacing("ROW2", with: #""id":2,"name":"B","mass":22"#)
    let batch = try stones(text)
    #expect(batch.records == [Self.aachen, Self.abee])
    #expect(batch.format == .envelope(path: path))
    #expect(try stones(text, .envelope(path: path)).records == batch.records)
    let bytes = Array(text.utf8)
    for length in 1..<bytes.count {
      #expect(
        code { _ = try RowReader.read(Array(bytes[..<length]), as: RowStone.self) } == .cut,
        "cut at \(length)")
    }
  }

  @Test("rows of an object have its keys as IDs if they have none, and fail individually")
  func keys() throws {
    let batch = try stones(
      #"{"-N\u0061b":{"name":"A"},"-Nac":{"name":"B","id":"2"},"-Nad":7,"-Nae":{"name":01},"-Naf":{"id":null,"name":"C"}}"#,
      .envelope(path: [])
    )
    #expect(batch.records.map(\.id) == ["-Nab", "2", "-Naf"])
    #expect(batch.failures.map(\.index) == [2, 3])
    #expect(batch.failures.map(\.key) == ["-Nad", "-Nae"])
  }

  @Test(
    "rows aren't taken from objects that are something else",
    arguments: [
      #"{"id":"1","name":{"zh":{"name":"A"},"en":{"name":"B"}}}"#,
      #"{"id":"1","name":"A","parts":{"a":{"id":"2"},"b":{"id":"3"}}}"#,
    ])
  func others(_ text: String) throws {
    let batch = try stones(text)
    #expect(batch.records.map(\.id) == ["1"])
    #expect(batch.format == .ndjson)
    #expect(code { _ = try stones(#"{"a":{"b":{"c":1}}}"#) } == .unknownFormat)
    #expect(code { _ = try stones(#"{"error":{"code":{"id":404}}}"#, nil) } == .notData)
    #expect(code { _ = try stones(#"{"data":{}}"#, .envelope(path: ["data"])) } == .schema)
    #expect(code { _ = try stones(#"{"data":{"a":1}}"#, .envelope(path: ["data"])) } == .schema)
  }

  @Test("rows are the features of ArcGIS, with their points")
  func esri() throws {
    let text = """
      {"displayFieldName":"name","geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},
      "fields":[{"name":"id","type":"esriFieldTypeOID"}],"features":[
      {"attributes":{"id":1,"name":"A","mass":21},"geometry":{"x":6.5,"y":50.5}},
      {"attributes":{"id":2,"name":"B","mass":22},"geometry":{"x":"NaN","y":"NaN"}}]}
      """
    let batch = try stones(text)
    #expect(batch.records == [Self.aachen, Self.abee])
    #expect(batch.format == .geoJSON)
    let places = try rows(Array(text.utf8), ["id", "geometry"]) { $0.coordinate(1) }
    #expect(places == [try Coordinate(latitude: 50.5, longitude: 6.5), nil])
  }

  /// Features, one of them over several lines.
  private static let features = [
    #"{"type":"Feature","properties":{"id":"1","name":"A","mass":21},"geometry":{"type":"Point","coordinates":[6.5,50.5]}}"#,
    "{\"type\":\"Feature\",\n\"id\":2,\"properties\":\n{\"name\":\"B\",\"mass\":22},\"geometry\":null}",
  ]

  @Test(
    "rows are GeoJSON features in a sequence, after record separators or in lines",
    arguments: [
      ("\u{1E}", "\n"), ("\u{1E}", ""), ("", "\n"), ("\u{1E}\u{1E}", "\r\n"), ("\n\u{1E}", "\n\n"),
    ])
  func sequence(_ before: String, _ after: String) throws {
    let text = Self.features.map { before + $0 + after }.joined()
    let batch = try stones(text)
    #expect(batch.records == [Self.aachen, Self.abee])
    #expect(batch.failures.isEmpty)
    #expect(batch.format == .ndjson)
    let bytes = Array(text.utf8)
    let ends = Self.features[0].utf8.count + before.utf8.count
    for length in before.utf8.count + 1..<bytes.count - after.utf8.count {
      let records = try? RowReader.read(Array(bytes[..<length]), as: RowStone.self).records
      #expect(records == nil || length >= ends && records == [Self.aachen], "cut at \(length)")
    }
  }

  @Test("rows in a sequence fail individually, also one that was cut before the next separator")
  func brokenSequence() throws {
    let batch = try stones(
      "\u{1E}{\"id\":1,\"na\u{1E}{\"id\":2}\n\u{1E}{\"id\":3,\"mass\":x}\n\u{1E}{\"id\":4}\n")
    #expect(batch.records.map(\.id) == ["2", "4"])
    #expect(batch.failures.map(\.index) == [0, 2])
    #expect(try stones(Self.features[0]).records == [Self.aachen])
  }

  @Test("rows are those of the JSON in a JSON string, once or twice", arguments: SmallBody.all)
  func jsonString(_ format: RowFormat, _ text: String) throws {
    guard format != .csv else { return }
    func quoted(_ text: String) throws -> String {
      String(
        decoding: try JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed),
        as: UTF8.self)
    }
    let once = try quoted(text)
    for body in [once, try quoted(once), " \n\(once)\n", "\u{FEFF}" + once] {
      let batch = try stones(body)
      #expect(batch.records == SmallBody.rows)
      #expect(batch.format == format)
    }
    for length in [3, once.utf8.count / 2, once.utf8.count - 2] {
      #expect(code { _ = try stones(String(once.prefix(length))) } == .cut)
    }
    #expect(failure { _ = try stones("\"no rows\"") }?.message.contains("JSON string") == true)
    #expect(try stones("\"id\"\n\"1\"\n").records.map(\.id) == ["1"])
  }
}
