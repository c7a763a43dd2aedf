import FieldCore
import FieldFakes
import FieldPortals
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("Other clients of portals, esridump and ckanapi, beside ours", .needsProcesses)
struct PortalPeersTests {
  private struct Tree: CatalogRecord, Hashable {
    let id: String
    var height: Double?
    var coordinate: Coordinate?

    enum CodingKeys: String, CodingKey { case id = "treeid", height, coordinate = "spot" }
  }

  /// No coordinate is 0, for which esridump has no geometry.
  private static func row(_ number: Int) -> FakeSODAServer.Row {
    [
      "treeid": .text("t\(number)"), "height": .number(number),
      "spot": .point(longitude: Double(number + 1) / 100, latitude: 50.5),
    ]
  }

  private static func portal(_ dialect: FakePortal.Dialect, isOrdered: Bool = true) -> FakePortal {
    var options = FakePortal.Options()
    (options.pageCap, options.isOrdered) = (50, isOrdered)
    return FakePortal(
      dialect, columns: ["treeid", .init("height", .number), .init("spot", .point)],
      rows: (0..<230).map(row), options: options)
  }

  static let isEsridumpThere =
    Tool.canRun && (try? Tool.run("python3", "-c", "import esridump")) != nil
  static let isCKANAPIThere =
    Tool.canRun && (try? Tool.run("python3", "-c", "import ckanapi")) != nil

  private static let esridump = """
    import json, sys
    from esridump.dumper import EsriDumper
    url = sys.argv[1] + '/rest/services/Trees/FeatureServer/0'
    for feature in EsriDumper(url, max_page_size=50):
        row = feature['properties']
        print(json.dumps([row['treeid'], row['height'], feature['geometry']['coordinates'][0]]))
    """

  /// As CKAN's own dump did: page after page by offset, until one is empty.
  private static let ckanapi = """
    import json, sys
    from ckanapi import RemoteCKAN
    portal = RemoteCKAN(sys.argv[1])
    offset = 0
    while True:
        page = portal.action.datastore_search(
            resource_id='rows-1', limit=50, offset=offset, sort='_id')
        if not page['records']: break
        for row in page['records']:
            print(json.dumps([row['treeid'], row['height'], row['spot']['coordinates'][0]]))
        offset += 50
    """

  /// Returns the rows that a script prints.
  private func read(_ script: String, _ server: LoopbackServer) throws -> [JSONValue] {
    try Tool.run("python3", "-c", script, server.url.absoluteString)
      .split(separator: UInt8(ascii: "\n")).map { try JSONDocument.value(Array($0)) }
  }

  private func catalog(_ portal: FakePortal) -> Catalog<Tree> {
    let options = SyncOptions(pageSize: 50, smallestPage: 1)
    let rows =
      portal.dialect == .arcGIS
      ? PortalRows<Tree>(
        arcGIS: portal.url, transport: portal, clock: ImmediateClock(), options: options)
      : PortalRows<Tree>(
        ckan: "rows-1", at: portal.url, transport: portal, clock: ImmediateClock(),
        options: options)
    return Catalog("trees", sources: [rows], storage: .inMemory)
  }

  private func expectSameRows(_ portal: FakePortal, _ script: String) async throws {
    let server = try LoopbackServer(serving: portal)
    let theirs = try read(script, server).map { row in
      [row.elements?[0].string] + (row.elements?.dropFirst().map { $0.double?.description } ?? [])
    }
    let trees = catalog(portal)
    _ = try await trees.refresh()
    let ours = try await trees.view().all.map { tree in
      [tree.id, tree.height?.description, tree.coordinate?.longitude.description]
    }
    #expect(ours == theirs)
    #expect(ours.count == 230)
  }

  @Test(
    "The rows that esridump reads, by offset and by numbers, are those that we read",
    .enabled(if: isEsridumpThere, "Python's esridump isn't installed: Scripts/install-tools.sh"),
    arguments: [true, false])
  func sameAsEsridump(_ isOrdered: Bool) async throws {
    try await expectSameRows(Self.portal(.arcGIS, isOrdered: isOrdered), Self.esridump)
  }

  @Test(
    "The rows that ckanapi reads are those that we read",
    .enabled(if: isCKANAPIThere, "Python's ckanapi isn't installed: Scripts/install-tools.sh"))
  func sameAsCKANAPI() async throws {
    try await expectSameRows(Self.portal(.ckan), Self.ckanapi)
  }

  /// Removes the first row and adds one before each page but the first.
  private func movingRows(of portal: FakePortal) {
    let pages = Lock(0)
    portal.onRequest = { _, request in
      let isPage =
        request.url.path.hasSuffix("/datastore_search") || request.url.path.hasSuffix("/query")
      let isCount = request.url.absoluteString.contains("Only") || request.bodyText.contains("Only")
      guard isPage, !isCount else { return }
      let page = pages.withLock {
        $0 += 1
        return $0
      }
      guard (2...5).contains(page) else { return }
      portal.delete(portal.numbers.prefix(1))
      portal.insert([Self.row(1_000 + page)])
    }
  }

  /// The rows that are neither inserted nor removed while pages are read.
  private static let settled = Set((10..<230).map { "t\($0)" })

  @Test(
    "Rows that are inserted and removed between pages make others lose some, and us none",
    .enabled(
      if: isCKANAPIThere && isEsridumpThere,
      "Python's ckanapi and esridump aren't installed: Scripts/install-tools.sh"),
    arguments: [FakePortal.Dialect.ckan, .arcGIS])
  func moving(_ dialect: FakePortal.Dialect) async throws {
    let portal = Self.portal(dialect)
    movingRows(of: portal)
    let theirs = try read(
      dialect == .ckan ? Self.ckanapi : Self.esridump, try LoopbackServer(serving: portal)
    ).compactMap { $0.elements?[0].string }
    let lost = Self.settled.subtracting(theirs)
    #expect(lost.count >= 4)

    let same = Self.portal(dialect)
    movingRows(of: same)
    let trees = catalog(same)
    let report = try await trees.refresh()
    #expect(same.requests.count > 5)
    let ours = try await trees.view().all.map(\.id)
    #expect(Self.settled.subtracting(ours).isEmpty)
    #expect(Set(ours).count == ours.count)
    #expect(!report.notices.contains { $0.code == .repeatedIDs })
  }
}
