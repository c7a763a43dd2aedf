import FieldCore
import FieldFakes
import FieldPortals
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("The rows of ArcGIS and CKAN portals")
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
    case arcGIS, oldArcGIS, ckan, newCKAN

    var testDescription: String { rawValue }

    func portal(_ count: Int) -> FakePortal {
      var options = FakePortal.Options()
      options.pageCap = 50
      options.isOrdered = self != .oldArcGIS
      options.recordsEdits = self != .oldArcGIS
      options.hasRanges = self == .newCKAN
      return FakePortal(
        self == .arcGIS || self == .oldArcGIS ? .arcGIS : .ckan,
        columns: [
          "treeid", "species", .init("height", .number), .init("planted", .fixedTimestamp),
          .init("spot", .point),
        ], rows: (0..<count).map(PortalRowsTests.row), options: options)
    }
  }

  static func row(_ number: Int) -> FakeSODAServer.Row {
    [
      "treeid": .text("t\(number)"), "species": "Quercus", "height": .number(number),
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
      portal.dialect == .arcGIS
      ? PortalRows<Tree>(
        arcGIS: portal.url, transport: portal, token: token, clock: ImmediateClock(),
        options: options)
      : PortalRows<Tree>(
        ckan: "trees", at: portal.url, transport: portal, token: token, clock: ImmediateClock(),
        options: options)
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
    let tree = try #require(try await trees.view()["t7"])
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
      portal.insert([Self.row(1_000 + number)])
    }
    let trees = catalog(portal)
    let report = try await trees.refresh()
    portal.onRequest = nil
    #expect(report.added == (try await trees.view().count))
    #expect(!report.notices.contains { $0.code == .repeatedIDs })
    let stored = try await ids(trees)
    for number in 200..<300 { #expect(stored.contains("t\(number)")) }
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

  @Test("Rows are read from where a failed refresh stopped", arguments: Kind.allCases)
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
    #expect(try await ids(trees) == Set((0..<300).map { "t\($0)" }).subtracting(["t2", "t289"]))
  }

  @Test("cost one small request if an ArcGIS service states that nothing was edited")
  func unchanged() async throws {
    let portal = Kind.arcGIS.portal(120)
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

  @Test("need the right token, which is sent in a field only", arguments: [Kind.arcGIS, .ckan])
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
    arguments: [Kind.arcGIS, .newCKAN])
  func ignoring(_ kind: Kind) async throws {
    let portal = kind.portal(120)
    let trees = catalog(portal)
    _ = try await trees.refresh()
    portal.options.ignoresConditions = true
    portal.update(1, ["species": "Tilia"])
    if kind == .arcGIS {
      let error = await #expect(throws: FieldError.self) { try await trees.refresh(.now) }
      #expect(error?.code == .disordered)
    } else {
      // Offsets still work, and are proved by the pages.
      #expect(try await trees.refresh(.now).updated == 1)
    }
    #expect(try await ids(trees).count == 120)
  }
}
