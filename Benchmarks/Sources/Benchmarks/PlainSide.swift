import Foundation
import MeteorKit

/// A catalog of a plain `Codable` record.
struct PlainSide: RecordSide {
  private let catalog: Catalog<Landing>
  private let store: any RecordStore<Landing>

  init(_ folder: URL) {
    let storage = Storage.directory(folder)
    catalog = Self.catalog(in: storage)
    store = storage.store("landings")
  }

  /// Creates a catalog that isn't refreshed, so it sends nothing.
  static func catalog(in storage: Storage) -> Catalog<Landing> {
    Catalog(
      "landings", at: URL(filePath: "/landings.json"), storage: storage, transport: Offline())
  }

  /// The file of the store.
  static func file(in folder: URL) -> URL { folder.appending(path: "landings.store") }

  static func record(_ row: LandingRow) -> Landing {
    Landing(
      id: row.id, name: row.name, mass: row.mass, year: row.year, class: row.class,
      coordinate: row.coordinate)
  }

  static func records(reading rows: LandingRows) throws -> [Landing] {
    try Batch<Landing>(reading: rows.bytes).records
  }

  static func key(of record: Landing) -> LandingKey { LandingKey(id: record.id, mass: record.mass) }

  func fill(_ records: [Landing]) async throws { try await commit(records) }

  func commit(_ records: [Landing]) async throws {
    try await store.commit(
      Changes(upserting: records), checkpoint: Checkpoint(), expecting: nil)
  }

  func view() async throws -> CatalogView<Landing> { try await catalog.view() }

  func close() async throws {
    try await catalog.close()
    try await store.close()
  }

  static func count(in view: CatalogView<Landing>) -> Int { view.count }

  static func name(of id: Int, in view: CatalogView<Landing>) -> String? { view[id]?.name }

  static func grams(of ids: [Int], in view: CatalogView<Landing>) -> Double {
    ids.reduce(0) { $0 + (view[$1]?.mass ?? 0) }
  }

  static func heaviest(in view: CatalogView<Landing>) -> [Landing] {
    view.find(\.mass, order: .descending, limit: 50)
  }

  static func heaviestOfRange(in view: CatalogView<Landing>) -> [Landing] {
    view.find(\.mass, in: 1_000...5_000, order: .descending, limit: 20)
  }

  static func count(named text: String, in view: CatalogView<Landing>) -> Int {
    view.count(matching: text)
  }

  static func count(of class: String, in view: CatalogView<Landing>) -> Int {
    view.count(\.class, equals: `class`)
  }

  static func nearest(to place: Coordinate, in view: CatalogView<Landing>) -> [Landing] {
    view.nearest(to: place, count: 10).map(\.record)
  }

  func read(_ id: Int) async throws -> Bool {
    let view = try await catalog.view()
    return view[id] != nil && Self.heaviest(in: view).count == 50
  }

  func write(_ record: Landing) async throws { try await commit([record]) }
}
