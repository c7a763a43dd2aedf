import FieldCore
import Foundation
import TestSupport
import Testing

@Suite(
  "Captures", .heavy, .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
struct RowCaptureTests {
  /// The columns of the meteorite files, by their name in each.
  static let columns = [
    RowColumn("id"), RowColumn("name"), RowColumn("nametype"), RowColumn("recclass"),
    RowColumn("mass", "mass (g)"), RowColumn("fall"), RowColumn("year"), RowColumn("reclat"),
    RowColumn("reclong"), RowColumn(":id"), RowColumn("geolocation"),
  ]

  /// What Python reads of a capture, a row a line: texts, then the bits of three numbers.
  static let script = """
    import csv, io, json, struct, sys
    kind = sys.argv[1]
    text = sys.stdin.buffer.read().decode('utf-8-sig')
    if kind == 'csv': rows = list(csv.DictReader(io.StringIO(text, newline='')))
    elif kind == 'lines': rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    elif kind == 'array': rows = json.loads(text)
    elif kind == 'features': rows = [f['properties'] for f in json.loads(text)['features']]
    else:
        table = json.loads(text)
        names = [c['fieldName'] for c in table['meta']['view']['columns']]
        rows = [dict(zip(names, r)) for r in table['data']]
    out = []
    for row in rows:
        if 'mass (g)' in row: row['mass'] = row['mass (g)']
        cells = []
        for name in ['id','name','nametype','recclass','mass','fall','year','reclat','reclong',':id']:
            value = row.get(name)
            cells.append('-' if value is None or not value.strip() or value.strip() == 'null' else value)
        for name in ['mass', 'reclat', 'reclong']:
            value = row.get(name)
            cells.append(struct.pack('>d', float(value)).hex() if value else '-')
        out.append('\\x1f'.join(cells))
    sys.stdout.buffer.write('\\n'.join(out).encode())
    """

  @Test(
    "captures of meteorites equal those that Python reads from the same bytes",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"),
    arguments: [
      ("meteor/full_legacy_Meteorite_Landings_2025.csv", "csv", .csv, 45_716),
      ("meteor/derived/full_soda_point_with_system_fields.ndjson.gz", "lines", .ndjson, 45_716),
      ("meteor/soda_y77d_page1_2021_point.ndjson", "lines", .ndjson, 1000),
      ("meteor/soda_y77d_page1_2024_point_keys_sorted.json", "array", .jsonArray, 1000),
      ("meteor/legacy_static_gh4g-9sfh_2026_location_crlf.json", "array", .jsonArray, 1000),
      ("meteor/soda_page1_2016.geojson", "features", .geoJSON, 1000),
      ("meteor/legacy_rows_json_excerpt.json", "rows", .positionalJSON, 48),
    ] as [(String, String, RowFormat, Int)])
  func meteorites(_ path: String, _ kind: String, _ format: RowFormat, _ count: Int) throws {
    var (bytes, count) = (try SharedData.bytes(path), count)
    if count > 2_000, !Sample.isWhole {
      count = Sample.isOptimized ? 2_000 : 300
      bytes = Sample.lines(of: bytes, count, hasHeader: format == .csv)
    }
    let answer = try Tool.run("python3", "-c", Self.script, kind, input: Data(bytes))
    let expected = String(decoding: answer, as: UTF8.self).split(separator: "\n")
    #expect(expected.count == count)
    var index = 0
    var different = 0
    let summary = try RowReader.forEachRow(
      of: bytes, columns: Self.columns, key: 0
    ) { row in
      var cells = (0..<10).map { row.text($0) ?? "-" }
      for column in [4, 7, 8] {
        let bits = row.double(column).map { String($0.bitPattern, radix: 16) }
        cells.append(bits.map { String(repeating: "0", count: 16 - $0.count) + $0 } ?? "-")
      }
      if index >= expected.count || cells.joined(separator: "\u{1F}") != expected[index] {
        different += 1
        if different < 4 { Issue.record("row \(index): \(cells)") }
      }
      index += 1
    }
    #expect(different == 0)
    #expect(index == count)
    #expect(summary.format == format)
    #expect(summary.failures.isEmpty)
  }

  @Test("captures of rows.json report the whole table's row count, and find columns by field name")
  func positional() throws {
    let bytes = try SharedData.bytes("meteor/legacy_rows_json_excerpt.json")
    let summary = try RowReader.forEachRow(of: bytes, columns: Self.columns, key: 0) { row in
      #expect(row.text(9)?.hasPrefix("00000000-") == true)
      #expect(row.integer(0) != nil)
      if let place = row.json(10), place != .null { #expect(place.elements?.count == 5) }
    }
    #expect(summary.announcedRows == 45_716)
    #expect(summary.missingColumns.isEmpty)
  }

  @Test("captures of GeoJSON have a geometry, except for twelve")
  func geometry() throws {
    let bytes = try SharedData.bytes("meteor/soda_page1_2016.geojson")
    let kinds = try rows(bytes, ["geometry"]) { row in row.json(0)?["type"]?.string }
    #expect(kinds.count { $0 == "Point" } == 988)
    #expect(kinds.count { $0 == nil } == 12)
  }

  @Test(
    "captures of the other kits are rows",
    arguments: [
      ("zoo/animals-v1-2026-full.json", "a_name_ch", 313),
      ("zoo/animals-iamoscarliang.json", "a_name_ch", 10),
      ("zoo/animals-esedoi.json", "A_Name_Ch", 20), ("zoo/areas-iamoscarliang.json", "e_name", 16),
      ("zoo/zoo-areas-2026.csv", "E_Name", 17), ("zoo/plants-2026.csv", "F_Name_Ch", 276),
      ("metro/arrivals-202305121736-as801129.json", "Station", 32),
      ("metro/arrivals-201507201825-rita1005.json", "Station", 24),
      ("metro/tdx-LiveBoard.sample.json", "StationID", -1),
      ("metro/tdx-full/TRTC_Station.json", "StationID", 121),
      ("metro/tdx-full/TRTC_Shape.json", "LineID", 5),
      ("civic/tainan-administrativeunit.json", "unitId", 406),
      ("civic/tainan-administrativeunitcategory.json", "categoryId", 40),
      ("civic/tainan-keyword.json", "keyword", 3),
    ])
  func others(_ path: String, _ column: String, _ count: Int) throws {
    let bytes = try SharedData.bytes(path)
    if path.hasSuffix("json") { try JSONDocument.validate(bytes) }
    let texts = try rows(bytes, [column]) { $0.trimmedText(0) }
    #expect(count < 0 ? !texts.isEmpty : texts.count == count)
    #expect(texts.allSatisfy { $0 != nil })
  }

  @Test(
    "captures of every kit are JSON, and arrays have as many rows as Python counts",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func everyFile() throws {
    let script = """
      import glob, json, sys
      for path in sorted(glob.glob(sys.argv[1] + '/**/*.json', recursive=True)):
          value = json.load(open(path, encoding='utf-8-sig'))
          count = len(value) if isinstance(value, list) else -1
          print(path[len(sys.argv[1]) + 1:] + '\\t' + str(count))
      """
    var files = 0
    for folder in ["zoo", "metro", "civic"] {
      let answer = try Tool.run("python3", "-c", script, SharedData.url(folder).path)
      for line in String(decoding: answer, as: UTF8.self).split(separator: "\n") {
        let parts = line.split(separator: "\t")
        let bytes = try SharedData.bytes("\(folder)/\(parts[0])")
        try JSONDocument.validate(bytes)
        files += 1
        guard let count = Int(parts[1]), count >= 0 else { continue }
        let summary = try RowReader.forEachRow(of: bytes, columns: [], key: 0) { _ in }
        #expect(summary.rowCount == count && summary.failures.isEmpty, "\(parts[0])")
      }
    }
    #expect(files > 30)
  }

  @Test("rows of captures in Big5 are read")
  func big5() throws {
    let bytes = try SharedData.bytes("metro/exits-2015-big5.csv")
    let names = try rows(bytes, ["出入口名稱"]) { $0.text(0) }
    #expect(names.count > 300)
    #expect(names.allSatisfy { $0?.contains("出口") == true })
  }
}
