import FieldKit
import Foundation

struct Tree: CatalogRecord, RowReadable {
  static let columns = [
    RowColumn("treeid"), RowColumn("qspecies"), RowColumn("latitude"), RowColumn("longitude"),
  ]

  let id: RecordID<Tree>
  let species: String
  let coordinate: Coordinate?
  var searchText: String { species }

  init(row: borrowing SourceRow) throws(RowProblem) {
    guard let number = row.id(0) else { throw RowProblem("The tree has no ID.") }
    id = RecordID(rawValue: number)
    species = row.text(1) ?? ""
    coordinate = row.coordinate(latitude: 2, longitude: 3)
  }
}
