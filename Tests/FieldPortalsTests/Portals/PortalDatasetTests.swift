import FieldCore
import FieldFakes
import FieldPortals
import FieldTesting
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
      ("https://data.example.gov/dataset/Street-Trees/abcd-1234/about_data", .socrata),
      ("https://data.example.gov/Environment/dataset/abcd-1234", .socrata),
      ("https://data.example.org/dataset/city-2020", .ckan),
      ("https://data.example.org/en/dataset/city-2020", .ckan),
      ("https://data.example.org/dataset/city-2020/resource/6f5a-7b-uuid", .ckan),
      ("https://data.example.org/dataset/t/resource/6f5a-7b-uuid/download/road-2021.csv", .ckan),
      ("https://opendata.example.gov/datasets/bike-2020", .arcGIS),
      ("https://opendata.example.gov/datasets/bike-2020/about", .arcGIS),
      ("https://opendata.example.gov/maps/bike-2020", .arcGIS),
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
      (
        "https://data.taipei/api/v1/dataset/6afa114d-38a2-4e3c-9cfd-29d3bd26b65b?scope=resourceAquire",
        .taipei
      ),
      ("https://data.taipei/api/v1/dataset/6afa114d?scope=resourceAquire&limit=5", .taipei),
      (
        "https://data.taipei/opendata/datalist/apiAccess?scope=resourceAquire&rid=6afa114d", .taipei
      ),
      (
        "https://data.taipei/dataset/detail?id=cfa4778c-62c1-497b-b704-756231de348b", .taipei
      ),
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

  @Test(
    "An ArcGIS layer that can't be counted is described without a count, unless access is denied",
    arguments: [
      (#"{"error":{"code":400,"message":"Unable to perform query.","details":[]}}"#, nil),
      (#"{"error":{"code":500,"message":"Error performing query.","details":[]}}"#, nil),
      (#"{"error":{"code":499,"message":"Token Required","details":[]}}"#, .portalDenied),
    ] as [(String, FieldError.Code?)])
  func uncounted(_ body: String, _ code: FieldError.Code?) async throws {
    let portal = ChangedPortal(
      portal: FakePortal(.arcGIS, columns: Self.columns, rows: Self.rows), path: "/query",
      change: { _ in body })
    let dataset = try PortalDataset(portal.portal.url)
    guard let code else {
      let description = try await dataset.describe(over: portal, clock: ImmediateClock())
      #expect(description.name == "Rows" && description.rowCount == nil)
      return
    }
    let error = await #expect(throws: FieldError.self) {
      try await dataset.describe(over: portal, clock: ImmediateClock())
    }
    #expect(error?.code == code)
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

  /// The exits of the metro's stations, with the metro's own ID of the data.
  private static func taipei() -> FakeTaipeiOpenData {
    FakeTaipeiOpenData(
      datasets: [
        FakeTaipeiOpenData.Dataset(
          "307a7f61-e302-4108-a817-877ccbfca7c1",
          rows: (0..<30).map { number in
            [
              "treeid": "t\(number)", "height": "\(number)", "經度": "14.25",
              "緯度": "\(50 + Double(number) / 100)",
            ]
          }, importedAt: Date(timeIntervalSince1970: 1_767_225_600))
      ], cap: 7)
  }

  @Test(
    "A dataset of data.taipei is described and read like those of the other families",
    arguments: [
      "https://data.taipei/api/v1/dataset/307a7f61-e302-4108-a817-877ccbfca7c1?scope=resourceAquire",
      "https://data.taipei/dataset/detail?id=cfa4778c-62c1-497b-b704-756231de348b",
    ])
  func taipei(_ address: String) async throws {
    let portal = Self.taipei()
    let dataset = try PortalDataset(#require(URL(string: address)))
    let description = try await dataset.describe(over: portal)
    #expect((description.rowCount, description.family) == (30, .taipei))
    #expect(description.columns.map(\.name) == ["treeid", "height", "經度", "緯度"])
    #expect(description.name == "臺北捷運車站出入口座標")
    #expect(description.dataSource.license.contains("Open Government Data License"))
    #expect(description.updatedAt != nil)
    #expect(try await nearest(description, over: portal) == ["t7", "t6"])
  }

  @Test("A page of data.taipei that doesn't say where its data is leads to an error that does")
  func unknownTaipeiPage() async throws {
    let dataset = try PortalDataset(URL(literal: "https://data.taipei/dataset/detail?id=0000"))
    let error = await #expect(throws: FieldError.self) {
      try await dataset.describe(over: Self.taipei())
    }
    #expect(error?.code == .portalUnsupported)
    #expect(error?.message.contains("/api/v1/dataset/") == true)
    let gone = try PortalDataset(
      URL(literal: "https://data.taipei/api/v1/dataset/0000?scope=resourceAquire"))
    let retired = await #expect(throws: FieldError.self) {
      try await gone.describe(over: Self.taipei())
    }
    #expect(retired?.code == .datasetRetired)
  }

  @Test("Pages of data.taipei that don't belong together are an error, and none are stored")
  func movingTaipei() async throws {
    let portal = Self.taipei()
    let dataset = try PortalDataset(
      URL(
        literal:
          "https://data.taipei/api/v1/dataset/307a7f61-e302-4108-a817-877ccbfca7c1?scope=resourceAquire"
      ))
    let description = try await dataset.describe(over: portal)
    let trees = Catalog<Tree>(
      "trees", sources: [description.rows(transport: portal)], storage: .inMemory)
    let fewer = FakeTaipeiOpenData.Dataset(
      "307a7f61-e302-4108-a817-877ccbfca7c1",
      rows: (1..<30).map { ["treeid": "t\($0)", "height": "1", "經度": "14.25", "緯度": "50"] })
    portal.publish(fewer, afterPages: 2)
    let error = await #expect(throws: FieldError.self) { try await trees.refresh() }
    #expect(error?.code == .datasetIncomplete)
    #expect(try await trees.view().count == 0)
    #expect(try await trees.refresh(.now).added == 29)
  }

  @Test("An OpenDataSoft portal counts the values of its facets")
  func facets() async throws {
    let rows: [FakeSODAServer.Row] = (0..<30).map { number in
      [
        "treeid": .text("t\(number)"),
        "species": .text(number.isMultiple(of: 3) ? "say \"Oak\"" : "Elm"),
        "height": .number(number),
      ]
    }
    let portal = FakePortal(
      .openDataSoft, columns: ["treeid", "species", .init("height", .number)], rows: rows)
    let dataset = try PortalDataset(URL(literal: "https://portal.example/explore/dataset/rows/"))
    let species = try await dataset.facets(of: ["species"], over: portal)
    #expect(
      species == [
        PortalFacet(
          column: "species",
          values: [.init(text: "Elm", count: 20), .init(text: "say \"Oak\"", count: 10)])
      ])
    portal.options.facetLimit = 5
    let all = try await dataset.facets(over: portal)
    #expect(all.map(\.column) == ["treeid", "species"])
    #expect(all[0].values.count == 5)
    let error = await #expect(throws: FieldError.self) {
      try await dataset.facets(of: ["height"], over: portal)
    }
    #expect(error?.code == .portalQuery)
    let ckan = try PortalDataset(URL(literal: "https://portal.example/dataset/rows"))
    let unsupported = await #expect(throws: FieldError.self) {
      try await ckan.facets(over: portal)
    }
    #expect(unsupported?.code == .portalUnsupported)
  }

  @Test("Facets are read from a response in the published form, with parts and odd values")
  func facetResponse() async throws {
    // The form of the API's documentation; a value may have parts, and a count isn't always there.
    let body = #"""
      {"links":[{"rel":"self","href":"https://portal.example/api/explore/v2.1/catalog/datasets/rows/facets"}],
      "facets":[{"name":"planted","facets":[
      {"name":"2024","count":12,"state":"displayed","value":"2024","facets":[
      {"name":"01","count":12,"state":"displayed","value":"2024/01"}]},
      {"name":"2023","count":3,"state":"displayed","value":"2023"},
      {"name":"odd","state":"displayed","value":"odd"}]},
      {"name":"district","facets":[]},{"facets":[]}]}
      """#
    let transport = StubTransport { $0.on("portal.facets", respond: .json(text: body)) }
    let dataset = try PortalDataset(URL(literal: "https://portal.example/explore/dataset/rows/"))
    let facets = try await dataset.facets(of: ["planted", "district"], over: transport)
    #expect(
      facets == [
        PortalFacet(
          column: "planted",
          values: [.init(text: "2024", count: 12), .init(text: "2023", count: 3)]
        ), PortalFacet(column: "district", values: []),
      ])
    #expect(
      transport.requests[0].url.absoluteString
        == "https://portal.example/api/explore/v2.1/catalog/datasets/rows/facets?facet=planted&facet=district"
    )
    let other = StubTransport { $0.on("portal.facets", respond: .json(text: #"{"nhits":1}"#)) }
    let error = await #expect(throws: FieldError.self) { try await dataset.facets(over: other) }
    #expect(error?.code == .notData)
  }

  @Test(
    "A record that reads all columns of a dataset, whatever they are, is read from every family")
  func open() async throws {
    let soda = FakeSODAServer(columns: Self.columns, rows: Self.rows)
    let portals: [(String, any Transport)] = [
      ("https://portal.example/resource/\(soda.dataset).json", soda),
      (
        "https://portal.example/rest/services/Trees/FeatureServer/0",
        FakePortal(.arcGIS, columns: Self.columns, rows: Self.rows)
      ),
      (
        "https://portal.example/dataset/rows",
        FakePortal(.ckan, columns: Self.columns, rows: Self.rows)
      ),
      (
        "https://portal.example/explore/dataset/rows",
        FakePortal(.openDataSoft, columns: Self.columns, rows: Self.rows)
      ),
      (
        "https://data.taipei/dataset/detail?id=cfa4778c-62c1-497b-b704-756231de348b", Self.taipei()
      ),
    ]
    for (address, portal) in portals {
      let dataset = try PortalDataset(#require(URL(string: address)))
      let description = try await dataset.describe(over: portal)
      let rows = Catalog<AnyTree>(
        "rows", sources: [description.rows(transport: portal)], storage: .inMemory)
      #expect(try await rows.refresh().added == 30, "\(address)")
      let cells = try await rows.view()["t7"]?.cells
      #expect(cells?["height"] == "7" && cells?["treeid"] == "t7", "\(address)")
    }
  }

  /// A record that asks which columns there are.
  private struct AnyTree: CatalogRecord {
    let id: String
    var cells: [String: String] = [:]

    private struct Column: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Column.self)
      id = try container.decode(String.self, forKey: Column(stringValue: "treeid"))
      for column in container.allKeys {
        cells[column.stringValue] = try? container.decode(String.self, forKey: column)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Column.self)
      for (name, text) in cells { try container.encode(text, forKey: Column(stringValue: name)) }
    }
  }

  @Test(
    "A CKAN portal that doesn't know the action for columns is described by a search",
    arguments: [
      #""Bad request - Action name not known: datastore_info""#,
      "Bad request - Action name not known: datastore_info",
    ])
  func unknownAction(_ body: String) async throws {
    let portal = ChangedPortal(
      portal: FakePortal(.ckan, columns: Self.columns, rows: Self.rows), path: "/datastore_info",
      status: 400, change: { _ in body })
    let dataset = try PortalDataset(URL(literal: "https://portal.example/dataset/rows"))
    let description = try await dataset.describe(over: portal)
    #expect(description.rowCount == 30)
    #expect(description.columns.map(\.name) == ["treeid", "height", "spot"])
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

  @Test("A CKAN resource whose format is written as the ending of a file is read as one")
  func formatAsEnding() async throws {
    let fake = FakePortal(.ckan, columns: Self.columns, rows: Self.rows)
    fake.options.hasDatastore = false
    let portal = ChangedPortal(
      portal: fake, path: "/package_show",
      change: { $0.replacing(#""format":"CSV""#, with: #""format":".CSV""#) })
    let dataset = try PortalDataset(URL(literal: "https://portal.example/dataset/rows"))
    #expect(try await dataset.describe(over: portal).isFile)
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
