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
    if let orjson = try orjson(data) {
      table.add(
        "JSON bytes to typed records", own: own, against: "Python's orjson.loads", orjson,
        wanted: 1)
    }

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

  /// The time of Python's fastest reader on the same bytes; nil when it is not on the machine.
  private func orjson(_ data: Data) throws -> Duration? {
    let file = workbench.path("orjson.json")
    try data.write(to: file)
    let script = """
      import orjson, sys, time
      data = open(sys.argv[1], 'rb').read()
      orjson.loads(data)
      times = []
      for _ in range(7):
          start = time.perf_counter(); orjson.loads(data); times.append(time.perf_counter() - start)
      print(int(sorted(times)[3] * 1e9))
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, file.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Int(text.filter(\.isNumber)).map { .nanoseconds($0) }
  }
}
