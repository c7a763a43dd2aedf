import Foundation
import MeteorKit

/// The kit's own catalog of meteorites, whose records and queries were written by hand.
struct MeteoriteSide: RecordSide {
  private let catalog: MeteoriteCatalog
  private let store: any RecordStore<Meteorite>

  init(_ folder: URL) {
    let storage = Storage.directory(folder)
    catalog = MeteoriteCatalog(storage: storage, transport: Offline())
    store = storage.store("meteorites")
  }

  /// The file of the store.
  static func file(in folder: URL) -> URL { folder.appending(path: "meteorites.store") }

  static func id(_ number: Int) -> Meteorite.ID { Meteorite.ID(UInt64(number)) }

  static func record(_ row: LandingRow) -> Meteorite {
    Meteorite(
      id: id(row.id), name: row.name,
      classification: Meteorite.Classification(rawValue: row.class), massInGrams: row.mass,
      year: row.year.map { Meteorite.Year($0) }, coordinate: row.coordinate)
  }

  static func records(reading rows: LandingRows) throws -> [Meteorite] {
    try Batch<Meteorite>(reading: rows.bytes).records
  }

  static func key(of record: Meteorite) -> LandingKey {
    LandingKey(id: Int(record.id.rawValue) ?? -1, mass: record.massInGrams)
  }

  func fill(_ records: [Meteorite]) async throws { try await commit(records) }

  func commit(_ records: [Meteorite]) async throws {
    try await store.commit(
      Changes(upserting: records), checkpoint: Checkpoint(), expecting: nil)
  }

  func view() async throws -> MeteoriteView { try await catalog.view() }

  func close() async throws {
    try await catalog.close()
    try await store.close()
  }

  static func count(in view: MeteoriteView) -> Int { view.all.count }

  static func name(of id: Int, in view: MeteoriteView) -> String? { view[Self.id(id)]?.name }

  static func grams(of ids: [Int], in view: MeteoriteView) -> Double {
    ids.reduce(0) { $0 + (view[Self.id($1)]?.massInGrams ?? 0) }
  }

  static func heaviest(in view: MeteoriteView) -> [Meteorite] {
    view.find(MeteoriteQuery(order: .massDescending, limit: 50))
  }

  static func heaviestOfRange(in view: MeteoriteView) -> [Meteorite] {
    view.find(QueryBenchmarks.heaviestOfRange)
  }

  static func count(named text: String, in view: MeteoriteView) -> Int {
    view.count(MeteoriteQuery(text: text))
  }

  static func count(of class: String, in view: MeteoriteView) -> Int {
    view.count(MeteoriteQuery(classes: [Meteorite.Classification(rawValue: `class`)]))
  }

  static func nearest(to place: Coordinate, in view: MeteoriteView) -> [Meteorite] {
    view.nearest(to: place, count: 10).map(\.meteorite)
  }

  func read(_ id: Int) async throws -> Bool {
    let view = try await catalog.view()
    return view[Self.id(id)] != nil && Self.heaviest(in: view).count == 50
  }

  func write(_ record: Meteorite) async throws { try await commit([record]) }
}
