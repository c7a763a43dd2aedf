import FieldCore
import Foundation
import TestSupport
import Testing

/// A meteorite, as the kit reads one.
private struct Meteor: RowRecord {
  static let rowColumns = [
    RowColumn("id"), RowColumn("name"), RowColumn("nametype"), RowColumn("recclass"),
    RowColumn("mass", "mass (g)"), RowColumn("fall"), RowColumn("year"), RowColumn("reclat"),
    RowColumn("reclong"),
  ]
  static let rowKey = 0

  var id: Int
  var name: String
  var recclass: String
  var isRelict: Bool
  var mass: Double?
  var fell: Bool
  var year: Int?
  var latitude: Double?
  var longitude: Double?

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let id = row.integer(0), let name = row.text(1) else { throw RowProblem("no id or name") }
    self.id = id
    self.name = name
    recclass = row.text(3) ?? ""
    isRelict = row.withUTF8(2) { $0.count == 6 } ?? false
    mass = row.double(4)
    fell = row.withUTF8(5) { $0.count == 4 } ?? false
    year = row.withUTF8(6) { text in
      var year = 0
      for place in 0..<min(4, text.count) { year = year * 10 + Int(text[place] &- 48) }
      return year
    }
    latitude = row.double(7)
    longitude = row.double(8)
  }
}

/// Figures, not a check: run with `FIELDKIT_MEASURE=1 swift test -c release --filter RowSpeed`.
@Suite(
  "Speed of rows", .serialized,
  .enabled(
    if: ProcessInfo.processInfo.environment["FIELDKIT_MEASURE"] != nil,
    "FIELDKIT_MEASURE is not set"))
struct RowSpeedTests {
  private func measure(_ name: String, _ bytes: [UInt8], _ body: () throws -> Int) rethrows {
    var times: [Double] = []
    var count = 0
    for _ in 0..<11 {
      let start = ContinuousClock.now
      count = try body()
      let taken = ContinuousClock.now - start
      times.append(
        Double(taken.components.attoseconds) / 1e15 + Double(taken.components.seconds) * 1e3)
    }
    times.sort()
    let median = times[5]
    print(
      "\(name): median \((median * 100).rounded() / 100) ms, best \((times[0] * 100).rounded() / 100) ms, "
        + "\(Int(Double(bytes.count) / median / 1000)) MB/s, \(bytes.count) bytes, \(count) rows")
  }

  @Test("in milliseconds, beside Python's readers")
  func figures() throws {
    let lines = try SharedData.bytes("meteor/derived/full_soda_point_with_system_fields.ndjson.gz")
    let folder = try TemporaryFolder()
    let script = """
      import json, sys, time, gc
      lines = sys.stdin.buffer.read().splitlines()
      rows = [json.loads(line) for line in lines]
      array = ('[' + '\\n,'.join(json.dumps(r, ensure_ascii=False, separators=(',',':')) for r in rows) + ']\\n').encode()
      open(sys.argv[1] + '/array.json', 'wb').write(array)
      names = list(dict.fromkeys(k for r in rows for k in r))
      table = {'meta': {'view': {'columns': [{'fieldName': n} for n in names]}}, 'data': [[r.get(n) for n in names] for r in rows]}
      open(sys.argv[1] + '/rows.json', 'wb').write(json.dumps(table, ensure_ascii=False).encode())
      def measure(name, f):
          times = []
          for _ in range(11):
              t = time.perf_counter(); x = f(); times.append((time.perf_counter() - t) * 1000); del x
          times.sort(); print(f'{name}: median {times[5]:.2f} ms, best {times[0]:.2f} ms')
      measure('json.loads array', lambda: json.loads(array))
      try:
          import orjson
          measure('orjson.loads array', lambda: orjson.loads(array))
          measure('orjson.loads lines', lambda: [orjson.loads(l) for l in lines])
          gc.disable()
          measure('orjson.loads array, gc off', lambda: orjson.loads(array))
      except ImportError: pass
      """
    let rivals = try Tool.run("python3", "-c", script, folder.url.path, input: Data(lines))
    func file(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: folder.url.appending(path: name)))
    }
    let array = try file("array.json")
    let positional = try file("rows.json")
    let csv = try SharedData.bytes("meteor/full_legacy_Meteorite_Landings_2025.csv")
    for (name, bytes) in [
      ("array", array), ("lines", lines), ("rows.json", positional), ("CSV", csv),
    ] {
      try measure(name, bytes) { try RowReader.read(bytes, as: Meteor.self).records.count }
      try measure("\(name), no records", bytes) {
        try RowReader.forEachRow(of: bytes, columns: Meteor.rowColumns, key: 0) { _ in }.rowCount
      }
    }
    try measure("validate array", array) {
      try JSONDocument.validate(array)
      return 0
    }
    print(String(decoding: rivals, as: UTF8.self))
  }
}
