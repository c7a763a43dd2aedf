//! A custom kit: its records, its catalog, and adding it to a field.

// snippet.hide
import FieldKit
import Foundation

// snippet.show
// snippet.record
struct Fountain: CatalogRecord {
  let id: RecordID<Fountain>
  let name: String
  let coordinate: Coordinate?
  let checked: Date?
  var searchText: String { name }

  enum CodingKeys: String, CodingKey { case id = "no", name, coordinate, checked = "checked_at" }

  /// The names that columns had before.
  static let columns = [RowColumn("no", "number"), RowColumn("checked_at", "checked")]
  /// The zone of dates that state none.
  static let timeZone: FixedZone? = .taipei
}
// snippet.end
// snippet.hide

// snippet.show
// snippet.rows
struct Well: CatalogRecord {
  enum Columns: String, CodingKey { case id = "no", lat, lng, depth }
  static let columns = [RowColumn("no"), RowColumn("lat"), RowColumn("lng"), RowColumn("depth")]

  let id: String
  let coordinate: Coordinate?
  let depth: String

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let id = row.id(Columns.id) else { throw RowProblem("The well has no number.") }
    self.id = id
    coordinate = row.coordinate(latitude: Columns.lat, longitude: Columns.lng)
    depth = row.double(Columns.depth).map { "\($0) m" } ?? row.rawText(Columns.depth) ?? "unknown"
  }
}
// snippet.end
// snippet.hide

// snippet.show
// snippet.catalog
func makeFountains(_ url: URL, storage: Storage, transport: any Transport) -> Catalog<Fountain> {
  Catalog("fountains", at: url, storage: storage, transport: transport, policy: .daily)
}
// snippet.end
// snippet.hide

// snippet.show
// snippet.pages
struct FountainPages: PagedSource {
  let url: URL
  let transport: any Transport

  var fingerprint: String { "fountains/1 \(url)" }  // another one starts a sync from the beginning
  var isIncremental: Bool { false }  // positions are offsets

  func page(_ request: PageRequest) async throws -> RecordPage<Fountain> {
    let offset = request.position?.key.flatMap { Int($0) } ?? 0
    let url = url.appending(queryItems: [
      URLQueryItem(name: "offset", value: String(offset)),
      URLQueryItem(name: "limit", value: String(request.size)),
    ])
    var page = try RecordPage<Fountain>(
      reading: try await transport.send(TransportRequest(url: url, operation: "fountains.page")))
    let rows = page.facts.rowCount
    // Without an end, the sync is complete.
    page.facts.end = rows == 0 ? nil : SyncPosition(key: String(offset + rows))
    return page
  }
}

func makeFountains(_ pages: FountainPages, storage: Storage) -> Catalog<Fountain> {
  Catalog("fountains", source: pages, storage: storage, policy: .daily)
}
// snippet.end
// snippet.hide

func queries(_ fountains: Catalog<Fountain>, here: Coordinate) async throws {
  // snippet.show
  // snippet.queries
  try await fountains.refresh()
  let view = try await fountains.view()  // synchronous from here on
  let near = view.nearest(to: here, count: 5)
  let found = view.search("台北車站")  // finds 臺北車站, too
  let around = view.records(within: .meters(500), of: here)
  let newest = view.find(sortedBy: { $0.checked ?? .distantPast > $1.checked ?? .distantPast })
  // snippet.end
  // snippet.hide
  print(near, found, around, newest)
}

func accept(
  _ fountains: Catalog<Fountain>, confirms: @Sendable (RefusedRemoval) async -> Bool
) async throws {
  // snippet.show
  // snippet.removal
  do {
    try await fountains.refresh()
  } catch let error as FieldError {
    guard let removal = error.refusedRemoval, await confirms(removal) else { throw error }
    try await fountains.refresh(.acceptingRemovals(upTo: removal.count))
  }
  // snippet.end
  // snippet.hide
}

func field(
  _ fountains: Catalog<Fountain>, storage: Storage, transport: any Transport
) async throws {
  // snippet.show
  // snippet.field
  let field = Field(storage: storage, transport: transport, adding: [fountains])
  for await step in field.refreshAll() where step.outcome != nil { print(step.kit) }
  // snippet.end
}
