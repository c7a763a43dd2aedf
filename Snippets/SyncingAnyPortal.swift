//! Syncing a dataset of any portal, by the address of its page.

// snippet.hide
import FieldFakes
import FieldKit
import Foundation

// snippet.show
// snippet.record
struct StreetTree: CatalogRecord {
  let id: String
  let species: String?
  let coordinate: Coordinate?
  enum CodingKeys: String, CodingKey { case id = "treeid", species, coordinate = "spot" }
}
// snippet.end
// snippet.hide

func dataset(address: URL, folder: URL, here: Coordinate) async throws {
  // snippet.show
  // snippet.dataset
  let transport = URLSessionTransport().retrying(.portal)
  let description = try await PortalDataset(address).describe(over: transport)
  print(description.name, description.rowCount as Any, description.updatedAt as Any)
  for column in description.columns { print(column.name, column.kind) }
  let trees = Catalog<StreetTree>(
    "trees", sources: [description.rows(transport: transport)], storage: .directory(folder))
  try await trees.refresh()
  for near in try await trees.view().nearest(to: here, count: 5) {
    print(near.record.species ?? "", near.distance)
  }
  print(description.dataSource.attribution, description.dataSource.license)
  // snippet.end
  // snippet.hide
}

// snippet.show
// snippet.rows
let columns: [FakeSODAServer.Column] = ["treeid", "species", .init("spot", .point)]
let rows: [FakeSODAServer.Row] = (1...500).map { number in
  [
    "treeid": .text("t\(number)"), "species": "Quercus",
    "spot": .point(longitude: 14 + Double(number) / 1000, latitude: 50),
  ]
}

/// Stores all rows of a dataset, and returns the tree closest to a location.
func closest(_ address: URL, over portal: any Transport) async throws -> StreetTree? {
  let dataset = try await PortalDataset(address).describe(over: portal)
  let trees = Catalog<StreetTree>(
    "trees", sources: [dataset.rows(transport: portal)], storage: .inMemory)
  try await trees.refresh()
  let here = try Coordinate(latitude: 50, longitude: 14.207)
  return try await trees.view().nearest(to: here, count: 1).first?.record
}
// snippet.end
// snippet.hide

func families() async throws {
  // snippet.show
  // snippet.arcgis
  let service = FakePortal(.arcGIS, columns: columns, rows: rows)
  print(try await closest(service.url, over: service) as Any)
  // snippet.end

  // snippet.ckan
  let ckan = FakePortal(.ckan, columns: columns, rows: rows)
  ckan.options.pageCap = 100
  ckan.onRequest = { number, _ in if number == 4 { ckan.delete([1]) } }  // between two pages
  print(try await closest(ckan.url.appending(path: "dataset/rows"), over: ckan) as Any)
  // snippet.end

  // snippet.opendatasoft
  let explore = FakePortal(.openDataSoft, columns: columns, rows: rows)
  let page = explore.url.appending(path: "explore/dataset/rows")
  print(try await closest(page, over: explore) as Any)
  // snippet.end

  // snippet.socrata
  let soda = FakeSODAServer(columns: columns, rows: rows)
  let resource = soda.url("/resource/\(soda.dataset).json")
  print(try await closest(resource, over: soda) as Any)
  // snippet.end

  // snippet.facets
  let dataset = try PortalDataset(page)
  for value in try await dataset.facets(of: ["species"], over: explore)[0].values {
    print(value.text, value.count)  // Quercus 500
  }
  // snippet.end

  // snippet.taipei
  let id = "307a7f61-e302-4108-a817-877ccbfca7c1"
  let taipei = FakeTaipeiOpenData(datasets: [
    FakeTaipeiOpenData.Dataset(
      id,
      rows: (1...500).map { number in
        ["treeid": "t\(number)", "緯度": "50", "經度": "\(14 + Double(number) / 1000)"]
      })
  ])
  if let api = URL(string: "https://data.taipei/api/v1/dataset/\(id)?scope=resourceAquire") {
    print(try await closest(api, over: taipei) as Any)
  }
  // snippet.end
  // snippet.hide
}
