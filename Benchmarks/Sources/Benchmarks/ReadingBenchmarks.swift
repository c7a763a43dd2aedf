import Foundation
import GRDB
import MeteorKit

/// From bytes to typed records, and on to a durable store.
struct ReadingBenchmarks {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let json = workbench.json
    let data = Data(json)
    let (own, decoder) = try await mediansInTurn {
      try MeteoriteRows(reading: json)
    } rival: {
      try JSONDecoder().decode([WireMeteorite].self, from: data)
    } end: { own, rival in
      try require(own.meteorites.count == rival.count)
    }
    table.add(
      "JSON bytes to typed records", own: own, against: "JSONDecoder", decoder, wanted: 8)
    try addPythonsReaders(to: &table)

    let (durable, rival) = try await mediansInTurn(of: 5) {
      let store = FileStore<Meteorite>(workbench.path("store"))
      let meteorites = try MeteoriteRows(reading: json).meteorites
      try await store.commit(
        Changes(upserting: meteorites), checkpoint: Checkpoint(), expecting: nil)
      try await store.close()
    } rival: {
      let rows = try JSONDecoder().decode([WireMeteorite].self, from: data)
      let queue = try Rival.database(at: workbench.path("insert.sqlite"))
      try await queue.write { db in
        let statement = try db.makeStatement(sql: Rival.upsert)
        for row in rows {
          try statement.execute(arguments: [
            Int64(row.id), row.name, row.recclass, row.mass.flatMap(Double.init), row.fall,
            row.nametype, row.year.flatMap { Int($0.prefix(4)) },
            row.reclat.flatMap(Double.init), row.reclong.flatMap(Double.init),
          ])
        }
      }
      try queue.close()
    }
    table.add(
      "the same, in a durable store", own: durable, against: "JSONDecoder + GRDB insert", rival,
      wanted: 6)
  }

  /// Reads the same rows in each format beside Python's reader of that format, where there is a Python.
  private func addPythonsReaders(to table: inout ResultTable) throws {
    let folder = workbench.path("formats")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(workbench.ndjson).write(to: folder.appending(path: "rows.ndjson"))
    for line in try python(Self.rivals, folder.path).split(separator: "\n") {
      let parts = line.split(separator: "|")
      guard parts.count == 3, let nanoseconds = Int(parts[2]) else { continue }
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: String(parts[0]))))
      var count = 0
      let own = try median { count = try MeteoriteRows(reading: bytes).meteorites.count }
      try require(count == workbench.meteorites.count)
      table.add(
        "\(parts[0]) to typed records", own: own, against: "Python's \(parts[1])",
        .nanoseconds(nanoseconds), wanted: 1)
    }
  }

  /// Writes the rows in each format and prints `file|reader|nanoseconds` of Python's readers.
  private static let rivals = """
    import csv, io, json, sys, time
    folder = sys.argv[1] + '/'
    lines = open(folder + 'rows.ndjson', 'rb').read().splitlines()
    rows = [json.loads(line) for line in lines]
    names = list(dict.fromkeys(name for row in rows for name in row))
    array = ('[' + '\\n,'.join(line.decode() for line in lines) + ']\\n').encode()
    table = {'meta': {'view': {'columns': [{'fieldName': n} for n in names]}},
             'data': [[row.get(n) for n in names] for row in rows]}
    positional = json.dumps(table, ensure_ascii=False).encode()
    text = io.StringIO()
    writer = csv.DictWriter(text, [n for n in names if n != 'geolocation'], extrasaction='ignore')
    writer.writeheader()
    writer.writerows(rows)
    sheet = text.getvalue()
    def measure(file, data, name, read):
        open(folder + file, 'wb').write(data if isinstance(data, bytes) else data.encode())
        times = []
        for _ in range(8):
            start = time.perf_counter()
            result = read()
            times.append(time.perf_counter() - start)
            del result
        print(f'{file}|{name}|{int(sorted(times[1:])[3] * 1e9)}')
    measure('rows.json', positional, 'json.loads', lambda: json.loads(positional))
    measure('sheet.csv', sheet, 'csv.reader', lambda: list(csv.reader(io.StringIO(sheet))))
    measure('array.json', array, 'json.loads', lambda: json.loads(array))
    try:
        import orjson
        measure('array.json', array, 'orjson.loads', lambda: orjson.loads(array))
        measure('rows.ndjson', open(folder + 'rows.ndjson', 'rb').read(), 'orjson.loads',
                lambda: [orjson.loads(line) for line in lines])
    except ImportError:
        pass
    """

  private func python(_ script: String, _ argument: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, argument]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }
}
