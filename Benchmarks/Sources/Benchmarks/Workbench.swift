import Foundation
import MeteorKit

/// What all benchmarks work on: the same rows for all.
struct Workbench {
  let isQuick: Bool
  let ndjson: [UInt8]
  /// The rows as one JSON array, as the portal gave it.
  let json: [UInt8]
  let meteorites: [Meteorite]
  let folder: URL

  init(_ options: Options) throws {
    isQuick = options.isQuick
    ndjson =
      try options.file.map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
      ?? Synthetic.ndjson(count: isQuick ? 2_000 : 45_716)
    json =
      Array("[".utf8) + ndjson.split(separator: UInt8(ascii: "\n")).joined(separator: [0x0A, 0x2C])
      + Array("]\n".utf8)
    meteorites = try Batch<Meteorite>(reading: json).records
    folder = FileManager.default.temporaryDirectory.appending(
      path: "fieldkit-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A number of rows that is synthetic, a fiftieth of it in the quick form.
  func scaled(_ count: Int) -> Int { isQuick ? count / 50 : count }

  /// As many meteorites as are asked for, with IDs from 1 on.
  func meteorites(count: Int) -> [Meteorite] {
    (0..<count).map { position in
      var meteorite = meteorites[position % meteorites.count]
      meteorite.id = Meteorite.ID(UInt64(position + 1))
      return meteorite
    }
  }

  /// A new file or folder name.
  func path(_ name: String) -> URL { folder.appending(path: "\(name)-\(UUID().uuidString)") }

  /// A new file store of meteorites.
  func store(_ name: String, _ meteorites: [Meteorite]) async throws -> URL {
    let file = path(name)
    let store = FileStore<Meteorite>(file)
    try await store.commit(
      Changes(upserting: meteorites), checkpoint: Checkpoint(), expecting: nil)
    try await store.close()
    return file
  }
}

/// Nothing is sent.
struct Offline: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    throw FieldError(.offline, "benchmarks send nothing")
  }
}

/// The row as `JSONDecoder` reads it.
struct WireMeteorite: Decodable {
  struct Geolocation: Decodable {
    let coordinates: [Double]
  }

  let name: String
  let id: String
  let nametype: String
  let recclass: String
  let mass: String?
  let fall: String
  let year: String?
  let reclat: String?
  let reclong: String?
  let geolocation: Geolocation?

  func isSame(as meteorite: Meteorite) -> Bool {
    guard meteorite.id.rawValue == id, meteorite.name == name else { return false }
    return meteorite.massInGrams == mass.flatMap(Double.init)
  }
}
