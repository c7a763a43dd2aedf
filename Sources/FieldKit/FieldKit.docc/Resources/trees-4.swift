import FieldKit
import Foundation

struct Tree: CatalogRecord {
  let id: RecordID<Tree>
  let species: String?
  let coordinate: Coordinate?
  var searchText: String { species ?? "" }

  enum CodingKeys: String, CodingKey {
    case id = "treeid", species = "qspecies", coordinate
  }
}

let address = "https://data.sfgov.org/resource/tkzw-k3nq.json?$limit=5000"
guard let source = URL(string: address) else { exit(1) }
let trees = Catalog<Tree>(
  "trees", at: source, storage: .directory(URL(filePath: "data")),
  transport: URLSessionTransport(), policy: .daily)

do {
  let report = try await trees.refresh()
  print(report)
  for failure in report.failures { print(failure) }
} catch let error as FieldError {
  print("The trees weren't refreshed: \(error.message)")
}
