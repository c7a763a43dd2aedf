import FieldXML
import Foundation
import MeteorKit

/// An operation of FieldKit in a new process: for its scaling, and for counting its instructions.
///
///     Benchmarks --prepare FOLDER ROWS             # writes synthetic rows
///     Benchmarks --operation NAME FOLDER ROUNDS    # prints the least CPU time and the peak memory
enum Operation: String, CaseIterable {
  case opening
  case lookUp = "look-up"
  case range = "range query"
  case text = "text count"
  case nearest = "nearest 10"
  case commit = "one-row commit"
  case json = "JSON to records"
  case csv = "CSV to records"
  case plainRows = "JSON to plain records"
  case plainCommit = "plain records to a store"
  case feed = "feed"

  static func answer(_ arguments: [String]) async throws -> Bool {
    if arguments.count == 3, arguments[0] == "--prepare", let rows = Int(arguments[2]) {
      let json = Synthetic.ndjson(count: rows)
      try await prepare(URL(filePath: arguments[1]), Batch<Meteorite>(reading: json).records)
      return true
    }
    guard arguments.count == 4, arguments[0] == "--operation",
      let operation = Operation(rawValue: arguments[1]), let rounds = Int(arguments[3])
    else { return false }
    let cost = try await operation.cost(in: URL(filePath: arguments[2]), rounds: rounds)
    print(String(decoding: try JSONEncoder().encode(cost), as: UTF8.self))
    return true
  }

  /// Measures an operation in a new process.
  func ask(in folder: URL, rounds: Int) throws -> NewProcess.Cost {
    try JSONDecoder().decode(
      NewProcess.Cost.self,
      from: NewProcess.run(["--operation", rawValue, folder.path, "\(rounds)"]))
  }

  /// Writes what the operations read.
  static func prepare(_ folder: URL, _ meteorites: [Meteorite]) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = FileStore<Meteorite>(folder.appending(path: "store"))
    try await store.commit(
      Changes(upserting: meteorites), checkpoint: Checkpoint(), expecting: nil)
    try await store.close()
    let ndjson = Synthetic.ndjson(count: meteorites.count)
    try Data(ndjson).write(to: folder.appending(path: "rows.ndjson"))
    try meteorites.csv().write(to: folder.appending(path: "sheet.csv"))
    try Data(Synthetic.feed(count: 1_000).utf8).write(to: folder.appending(path: "feed.xml"))
  }

  /// Measures the rounds after the first, which builds indexes.
  private func cost(in folder: URL, rounds: Int) async throws -> NewProcess.Cost {
    let (count, body) = try await body(in: folder)
    var answer = try await body()
    var least = Double.infinity
    for _ in 0..<rounds {
      let run = try await measured(per: count, body)
      (least, answer) = (min(least, run.cost), run.answer)
    }
    return NewProcess.Cost(
      nanoseconds: least, peakMemory: Memory.peak, addedMemory: 0, answer: "\(answer)")
  }

  /// The operation, which returns a number that depends on what was found, and how often a call repeats it.
  private func body(in folder: URL) async throws -> (Int, () async throws -> Int) {
    func bytes(_ name: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }
    func landings() throws -> [UInt8] {
      try LandingRows(Batch<Meteorite>(reading: bytes("rows.ndjson")).records).bytes
    }
    let file = folder.appending(path: "store")
    switch self {
    case .opening:
      return (
        1,
        {
          let store = FileStore<Meteorite>(file)
          let snapshot = try await store.snapshot()
          try await store.close()
          return snapshot[id: "1000"] == nil ? 0 : snapshot.count
        }
      )
    case .lookUp, .range, .text, .nearest:
      let view = try await MeteoriteCatalog(
        source: FileRows<Meteorite>(file), repository: FileStore<Meteorite>(file)
      ).view()
      let place = try QueryBenchmarks.dhofar
      var random = Synthetic.Random()
      let all = view.all.map(\.id)
      let ids = (0..<10_000).map { _ in all[random.next(below: all.count)] }
      switch self {
      case .lookUp: return (ids.count, { ids.count { view[$0]?.massInGrams != nil } })
      case .range: return (1, { view.find(QueryBenchmarks.heaviestOfRange).count })
      case .text: return (1, { view.count(MeteoriteQuery(text: "yam")) })
      default: return (1, { view.nearest(to: place, count: 10).count })
      }
    case .commit:
      // The commits go to a copy, so that the file is the same for the next operation.
      let copy = folder.appending(path: "store-\(UUID().uuidString)")
      try FileManager.default.copyItem(at: file, to: copy)
      let store = FileStore<Meteorite>(copy)
      guard var meteorite = try await store.snapshot().first else {
        throw WrongResult(description: "the store is empty")
      }
      return (
        1,
        {
          meteorite.massInGrams = (meteorite.massInGrams ?? 0) + 1
          try await store.commit(
            Changes(upserting: [meteorite]), checkpoint: Checkpoint(), expecting: nil)
          return 1
        }
      )
    case .json:
      let rows = try bytes("rows.ndjson")
      return (1, { try Batch<Meteorite>(reading: rows).records.count })
    case .csv:
      let sheet = try bytes("sheet.csv")
      return (1, { try Batch<Meteorite>(reading: sheet).records.count })
    case .plainRows:
      let rows = try landings()
      return (1, { try Batch<Landing>(reading: rows).records.count })
    case .plainCommit:
      let records = try Batch<Landing>(reading: landings()).records
      return (
        1,
        {
          let copy = folder.appending(path: "store-\(UUID().uuidString)")
          let store = FileStore<Landing>(copy)
          try await store.commit(
            Changes(upserting: records), checkpoint: Checkpoint(), expecting: nil)
          try await store.close()
          try FileManager.default.removeItem(at: copy)
          return records.count
        }
      )
    case .feed:
      let feed = try bytes("feed.xml")
      return (1, { try FeedDocument(reading: feed).items.count })
    }
  }
}
