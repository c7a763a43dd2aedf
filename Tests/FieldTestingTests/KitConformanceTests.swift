import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("The conformance suite of kits", .timeLimit(.minutes(10)))
struct KitConformanceTests {
  /// A row of a source with two columns.
  struct Stone: CatalogRecord, RowReadable {
    static let columns = [RowColumn("id"), RowColumn("name")]
    let id: String
    let name: String

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("The row has no ID.") }
      self.id = id
      name = row.text(1) ?? ""
    }
  }

  /// A later version of the record, which reads one column more.
  struct ColoredStone: CatalogRecord, RowReadable {
    static let storedName = "Stone"
    static let columns = Stone.columns + [RowColumn("color")]
    let id: String
    let name: String
    let color: String?

    init(row: borrowing SourceRow) throws(RowProblem) {
      guard let id = row.id(0) else { throw RowProblem("The row has no ID.") }
      self.id = id
      name = row.text(1) ?? ""
      color = row.text(2)
    }
  }

  enum Defect: String, CaseIterable, Sendable {
    case forgetsItsAge, erasesNothing, treatsNowAsIfDue, hidesDamage, throwsForeignErrors
    case staysOpen, erasesOnFailure, sharesNothing, sharesMost, joinsWeaker, cancelsAll
    case claimsToBeDue, hidesSkippedRemovals, hidesRepeatedIDs, ignoresNewColumns

    /// Those that show only if calls meet.
    static let races: [Self] = [.sharesNothing, .sharesMost, .joinsWeaker, .cancelsAll]

    /// A case that finds the defect.
    var testCase: KitConformance.Case {
      switch self {
      case .forgetsItsAge: .refresh
      case .erasesNothing: .erasing
      case .treatsNowAsIfDue, .joinsWeaker, .claimsToBeDue: .nowNeverJoinsWeaker
      case .sharesNothing, .sharesMost: .sharedRun
      case .cancelsAll: .cancellationOfOne
      case .hidesDamage: .damageIsReportedOnce
      case .throwsForeignErrors: .failureKeepsData
      case .staysOpen: .useAfterClose
      case .erasesOnFailure: .failureKeepsData
      case .hidesSkippedRemovals: .removals
      case .hidesRepeatedIDs: .repeatedIDs
      case .ignoresNewColumns: .newColumns
      }
    }
  }

  /// A catalog with a defect.
  struct DefectiveKit: Kit {
    struct Foreign: Error {}

    let base: Catalog<Stone>
    var defect: Defect?
    /// Another catalog of the same storage, which shares nothing with the first.
    let other: @Sendable () -> Catalog<Stone>
    let flight = SingleFlight<RefreshReport>()
    let calls = Lock(0)

    var name: String { base.name }
    var dataSources: [DataSource] { base.dataSources }
    var nextRefreshDate: Date? {
      get async throws {
        let date = try await base.nextRefreshDate
        return defect == .claimsToBeDue ? .distantPast : date
      }
    }
    var lastRefresh: Date? {
      get async throws { defect == .forgetsItsAge ? nil : try await base.lastRefresh }
    }
    func open() async throws -> OpeningReport { try await base.open() }
    func refreshProgress() -> RefreshProgressUpdates { base.refreshProgress() }

    func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
      do {
        var report = try await refreshed(when)
        if defect == .hidesDamage { report.notices = [] }
        if defect == .hidesSkippedRemovals {
          report.notices.removeAll { $0.code == .removalSkipped }
        }
        if defect == .hidesRepeatedIDs { report.notices.removeAll { $0.code == .repeatedIDs } }
        return report
      } catch let error as FieldError {
        if defect == .throwsForeignErrors { throw Foreign() }
        if defect == .erasesOnFailure { try await base.eraseAll() }
        throw error
      }
    }

    private func refreshed(_ when: RefreshTrigger) async throws -> RefreshReport {
      switch defect {
      case .treatsNowAsIfDue: try await base.refresh(.ifDue)
      case .sharesNothing: try await other().refresh(when)
      case .sharesMost:
        try await (isFourthCall() ? other() : base).refresh(when)
      case .joinsWeaker: try await flight.run { try await base.refresh(when) }
      case .cancelsAll:
        try await withTaskCancellationHandler {
          try await flight.run(level: when == .now ? 1 : 0) { try await base.refresh(when) }
        } onCancel: {
          flight.cancel(throwing: CancellationError())
        }
      default: try await base.refresh(when)
      }
    }

    /// Returns whether this is the fourth call, which is one of those that meet.
    private func isFourthCall() -> Bool {
      calls.withLock { count in
        count += 1
        return count == 4
      }
    }

    func eraseAll() async throws {
      if defect != .erasesNothing { try await base.eraseAll() }
    }

    func close() async throws {
      if defect != .staysOpen { try await base.close() }
    }
  }

  private static let cases: Set<KitConformance.Case> = [
    .offlineStart, .refresh, .failureKeepsData, .retriesOnce, .progress, .reopening, .twoKits,
    .erasing, .erasingDuringRefresh, .useAfterClose, .damageIsReportedOnce, .damagedHeader,
    .sharedRun, .nowNeverJoinsWeaker, .cancellationOfOne, .removals, .repeatedIDs, .newColumns,
  ]

  private static func failures(
    _ defect: Defect?, excluding: Set<KitConformance.Case> = [],
    patience: Duration = .seconds(120)
  ) async throws -> [ConformanceFailure<KitConformance.Case>] {
    let url = try #require(URL(string: "https://example.org/stones"))
    return try await KitConformance.failures(excluding: excluding, patience: patience) { bench in
      let make: @Sendable () -> Catalog<Stone> = {
        Catalog<Stone>(
          "stones", at: url, storage: bench.storage,
          transport: bench.transport, clock: bench.clock)
      }
      return DefectiveKit(base: make(), defect: defect, other: make)
    } responding: { _ in
      TransportResponse(
        status: 200, body: .text(#"[{"id":"1","name":"a"},{"id":"2","name":"b"}]"#))
    } later: { _ in
      // The row without an ID may be that of the record that is missing.
      TransportResponse(
        status: 200, body: .text(#"[{"id":"1","name":"b"},{"id":"1","name":"c"},{"name":"d"}]"#))
    } upgrading: { bench in
      if defect == .ignoresNewColumns {
        return Catalog<Stone>(
          "stones", at: url, storage: bench.storage, transport: bench.transport, clock: bench.clock)
      }
      return Catalog<ColoredStone>(
        "stones", at: url, storage: bench.storage, transport: bench.transport, clock: bench.clock)
    } content: { kit in
      try await kit.base.view().all.map(\.id)
    }
  }

  @Test("finds nothing wrong with a catalog")
  func sound() async throws {
    #expect(try await Self.failures(nil).map(\.description) == [])
  }

  /// The defects that all cases are tried with, and not only the one that finds it.
  private static let whole = Sample.of(Defect.allCases, inDebug: 4)

  @Test(
    "finds what is wrong with a kit", arguments: Defect.allCases)
  func defective(defect: Defect) async throws {
    let failures = try await Self.failures(
      defect,
      excluding: Self.whole.contains(defect) ? [] : Self.cases.subtracting([defect.testCase]),
      patience: .seconds(20))
    #expect(failures.contains { $0.testCase == defect.testCase }, "\(failures)")
  }

  @Test(
    "finds concurrent calls that don't meet in every run", .heavy, arguments: Defect.races)
  func everyRun(defect: Defect) async throws {
    for run in 1...Sample.rounds(25, 5, inDebug: 3) {
      let failures = try await Self.failures(
        defect, excluding: Self.cases.subtracting([defect.testCase]), patience: .seconds(60))
      #expect(failures.map(\.testCase) == [defect.testCase], "run \(run): \(failures)")
    }
  }
}
