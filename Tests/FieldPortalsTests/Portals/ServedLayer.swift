import FieldCore
import FieldPortals
import Foundation

/// An ArcGIS layer that responds with given bodies: its description, its object IDs, its count, and a page of features,
/// after which there are no more.
struct ServedLayer: Transport {
  var layer: [UInt8]
  var page: [UInt8]
  var ids: [UInt8]?
  var count: [UInt8]?
  private let served = Lock(Set<Bool>())

  init(layer: [UInt8], page: [UInt8], ids: [UInt8]? = nil, count: [UInt8]? = nil) {
    (self.layer, self.page, self.ids, self.count) = (layer, page, ids, count)
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(
      status: 200, fields: ["Content-Type": "application/json"], url: request.url,
      body: .bytes(body(for: request.url.absoluteString)))
  }

  private func body(for url: String) -> [UInt8] {
    if !url.contains("/query?") { return layer }
    if url.contains("returnIdsOnly=true") { return ids ?? Self.failure }
    if url.contains("returnCountOnly=true") { return count ?? Self.failure }
    // A service that doesn't return its IDs is asked again, for the rows between two of them.
    let isFirst = served.withLock { $0.insert(url.contains("orderByFields")).inserted }
    return isFirst ? page : Array(#"{"features":[]}"#.utf8)
  }

  private static let failure = Array(
    #"{"error":{"code":400,"message":"Unable to complete operation.","details":[]}}"#.utf8)

  /// Returns all rows.
  func rows() async throws -> Batch<WholeRow> {
    try await PortalRows<WholeRow>(
      arcGIS: URL(literal: "https://portal.example/FeatureServer/0"), transport: self
    ).fetch(RecordRequest())
  }
}

/// A record that is the whole row, whatever its columns.
struct WholeRow: StoredRecord, RowReadable {
  let id: Int
  /// The row as JSON.
  let text: String

  static let columns = [RowColumn("id")]

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let object = row.object else { throw RowProblem("it isn't an object") }
    (id, text) = (row.index, object.canonicalText)
  }

  var values: JSONValue {
    get throws { try JSONDocument.value(Array(text.utf8)) }
  }
}
