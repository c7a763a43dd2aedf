import FieldKit

/// A stored row of a dataset whose columns aren't known beforehand.
struct PortalRow: CatalogRecord {
  let id: String
  /// The cells by the names of their columns; missing values have none.
  let cells: [String: String]
  let latitude: Double?
  let longitude: Double?

  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return try? Coordinate(latitude: latitude, longitude: longitude)
  }

  /// Each cell is a line, so that no match spans two of them.
  var searchText: String {
    cells.sorted { $0.key < $1.key }.map(\.value).joined(separator: "\n")
  }

  /// Creates a row with the ID in one of its cells, or made of all cells; `nil` if the cell is missing.
  init?(_ row: AnyRow, key: String?, location: String?) {
    cells = row.cells
    guard let key else {
      let text = cells.sorted { $0.key < $1.key }.map { "\($0.key)\u{1F}\($0.value)" }
      id = String(BlobID(of: Array(text.joined(separator: "\u{1E}").utf8)).hexadecimal.prefix(32))
      (latitude, longitude) = Self.place(of: row, location)
      return
    }
    guard let id = cells[key], !id.isEmpty else { return nil }
    self.id = id
    (latitude, longitude) = Self.place(of: row, location)
  }

  private static let usualPairs = [
    ("latitude", "longitude"), ("lat", "lng"), ("lat", "lon"), ("lat", "long"), ("緯度", "經度"),
    ("y", "x"),
  ]

  /// The location in the column that has it according to the portal, in another one, or in two with usual names.
  private static func place(of row: AnyRow, _ column: String?) -> (Double?, Double?) {
    let place = column.flatMap { row.places[$0] } ?? row.places.min { $0.key < $1.key }?.value
    if let place { return (place.latitude, place.longitude) }
    let cells = Dictionary(row.cells.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    for (latitude, longitude) in usualPairs {
      guard let latitude = cells[latitude].flatMap(Double.init),
        let longitude = cells[longitude].flatMap(Double.init),
        (try? Coordinate(latitude: latitude, longitude: longitude)) != nil
      else { continue }
      return (latitude, longitude)
    }
    return (nil, nil)
  }
}

/// The rows of a portal's dataset with the IDs that a column contains.
struct PortalRowSource: RecordSource {
  let base: any RecordSource<AnyRow>
  /// The column of the ID; `nil` makes it of all cells, so that equal rows are one.
  let key: String?
  /// The column of the location, if the portal names one.
  let location: String?

  var dataSource: DataSource? { base.dataSource }
  var fingerprint: String { "\(base.fingerprint) by \(key ?? "all cells")" }
  var pages: (any PagedSource<PortalRow>)? { base.pages.map { Pages(base: $0, rows: self) } }

  func fetch(_ request: RecordRequest) async throws -> Batch<PortalRow> {
    keyed(try await base.fetch(request))
  }

  private func keyed(_ batch: Batch<AnyRow>) -> Batch<PortalRow> {
    var rows: [PortalRow] = []
    var hashes: [UInt64] = []
    var failures = batch.failures
    let failed = Set(failures.map(\.index))
    var index = 0
    for (place, row) in batch.records.enumerated() {
      while failed.contains(index) { index += 1 }
      if let row = PortalRow(row, key: key, location: location) {
        rows.append(row)
        if batch.recordHashes.indices.contains(place) { hashes.append(batch.recordHashes[place]) }
      } else {
        failures.append(
          RowFailure(index: index, reason: "it has no \(key ?? ""), which identifies rows"))
      }
      index += 1
    }
    failures.sort { $0.index < $1.index }
    return Batch(
      records: rows, recordHashes: hashes.count == rows.count ? hashes : [], failures: failures,
      facts: batch.facts)
  }

  private struct Pages: PagedSource {
    let base: any PagedSource<AnyRow>
    let rows: PortalRowSource

    var fingerprint: String { rows.fingerprint }
    var isIncremental: Bool { base.isIncremental }
    var findsChanges: Bool { base.findsChanges }
    var options: SyncOptions { base.options }

    func page(_ request: PageRequest) async throws -> Batch<PortalRow> {
      rows.keyed(try await base.page(request))
    }

    func count() async throws -> Int? { try await base.count() }
  }
}
