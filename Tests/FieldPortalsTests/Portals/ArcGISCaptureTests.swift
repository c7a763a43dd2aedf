import FieldCore
import FieldPortals
import Foundation
import TestSupport
import Testing

/// The captures of ArcGIS services beside the project.
private enum ArcGISCaptures {
  static let folder = SharedData.url("portals/arcgis")
  static let areThere =
    Tool.canRun && Tool.isThere("python3")
    && FileManager.default.fileExists(atPath: folder.path)

  /// The names of the services with a page of features.
  static let services =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { (try? file($0, "-0.json")) != nil }.sorted()

  static func file(_ service: String, _ ending: String) throws -> [UInt8] {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: folder.appending(path: service).path)
    guard let name = files.filter({ $0.hasSuffix(ending) }).min() else {
      throw CocoaError(.fileNoSuchFile)
    }
    return [UInt8](try Data(contentsOf: folder.appending(path: "\(service)/\(name)")))
  }

  static func layer(_ service: String) throws -> ServedLayer {
    ServedLayer(
      layer: try file(service, "metadata.json"), page: try file(service, "-0.json"),
      ids: try? file(service, "ids-only.json"), count: try? file(service, "count-only.json"))
  }
}

@Suite(
  "Responses of real ArcGIS services",
  .enabled(if: ArcGISCaptures.areThere, "the captures of ../shared/data/portals are not here"))
struct ArcGISCaptureTests {
  /// Python's reading of a service: a line for each feature, with its attributes and its location.
  private static let reader = #"""
    import datetime, glob, json, os, sys
    folder = sys.argv[1]
    layer = json.load(open(glob.glob(folder + '/*metadata.json')[0]))
    page = json.load(open(sorted(glob.glob(folder + '/*-0.json'))[0]))
    fields = {f['name']: f for f in layer['fields']}
    types = {t['id']: t for t in layer.get('types') or []}
    epoch = datetime.datetime(1970, 1, 1)
    def domain(name, kind):
        own = (types.get(kind, {}).get('domains') or {}).get(name) or {}
        given = own if own.get('type') == 'codedValue' else (fields[name].get('domain') or {})
        return {v['code']: v['name'] for v in given.get('codedValues') or []}
    wkid = (page.get('spatialReference') or {'wkid': 4326}).get('wkid')
    if wkid in (102100, 3857):
        import pyproj
        convert = pyproj.Transformer.from_crs(3857, 4326, always_xy=True).transform
    else:
        convert = (lambda x, y: (x, y)) if wkid == 4326 else None
    for feature in page['features']:
        given = feature['attributes']
        kind = given.get(layer.get('typeIdField'))
        row = {}
        for name, value in given.items():
            if name in fields and fields[name]['type'] == 'esriFieldTypeDate' and value is not None:
                moment = epoch + datetime.timedelta(milliseconds=value)
                value = moment.isoformat(timespec='milliseconds') + 'Z'
            elif name in fields and value is not None:
                code, value = value, domain(name, kind).get(value, value)
                if name == layer.get('typeIdField') and value == code:
                    value = types.get(code, {}).get('name', code)
                if value != code: row[name + '_code'] = code
            row[name] = value
        shape = feature.get('geometry') or {}
        place = None
        if 'x' in shape and convert: place = list(convert(shape['x'], shape['y']))
        print(json.dumps({'row': row, 'place': place, 'has': bool(shape) and convert is not None}))
    """#

  @Test("The rows have the values that Python reads", arguments: ArcGISCaptures.services)
  func values(_ service: String) async throws {
    let batch = try await ArcGISCaptures.layer(service).rows()
    let lines = try Tool.run(
      "python3", "-c", Self.reader, ArcGISCaptures.folder.appending(path: service).path)
    let expected = try lines.split(separator: UInt8(ascii: "\n")).map {
      try JSONDocument.value(Array($0))
    }
    #expect(!expected.isEmpty)
    #expect(batch.failures.isEmpty)
    try #require(batch.records.count == expected.count)
    for (record, feature) in zip(batch.records, expected) {
      let row = try record.values
      guard case .object(let members) = feature["row"], case .object(let own) = row else {
        Issue.record("A row isn't an object.")
        continue
      }
      for member in members {
        #expect(isEqual(row[member.key], member.value), "\(member.key)")
      }
      let hasShape = feature["has"] == .bool(true)
      #expect(
        Set(own.map(\.key)).subtracting(["geometry", "shape_geojson"]) == Set(members.map(\.key)))
      #expect((row["geometry"] != nil) == hasShape)
      guard let place = feature["place"]?.elements?.map(\.double) else { continue }
      let point = try #require(row["geometry"]?["coordinates"]?.elements?.map(\.double))
      for (mine, other) in zip(point, place) {
        #expect(abs(try #require(mine) - (try #require(other))) < 1e-9)
      }
    }
  }

  private func isEqual(_ mine: JSONValue?, _ other: JSONValue) -> Bool {
    if case .number = other, case .number = mine { return mine?.double == other.double }
    return mine == other
  }

  @Test(
    "Shapes in an unknown coordinate system have no location, which is reported",
    arguments: ["us-mi-kent", "us-ca-tuolumne"])
  func unknownReference(_ service: String) async throws {
    let batch = try await ArcGISCaptures.layer(service).rows()
    #expect(batch.facts.notices.map(\.code) == [.portalUnknownReference])
    #expect(batch.records.count == 15)
  }

  @Test("The positions are those that the publisher's own GeoJSON has for the same rows")
  func geoJSON() async throws {
    let batch = try await ArcGISCaptures.layer("us-ca-carson").rows()
    // The file has a comma after its last feature, so it isn't JSON, but its rows are read.
    let file = try ArcGISCaptures.file("us-ca-carson", "-cache.geojson")
    let whole = try Batch<WholeRow>(reading: file).records.map { try $0.values }
    #expect(whole.count == 99)
    var compared = 0
    for record in batch.records {
      let row = try record.values
      let feature = whole.first { ($0["properties"] ?? $0)["ADDRESS"] == row["ADDRESS"] }
      guard let place = row["geometry"] else { continue }
      #expect(feature?["geometry"]?["coordinates"] == place["coordinates"])
      compared += 1
    }
    #expect(compared == 5)
  }

  @Test("A service without rows isn't an error, and an error with status 200 is one")
  func emptiness() async throws {
    let empty = ServedLayer(
      layer: try ArcGISCaptures.file("us-il-chicago", "metadata.json"),
      page: Array(#"{"features":[]}"#.utf8),
      count: try ArcGISCaptures.file("us-il-chicago", "count-only.json"))
    let rows = try await empty.rows()
    #expect(rows.records.isEmpty && rows.failures.isEmpty)
    let pages = try #require(
      PortalRows<WholeRow>(
        arcGIS: URL(literal: "https://portal.example/MapServer/28"), transport: empty
      ).pages)
    #expect(try await pages.count() == 0)
    let broken = ServedLayer(
      layer: try ArcGISCaptures.file("us-mi-kent", "metadata.json"),
      page: try ArcGISCaptures.file("us-mi-kent", "statistics.json"))
    let error = await #expect(throws: FieldError.self) { try await broken.rows() }
    #expect(error?.code == .portalQuery)
    #expect(error?.message.contains("Unable to complete operation") == true)
  }
}
