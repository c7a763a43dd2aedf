@testable import FieldCore
import FieldFakes
import FieldPortals
import Foundation
import Testing

/// A portal, a target that is synced with it, and what a scenario asks of them.
struct ScenarioBench {
  let portal: ScenarioPortal
  let target: any SyncTarget<ScenarioStone>
  let clock: ImmediateClock
  /// Keeps the target's files as long as the bench.
  private let holder: ScenarioTarget.Made

  init(
    _ family: ScenarioFamily, _ kind: ScenarioTarget, stones count: Int = 0, pageCap: Int = 1_000
  ) throws {
    portal = ScenarioPortal(family, family.stones(0..<count), pageCap: pageCap)
    holder = try kind.make()
    target = holder.target
    clock = ImmediateClock(now: Date(timeIntervalSince1970: 1_767_225_600))
  }

  var family: ScenarioFamily { portal.family }

  /// Allows any number of removals and of failures.
  static let anyRemoval = SnapshotGuard(
    maximumRemovedFraction: 1, maximumFailedFraction: 1, pageSize: nil)

  /// Returns a table that is synced with the portal.
  func table(
    size: Int = 10, host: String = "portal.example", deletion: DeletionPolicy? = nil,
    guardedBy snapshotGuard: SnapshotGuard = anyRemoval, overlap: Duration = .zero,
    pageLimit: Int = 1_000, token: PortalToken? = nil, clock: (any FieldClock)? = nil,
    over transport: (any Transport)? = nil, into target: (any SyncTarget<ScenarioStone>)? = nil
  ) throws -> SyncedTable<ScenarioStone> {
    let clock = clock ?? self.clock
    let source = try portal.source(
      of: ScenarioStone.self, at: host, size: size, overlap: overlap, pageLimit: pageLimit,
      token: token, clock: clock, over: transport)
    let target = target ?? self.target
    if let deletion, let pages = source.pages {
      return SyncedTable(
        "stones", source: pages, target: target, clock: clock, deletion: deletion,
        snapshotGuard: snapshotGuard)
    }
    return SyncedTable(
      "stones", sources: [source], target: target, clock: clock, snapshotGuard: snapshotGuard)
  }

  /// Refreshes once, as a program does that runs once.
  @discardableResult
  func refresh(
    size: Int = 10, deletion: DeletionPolicy? = nil, overlap: Duration = .zero
  ) async throws -> RefreshReport {
    try await table(size: size, deletion: deletion, overlap: overlap).refresh(.now)
  }

  /// Refreshes so that the source can confirm what is stored: Socrata confirms that there are no changes, and doesn't confirm its IDs.
  @discardableResult
  func confirm() async throws -> RefreshReport {
    try await refresh(deletion: family == .socrata ? .never : nil)
  }

  /// Returns what a refresh throws.
  func failure(
    of table: SyncedTable<ScenarioStone>? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> FieldError? {
    let table = try table ?? self.table()
    do {
      _ = try await table.refresh(.now)
      return nil
    } catch let error as FieldError {
      return error
    }
  }

  func stored() async throws -> Set<ScenarioStone> { Set(try await target.records()) }

  /// Checks that the target has what the portal has.
  func expectSame(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let stored = try await target.records()
    #expect(Set(stored) == portal.stones, comment, sourceLocation: sourceLocation)
    #expect(stored.count == portal.stones.count, comment, sourceLocation: sourceLocation)
  }
}
