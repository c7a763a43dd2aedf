import FieldCore
import FieldFakes
import FieldPortals
import Foundation
import TestSupport
import Testing

@Suite("Datasets of portals, by their addresses")
struct PortalDatasetTests {
  @Test(
    "The family of an address is recognized, of a page as well as of an API",
    arguments: [
      ("https://data.example.gov/resource/abcd-1234.json", PortalFamily.socrata),
      ("https://data.example.gov/Environment/Street-Trees/abcd-1234/about_data", .socrata),
      ("https://data.example.gov/d/abcd-1234", .socrata),
      ("https://data.example.gov/dataset/Street-Trees/abcd-1234", .socrata),
      ("https://data.example.gov/api/views/abcd-1234", .socrata),
      ("https://gis.example.gov/arcgis/rest/services/Trees/FeatureServer/0", .arcGIS),
      (
        "https://gis.example.gov/arcgis/rest/services/Trees/MapServer/12/query?where=1%3D1", .arcGIS
      ),
      ("https://gis.example.gov/arcgis/rest/services/Trees/featureserver/", .arcGIS),
      ("https://opendata.example.gov/datasets/city::street-trees/explore?location=1", .arcGIS),
      ("https://opendata.example.gov/datasets/0123456789abcdef0123456789abcdef_3/about", .arcGIS),
      (
        "https://www.arcgis.com/home/item.html?id=0123456789abcdef0123456789abcdef#overview",
        .arcGIS
      ),
      ("https://data.example.org/dataset/street-trees", .ckan),
      ("https://data.example.org/en_GB/dataset/street-trees", .ckan),
      ("https://data.example.org/dataset/trees/resource/6f5a-7b-uuid", .ckan),
      ("https://data.example.org/dataset/t/resource/6f5a-7b-uuid/download/trees.csv", .ckan),
      ("https://data.example.org/api/3/action/datastore_search?resource_id=6f5a-7b", .ckan),
      ("https://data.example.org/api/3/action/package_show?id=trees", .ckan),
      ("https://data.example.org/datastore/dump/6f5a-7b?bom=true", .ckan),
      ("https://data.example.fr/explore/dataset/les-arbres/table/?flg=fr", .openDataSoft),
      ("https://data.example.fr/explore/assets/les-arbres/", .openDataSoft),
      (
        "https://data.example.fr/api/explore/v2.1/catalog/datasets/les-arbres/records?limit=20",
        .openDataSoft
      ),
      ("https://data.example.fr/api/records/1.0/search/?dataset=les-arbres&q=", .openDataSoft),
    ])
  func families(_ address: String, _ family: PortalFamily) throws {
    #expect(try PortalDataset(#require(URL(string: address))).family == family)
  }

  @Test(
    "Addresses of other pages are refused",
    arguments: [
      "https://example.org", "https://example.org/trees.csv", "https://example.org/dataset",
      "https://example.org/explore/dataset", "ftp://example.org/dataset/trees", "trees",
      "https://example.org/api/3/action/package_list", "https://example.org/datasets",
      "https://data.example.gov/stories/s/abcd-1234",
    ])
  func others(_ address: String) throws {
    let error = #expect(throws: FieldError.self) {
      try PortalDataset(#require(URL(string: address)))
    }
    #expect(error?.code == .invalidInput)
  }

  private struct Tree: CatalogRecord {
    var id: String
    var height: Double?
    var coordinate: Coordinate?

    enum CodingKeys: String, CodingKey { case id = "treeid", height, coordinate = "spot" }
  }

  private static let columns: [FakeSODAServer.Column] = [
    "treeid", .init("height", .number), .init("spot", .point),
  ]

  private static let rows: [FakeSODAServer.Row] = (0..<30).map { number in
    [
      "treeid": .text("t\(number)"), "height": .number(number),
      "spot": .point(longitude: 14.25, latitude: 50 + Double(number) / 100),
    ]
  }

  private func nearest(
    _ description: PortalDescription, over transport: any Transport
  ) async throws -> [String] {
    let trees = Catalog<Tree>(
      "trees",
      sources: [description.rows(transport: transport, clock: ImmediateClock())],
      storage: .inMemory)
    #expect(try await trees.refresh().added == 30)
    #expect(trees.dataSources == [description.dataSource])
    let here = try Coordinate(latitude: 50.07, longitude: 14.25)
    return try await trees.view().nearest(to: here, count: 2).map { $0.record.id }
  }

  @Test(
    "A pasted address leads to the description, the license, and the rows",
    arguments: [
      (
        FakePortal.Dialect.arcGIS, "https://portal.example/rest/services/Trees/FeatureServer",
        "The city", ""
      ),
      (
        .arcGIS, "https://portal.example/datasets/city::trees/explore", "The city",
        "Open License v2.0"
      ),
      (.ckan, "https://portal.example/dataset/rows", "The city", "Open License v2.0"),
      (
        .ckan, "https://portal.example/fr/dataset/rows/resource/rows-1", "The city",
        "Open License v2.0"
      ),
      (
        .openDataSoft, "https://portal.example/explore/dataset/rows/table/", "The city",
        "Open License v2.0"
      ),
    ])
  func description(
    _ dialect: FakePortal.Dialect, _ address: String, _ publisher: String, _ license: String
  ) async throws {
    let portal = FakePortal(dialect, columns: Self.columns, rows: Self.rows)
    let dataset = try PortalDataset(#require(URL(string: address)))
    let description = try await dataset.describe(over: portal)
    #expect(description.name == "Rows")
    #expect(description.rowCount == 30)
    #expect(description.updatedAt != nil)
    #expect(description.dataSource.publisher == publisher)
    #expect(description.dataSource.license == license)
    let kinds = Dictionary(uniqueKeysWithValues: description.columns.map { ($0.name, $0.kind) })
    #expect(kinds["treeid"] == .text)
    #expect([.number, .integer].contains(kinds["height"]))
    #expect(try await nearest(description, over: portal) == ["t7", "t6"])
  }

  @Test("A Socrata dataset is described and read like those of the other families")
  func socrata() async throws {
    let server = FakeSODAServer(columns: Self.columns, rows: Self.rows)
    let url = try #require(
      URL(string: "https://portal.example/resource/\(server.dataset).json"))
    let description = try await PortalDataset(url).describe(over: server)
    #expect((description.rowCount, description.family) == (30, .socrata))
    #expect(description.columns.map(\.kind) == [.text, .number, .location])
    #expect(try await nearest(description, over: server) == ["t7", "t6"])
    let trees = Catalog<Tree>(
      "trees", sources: [description.rows(transport: server)], storage: .inMemory)
    _ = try await trees.refresh()
    server.update(where: { $0["treeid"] == "t3" }, ["height": .number(99)])
    #expect(try await trees.refresh(.now).updated == 1)
    #expect(try await trees.view()["t3"]?.height == 99)
  }

  /// A record that knows no column, and keeps the texts of all.
  private struct AnyRow: CatalogRecord {
    struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    let id: String

    init(from decoder: any Decoder) throws {
      let row = try decoder.container(keyedBy: Key.self)
      id = try row.allKeys.filter { ["treeid", "height"].contains($0.stringValue) }
        .map { "\($0.stringValue) \(try row.decodeIfPresent(String.self, forKey: $0) ?? "")" }
        .sorted().joined(separator: ", ")
    }

    func encode(to encoder: any Encoder) throws {}
  }

  @Test("A record that knows no column gets all columns, from portals of every family")
  func allColumns() async throws {
    let server = FakeSODAServer(columns: Self.columns, rows: Self.rows)
    for (address, portal) in [
      ("https://portal.example/resource/\(server.dataset).json", server as any Transport),
      (
        "https://portal.example/rest/services/Trees/FeatureServer/0",
        FakePortal(.arcGIS, columns: Self.columns, rows: Self.rows)
      ),
      (
        "https://portal.example/dataset/rows",
        FakePortal(.ckan, columns: Self.columns, rows: Self.rows)
      ),
      (
        "https://portal.example/explore/dataset/rows/",
        FakePortal(.openDataSoft, columns: Self.columns, rows: Self.rows)
      ),
    ] {
      let url = try #require(URL(string: address))
      let description = try await PortalDataset(url).describe(over: portal)
      let rows = try await description.rows(of: AnyRow.self, transport: portal)
        .fetch(RecordRequest())
      #expect(rows.records.count == 30 && rows.failures.isEmpty, "\(address)")
      #expect(rows.records.contains { $0.id == "height 7, treeid t7" }, "\(address)")
    }
  }

  @Test("A CKAN resource without a datastore is its file, with the file's validators")
  func file() async throws {
    let portal = FakePortal(.ckan, columns: Self.columns, rows: Self.rows)
    portal.options.hasDatastore = false
    let dataset = try PortalDataset(URL(literal: "https://portal.example/dataset/rows"))
    let description = try await dataset.describe(over: portal)
    #expect(description.isFile && description.columns.isEmpty)
    let trees = Catalog<Tree>(
      "trees", sources: [description.rows(transport: portal)], storage: .inMemory)
    #expect(try await trees.refresh().added == 30)
    #expect(try await trees.refresh(.now).outcome == .notModified)
    portal.delete([3])
    #expect(try await trees.refresh(.now).removed == 1)
  }

  @Test(
    "A portal's catalog is searched by text, page by page, and what is found can be read",
    arguments: [FakePortal.Dialect.ckan, .openDataSoft])
  func search(_ dialect: FakePortal.Dialect) async throws {
    let portal = FakePortal(dialect, columns: Self.columns, rows: Self.rows)
    portal.options.catalogSize = 45
    let catalog = PortalCatalog(dialect == .ckan ? .ckan : .openDataSoft, at: portal.url)
    var found: [PortalCatalog.Entry] = []
    var start: Int? = 0
    while let from = start {
      let page = try await catalog.search("Rows", from: from, over: portal)
      #expect(page.total == 45 && page.entries.count <= 20)
      found += page.entries
      start = page.next
    }
    #expect(Set(found.map(\.dataset.address)).count == 45)
    #expect(found.allSatisfy { $0.license == "Open License v2.0" && $0.updatedAt != nil })
    let description = try await found[0].dataset.describe(over: portal)
    #expect(description.rowCount == 30)
    let none = try await catalog.search("say \"no\" \\", over: portal)
    #expect(none.entries.isEmpty && none.next == nil)
  }

  /// A Socrata portal's catalog.
  private struct Discovery: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
      let text = request.url.absoluteString
      #expect(text.contains("/api/catalog/v1?domains=portal.example"))
      let numbers = text.contains("offset=2") ? 3...3 : 1...2
      let results = numbers.map {
        #"{"resource":{"id":"abcd-000\#($0)","name":"Trees \#($0)","description":"<p>All</p>","data_updated_at":"2026-01-02T03:04:05.000Z"},"metadata":{"domain":"portal.example","license":"Public Domain"}}"#
      }
      return TransportResponse(
        status: 200, fields: ["Content-Type": "application/json"], url: request.url,
        body: .text(
          #"{"results":[\#(results.joined(separator: ","))],"resultSetSize":3}"#))
    }
  }

  @Test("A Socrata portal's catalog is searched, and one of ArcGIS isn't")
  func searchOfSocrata() async throws {
    let root = URL(literal: "https://portal.example")
    let catalog = PortalCatalog(.socrata, at: root)
    let first = try await catalog.search("trees", count: 2, over: Discovery())
    #expect(first.next == 2 && first.total == 3)
    #expect(first.entries.map(\.name) == ["Trees 1", "Trees 2"])
    #expect(first.entries[0].summary == "All" && first.entries[0].license == "Public Domain")
    let second = try await catalog.search("trees", from: 2, count: 2, over: Discovery())
    #expect(second.next == nil)
    #expect(second.entries.map(\.dataset.family) == [.socrata])
    let error = await #expect(throws: FieldError.self) {
      try await PortalCatalog(.arcGIS, at: root).search("trees", over: Discovery())
    }
    #expect(error?.code == .portalUnsupported)
  }
}
