import FieldKit
import Foundation

/// The record of README's first sample.
struct Tree: CatalogRecord {
  let id: String
  let species: String?
  let height: Double?
  let coordinate: Coordinate?
  enum CodingKeys: String, CodingKey {
    case id = "treeid"
    case species = "qspecies"
    case height = "dbh"
    case coordinate
  }
  static let indexes: [RecordIndex<Tree>] = [.text(\.species), .order(\.height)]
}

extension Catalog<Tree> {
  /// Creates the trees of the previews: two rows, no network, and nothing on disk.
  static func preview() -> Catalog<Tree> {
    Catalog(
      "trees", at: URL(filePath: "/trees.json"), storage: .inMemory, transport: PreviewTrees())
  }
}

private struct PreviewTrees: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(
      status: 200,
      body: .text(
        """
        [{"treeid":"1","qspecies":"Ginkgo biloba","dbh":"12","latitude":"37.77","longitude":"-122.42"},
        {"treeid":"2","qspecies":"Platanus","dbh":"31","latitude":"37.76","longitude":"-122.41"}]
        """))
  }
}
