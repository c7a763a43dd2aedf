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
