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
    try await table.race("JSON to records", against: "JSONDecoder", floor: 8) {
      try await measured { try Batch<Meteorite>(reading: json) }
    } baseline: {
      try await measured { try JSONDecoder().decode([WireMeteorite].self, from: data) }
    } check: { own, baseline in
      own.records.count == baseline.count
        && zip(own.records, baseline).allSatisfy { $1.isSame(as: $0) }
    }
    try await beside(Python(reading: workbench), &table)

    try await table.race(
      "JSON to a durable store", against: "JSONDecoder + GRDB insert", floor: 6, rounds: 5
    ) {
      try await measured {
        let store = FileStore<Meteorite>(workbench.path("store"))
        let meteorites = try Batch<Meteorite>(reading: json).records
        try await store.commit(
          Changes(upserting: meteorites), checkpoint: Checkpoint(), expecting: nil)
        let count = try await store.snapshot().count
        try await store.close()
        return count
      }
    } baseline: {
      try await measured {
        let rows = try JSONDecoder().decode([WireMeteorite].self, from: data)
        let queue = try SQLite.database(at: workbench.path("insert.sqlite"))
        return try await queue.write { db in
          let statement = try db.makeStatement(sql: SQLite.upsert)
          for row in rows {
            try statement.execute(arguments: [
              Int64(row.id), row.name, row.recclass, row.mass.flatMap(Double.init), row.fall,
              row.nametype, row.year.flatMap { Int($0.prefix(4)) },
              row.reclat.flatMap(Double.init), row.reclong.flatMap(Double.init),
            ])
          }
          return try Int.fetchOne(db, sql: "SELECT count(*) FROM meteorite")
        }
      }
    } check: { own, baseline in
      own == baseline && own == workbench.meteorites.count
    }
  }

  /// Reads the same rows in each format beside Python's readers of that format, where there is a Python.
  private func beside(_ python: Python?, _ table: inout ResultTable) async throws {
    guard let python else { return print("skipped: there is no python3") }
    let floors = [
      "csv.reader": 3, "polars.read_csv": 0.5, "json.loads": 4, "orjson.loads": 4,
      "simdjson.parse": 0.25,
    ]
    for (file, reader) in python.readers where file != Python.feed {
      let bytes = [UInt8](try Data(contentsOf: python.folder.appending(path: file)))
      try await table.race(
        "\(file) to records", against: "Python's \(reader)", floor: floors[reader] ?? 1
      ) {
        try await measured { try Batch<Meteorite>(reading: bytes).records }
      } baseline: {
        try python.run(reader, file)
      } check: { own, baseline in
        baseline == Python.answer(own.map(\.id.rawValue))
      }
    }
    python.end()
  }
}
