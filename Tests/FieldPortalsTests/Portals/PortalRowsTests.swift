import FieldCore
import FieldFakes
import FieldPortals
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("The rows of ArcGIS, CKAN, and OpenDataSoft portals")
struct PortalRowsTests {
  struct Tree: CatalogRecord, Hashable {
    let id: String
    var species: String?
    var height: Double?
    var planted: Date?
    var coordinate: Coordinate?

    enum CodingKeys: String, CodingKey {
      case id = "treeid", species, height, planted, coordinate = "spot"
    }
  }

  /// A portal, with the behavior of one version of its software.
  enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case arcGIS, oldArcGIS, ckan, newCKAN, openDataSoft, numberedOpenDataSoft

    /// Those that are read page by page.
    static let paged = allCases.filter { $0 != .openDataSoft }

    var testDescription: String { rawValue }

    func portal(_ count: Int) -> FakePortal {
      var options = FakePortal.Options()
      options.pageCap = 50
      options.isOrdered = self != .oldArcGIS
      options.recordsEdits = self != .oldArcGIS
      options.hasRanges = self == .newCKAN
      let dialect: FakePortal.Dialect =
        switch self {
        case .arcGIS, .oldArcGIS: .arcGIS
        case .ckan, .newCKAN: .ckan
        case .openDataSoft, .numberedOpenDataSoft: .openDataSoft
        }
      return FakePortal(
        dialect,
        columns: [
          self == .numberedOpenDataSoft ? .init("treeid", .number) : "treeid", "species",
          .init("height", .number), .init("planted", .fixedTimestamp),
          .init("spot", .point),
        ], rows: (0..<count).map(row), options: options)
    }

    /// The ID of a row.
    func id(_ number: Int) -> String { self == .numberedOpenDataSoft ? "\(number)" : "t\(number)" }

    func row(_ number: Int) -> FakeSODAServer.Row { PortalRowsTests.row(number, self) }
  }

  static func row(_ number: Int, _ kind: Kind) -> FakeSODAServer.Row {
    [
      "treeid": kind == .numberedOpenDataSoft ? .number(number) : .text(kind.id(number)),
      "species": "Quercus", "height": .number(number),
      "planted": .timestamp("2020-01-02T03:04:05.678Z"),
      "spot": .point(longitude: 14.25, latitude: 50.5),
    ]
  }

  private func catalog(
    _ portal: FakePortal, _ storage: Storage = .inMemory, token: String? = nil, size: Int = 20
  ) -> Catalog<Tree> {
    let options = SyncOptions(pageSize: size, smallestPage: 1)
    let token = token.map { PortalToken($0) }
    let rows =
      switch portal.dialect {
      case .arcGIS:
        PortalRows<Tree>(
          arcGIS: portal.url, transport: portal, token: token, clock: ImmediateClock(),
          options: options)
      case .ckan:
        PortalRows<Tree>(
          ckan: "trees", at: portal.url, transport: portal, token: token, clock: ImmediateClock(),
          options: options)
      case .openDataSoft:
        PortalRows<Tree>(
          openDataSoft: "rows", at: portal.url, transport: portal, token: token,
          clock: ImmediateClock(), options: options)
      }
    return Catalog("trees", sources: [rows], storage: storage)
  }

  private func ids(_ catalog: Catalog<Tree>) async throws -> Set<String> {
    Set(try await catalog.view().all.map(\.id))
  }

  @Test("Every portal's rows are read into a plain record", arguments: Kind.allCases)
  func plain(_ kind: Kind) async throws {
    let portal = kind.portal(105)
    let trees = catalog(portal)
    let report = try await trees.refresh()
    #expect((report.added, report.failureCount) == (105, 0))
    let tree = try #require(try await trees.view()[kind.id(7)])
    #expect(tree.height == 7 && tree.species == "Quercus")
    #expect(tree.planted == Date(timeIntervalSince1970: 1_577_934_245.678))
    #expect(tree.coordinate == (try Coordinate(latitude: 50.5, longitude: 14.25)))
  }

  @Test(
    "No row is lost or doubled when others are inserted and removed between pages",
    arguments: Kind.allCases)
  func moving(_ kind: Kind) async throws {
    let portal = kind.portal(300)
    portal.onRequest = { number, _ in
      guard number > 2, number < 16 else { return }
      let numbers = portal.numbers
      portal.delete(numbers.prefix(1))
      portal.insert([kind.row(1_000 + number)])
    }
    let trees = catalog(portal)
    let report = try await trees.refresh()
    portal.onRequest = nil
    #expect(report.added == (try await trees.view().count))
    #expect(!report.notices.contains { $0.code == .repeatedIDs })
    let stored = try await ids(trees)
    for number in 200..<300 { #expect(stored.contains(kind.id(number))) }
    let second = try await trees.refresh(.now)
    #expect(second.updated == 0)
    let whole = try await ids(trees)
    #expect(whole.count == portal.numbers.count)
  }

  @Test("Rows are removed when the portal no longer has them", arguments: Kind.allCases)
  func removal(_ kind: Kind) async throws {
    let portal = kind.portal(120)
    let trees = catalog(portal)
    _ = try await trees.refresh()
    portal.delete([1, 60, 120])
    portal.update(2, ["species": "Tilia"])
    let report = try await trees.refresh(.now)
    #expect((report.removed, report.updated, report.added) == (3, 1, 0))
  }

  @Test("Rows are read from where a failed refresh stopped", arguments: Kind.paged)
  func resuming(_ kind: Kind) async throws {
    let portal = kind.portal(300)
    let storage = Storage.inMemory
    portal.faults.append(.status(500), onRequests: 6...)
    await #expect(throws: FieldError.self) { try await catalog(portal, storage).refresh() }
    portal.faults.removeAll()
    portal.delete([3, 290])
    let trees = catalog(portal, storage)
    let report = try await trees.refresh(.now)
    #expect(report.notices.contains { $0.code == .resumed })
    _ = try await trees.refresh(.now)
    #expect(
      try await ids(trees) == Set((0..<300).map(kind.id)).subtracting([kind.id(2), kind.id(289)]))
  }

  @Test(
    "A refresh costs one small request if the portal states that nothing was edited",
    arguments: [Kind.arcGIS, .openDataSoft, .numberedOpenDataSoft])
  func unchanged(_ kind: Kind) async throws {
    let portal = kind.portal(120)
    let trees = catalog(portal)
    _ = try await trees.refresh()
    let count = portal.requests.count
    #expect(try await trees.refresh(.now).outcome == .notModified)
    #expect(portal.requests.count == count + 1)
    portal.update(5, ["species": "Tilia"])
    #expect(try await trees.refresh(.now).updated == 1)
  }

  @Test("A row's location is on WGS84 within a millimeter if the service sends Web Mercator")
  func projected() async throws {
    let portal = Kind.arcGIS.portal(1)
    portal.options.isProjected = true
    let trees = catalog(portal)
    _ = try await trees.refresh()
    let place = try #require(try await trees.view()["t0"]?.coordinate)
    #expect(abs(place.latitude - 50.5) < 1e-9 && abs(place.longitude - 14.25) < 1e-9)
  }

  @Test(
    "Rows need the right token, which is sent in a field only",
    arguments: [Kind.arcGIS, .ckan, .openDataSoft])
  func token(_ kind: Kind) async throws {
    let portal = kind.portal(5)
    portal.options.token = "s3cret"
    let error = await #expect(throws: FieldError.self) { try await catalog(portal).refresh() }
    #expect(error?.code == .portalDenied)
    #expect(try await catalog(portal, token: "s3cret").refresh().added == 5)
    #expect(!portal.requests.contains { $0.url.absoluteString.contains("s3cret") })
  }

  @Test(
    "Rows are refused if the portal ignores conditions, and the store stays as it was",
    arguments: [Kind.arcGIS, .newCKAN, .numberedOpenDataSoft])
  func ignoring(_ kind: Kind) async throws {
    let portal = kind.portal(120)
    let trees = catalog(portal)
    _ = try await trees.refresh()
    portal.options.ignoresConditions = true
    portal.update(1, ["species": "Tilia"])
    if kind != .newCKAN {
      let error = await #expect(throws: FieldError.self) { try await trees.refresh(.now) }
      #expect(error?.code == .disordered)
    } else {
      // Offsets still work, and are proved by the pages.
      #expect(try await trees.refresh(.now).updated == 1)
    }
    #expect(try await ids(trees).count == 120)
  }

  @Test("All rows are read if a CKAN portal states an estimate of their number that is too small")
  func estimatedTotal() async throws {
    let portal = ChangedPortal(
      portal: Kind.ckan.portal(105), path: "/action/datastore_search",
      change: {
        $0.replacing(#""total":"#, with: #""total_was_estimated":true,"total":7,"counted":"#)
      })
    let rows = PortalRows<Tree>(
      ckan: "trees", at: portal.portal.url, transport: portal, clock: ImmediateClock(),
      options: SyncOptions(pageSize: 20, smallestPage: 1))
    let trees = Catalog<Tree>("trees", sources: [rows], storage: .inMemory)
    #expect(try await trees.refresh().added == 105)
    #expect(try await rows.pages?.count() == nil)
  }

  @Test("A page without rows is an error if the ArcGIS service states that there are more")
  func unsentRows() async throws {
    let layer = ServedLayer(
      layer: Array(
        #"{"name":"Trees","maxRecordCount":1000,"supportsAdvancedQueries":true,"fields":[{"name":"OBJECTID","type":"esriFieldTypeOID"}]}"#
          .utf8), page: Array(#"{"features":[],"exceededTransferLimit":true}"#.utf8))
    let error = await #expect(throws: FieldError.self) { try await layer.rows() }
    #expect(error?.code == .datasetIncomplete)
  }

  @Test("No row is lost if an ArcGIS service silently cuts responses whose rows have no object IDs")
  func silentlyCutWithoutIDs() async throws {
    let portal = Kind.arcGIS.portal(230)
    portal.options.statesLimit = false
    let changed = ChangedPortal(portal: portal, path: "query") {
      $0.replacing("\"OBJECTID\":", with: "\"number\":")
    }
    let rows = PortalRows<Tree>(
      arcGIS: portal.url, transport: changed, clock: ImmediateClock(),
      options: SyncOptions(pageSize: 200, smallestPage: 1))
    let trees = Catalog("trees", sources: [rows], storage: .inMemory)
    #expect(try await trees.refresh().added == 230)
  }

  @Test("No row is lost if an old ArcGIS server cuts its responses without saying so")
  func silentlyCut() async throws {
    let portal = Kind.oldArcGIS.portal(230)
    portal.options.statesLimit = false
    let trees = catalog(portal, size: 200)
    #expect(try await trees.refresh().added == 230)
    // Rows that were removed since their numbers were read aren't taken for a cut.
    portal.onRequest = { _, request in
      if request[parameter: "outFields"] == "*" { portal.delete(portal.numbers.suffix(1)) }
    }
    _ = try await trees.refresh(.now)
    portal.onRequest = nil
    _ = try await trees.refresh(.now)
    #expect(try await ids(trees).count == portal.numbers.count)
    #expect(portal.numbers.count < 230)
  }

  @Test(
    "Rows are read by windows of numbers if a service can't order them, or returns no numbers",
    arguments: [true, false])
  func windows(_ refusesOrder: Bool) async throws {
    let portal = Kind.arcGIS.portal(230)
    portal.options.refusesOrder = refusesOrder
    portal.options.hidesNumbers = !refusesOrder
    let trees = catalog(portal)
    #expect(try await trees.refresh().added == 230)
    portal.delete([7])
    #expect(try await trees.refresh(.now).removed == 1)
    #expect(try await trees.view()["t229"]?.height == 229)
  }

  @Test(
    "Rows of OpenDataSoft are read as records if the portal denies exports",
    arguments: [Kind.openDataSoft, .numberedOpenDataSoft])
  func deniedExports(_ kind: Kind) async throws {
    let portal = kind.portal(230)
    portal.options.deniesExports = true
    #expect(try await catalog(portal, size: 200).refresh().added == 230)
    let limits = portal.requests.compactMap { $0[parameter: "limit"].flatMap { Int($0) } }
    #expect(limits.contains(100))
    // Offsets move with the rows, so a dataset that changes between them is refused.
    portal.onRequest = { number, request in
      if request[parameter: "offset"] == "100" { portal.delete(portal.numbers.prefix(1)) }
    }
    guard kind == .openDataSoft else { return }
    portal.update(5, ["species": "Tilia"])
    let error = await #expect(throws: FieldError.self) { try await catalog(portal).refresh() }
    #expect(error?.code == .datasetIncomplete)
  }

  @Test("Rows beyond 10,000 that can only be reached by offsets are an error, and none are stored")
  func beyondOffsets() async throws {
    let portal = Kind.openDataSoft.portal(10_001)
    portal.options.deniesExports = true
    let trees = catalog(portal)
    let error = await #expect(throws: FieldError.self) { try await trees.refresh() }
    #expect(error?.code == .portalUnsupported)
    #expect(try await trees.view().count == 0)
  }

  @Test(
    "An export that is cut in the middle is requested again",
    arguments: [Kind.openDataSoft, .numberedOpenDataSoft])
  func cutExport(_ kind: Kind) async throws {
    let portal = kind.portal(30)
    let cuts = Lock(0)
    portal.faults.append(.truncatedBody(after: 500)) { request in
      guard request.url.path.hasSuffix("/exports/json") else { return false }
      return cuts.withLock { cuts in
        cuts += 1
        return cuts == 1
      }
    }
    let report = try await catalog(portal, size: 100).refresh()
    #expect((report.added, report.failureCount) == (30, 0))
    #expect(cuts.withLock { $0 } > 1)
  }

  @Test(
    "An export that the portal interrupts with a message changes nothing",
    arguments: [Kind.openDataSoft, .numberedOpenDataSoft])
  func interruptedExport(_ kind: Kind) async throws {
    let portal = kind.portal(30)
    let trees = catalog(portal, size: 100)
    _ = try await trees.refresh()
    portal.update(1, ["species": "Tilia"])
    portal.options.interruptsExportsAfter = 10
    let error = await #expect(throws: FieldError.self) { try await trees.refresh(.now) }
    #expect(error?.code == .malformed || error?.code == .cut)
    #expect(try await trees.view().count == 30)
    #expect(try await trees.view()[kind.id(0)]?.species == "Quercus")
  }
}
