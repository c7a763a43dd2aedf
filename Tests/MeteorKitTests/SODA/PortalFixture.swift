import FieldCore
import FieldFakes
import Foundation
import MeteorKit
import Testing

/// A portal with meteorites, a catalog that is synced with it, and the store between them.
struct PortalFixture {
  static let columns: [FakeSODAServer.Column] = [
    "name", "id", "nametype", "recclass", .init("mass", .number), "fall",
    .init("year", .floatingTimestamp), "reclat", "reclong", .init("geolocation", .point),
  ]

  let server: FakeSODAServer
  let portalClock: ManualClock
  let clock: ImmediateClock
  let store: InMemoryStore<Meteorite>

  init(
    stones: Int = 0, options: FakeSODAServer.Options = FakeSODAServer.Options(),
    store: InMemoryStore<Meteorite> = InMemoryStore()
  ) {
    portalClock = ManualClock()
    clock = ImmediateClock()
    self.store = store
    server = FakeSODAServer(
      dataset: "gh4g-9sfh", columns: Self.columns, key: "id",
      rows: stones > 0 ? (1...stones).map { Self.stone($0) } : [], clock: portalClock,
      options: options)
  }

  static func stone(_ number: Int, mass: Double = 10) -> FakeSODAServer.Row {
    [
      "id": .text("\(number)"), "name": .text("Stone \(number)"), "nametype": "Valid",
      "recclass": "L6", "mass": .number("\(mass)"), "fall": "Found",
      "year": "1990-01-01T00:00:00.000", "reclat": .text("\(number % 80).5"),
      "reclong": .text("\(number % 170).25"),
    ]
  }

  func dataset(_ version: SODAVersion = .v2_1) throws -> SODADataset {
    try SODADataset("gh4g-9sfh", at: "soda.example", version: version)
  }

  func source(
    deletion: DeletionPolicy = .never, pageSize: Int = 1_000, overlap: Duration = .zero,
    pageLimit: Int = 1_000, version: SODAVersion = .v2_1, token: SODAToken? = nil,
    condition: SoQL? = nil, patience: SODAPatience = SODAPatience(),
    transport: (any Transport)? = nil
  ) throws -> SODAMeteorites {
    SODAMeteorites(
      SODAClient(
        try dataset(version), transport: transport ?? server, token: token, clock: clock,
        patience: patience),
      where: condition, deletion: deletion,
      options: SyncOptions(
        pageSize: pageSize, smallestPage: 10, overlap: overlap, pageLimit: pageLimit))
  }

  func catalog(
    _ source: SODAMeteorites, guardedBy snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) -> MeteoriteCatalog {
    MeteoriteCatalog(
      source: source, repository: store, clock: clock,
      snapshotGuard: snapshotGuard)
  }

  @discardableResult
  func refresh(
    deletion: DeletionPolicy = .never, pageSize: Int = 1_000, overlap: Duration = .zero
  ) async throws -> RefreshReport {
    try await catalog(
      source(deletion: deletion, pageSize: pageSize, overlap: overlap),
      guardedBy: SnapshotGuard(maximumRemovedFraction: 0.5)
    ).refresh(.now)
  }

  /// What a refresh throws.
  func failure(of source: SODAMeteorites) async -> FieldError? {
    do {
      try await catalog(source).refresh(.now)
      return nil
    } catch let error as FieldError {
      return error
    } catch {
      Issue.record("an error of another kind: \(error)")
      return nil
    }
  }

  /// The masses of the stored meteorites by id.
  func masses() async throws -> [String: Double] {
    Dictionary(
      uniqueKeysWithValues: try await store.snapshot().map {
        ($0.id.rawValue, $0.massInGrams ?? -1)
      })
  }

  /// The masses of the portal's rows by id.
  var portalMasses: [String: Double] {
    var masses: [String: Double] = [:]
    for row in server.rows {
      masses[Self.text(row["id"]) ?? ""] = Self.text(row["mass"]).flatMap(Double.init) ?? -1
    }
    return masses
  }

  static func text(_ cell: FakeSODAServer.Cell?) -> String? {
    switch cell {
    case .text(let text)?, .number(let text)?: text
    default: nil
    }
  }

  /// Lets time pass at the portal.
  func pass(_ seconds: Int) { portalClock.advance(by: .seconds(seconds)) }
}

/// A repository with something before and after each commit: after it, the commit has been done.
struct HookedRepository: RecordStore {
  let base: any MeteoriteRepository
  let before: @Sendable () throws -> Void
  var after: @Sendable () throws -> Void = {}

  func open() async throws -> OpeningReport { try await base.open() }
  func snapshot() async throws -> Snapshot<Meteorite> { try await base.snapshot() }
  func updates() -> SnapshotUpdates<Meteorite> { base.updates() }
  func close() async throws { try await base.close() }

  func commit(
    _ changes: Changes<Meteorite>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision {
    try before()
    let revision = try await base.commit(changes, checkpoint: checkpoint, expecting: expecting)
    try after()
    return revision
  }
}
