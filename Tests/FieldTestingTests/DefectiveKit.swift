import FieldCore
import FieldTesting
import Foundation

/// A record of a source with three columns.
struct Stone: CatalogRecord {
  let id: String
  let name: String
  let mass: Int?
}

/// A later version of the record, which reads one column more.
struct ColoredStone: CatalogRecord {
  static let storedName = "Stone"
  let id: String
  let name: String
  let mass: Int?
  let color: String?
}

/// A catalog with at most one planted defect, which the conformance suite has to find.
final class DefectiveKit: Kit {
  struct Foreign: Error {}

  private struct State: Sendable {
    var calls = 0
    var isOpened = false
    var wasRefreshed = false
    var hasFailed = false
    var lastAttempt: Date?
    var firstAge: Date?
    var isHidden = false
    var wasErased = false
    var accepted = 0
    var cuts: [OpeningReport.Cut] = []
  }

  let base: Catalog<Stone>
  let defect: KitDefect?
  private let bench: KitBench
  /// The catalogs of the bench.
  private let catalogs: Lock<[Catalog<Stone>]>
  private let flight = SingleFlight<RefreshReport>()
  private let state = Lock(State())

  init(_ bench: KitBench, _ defect: KitDefect?, _ catalogs: Lock<[Catalog<Stone>]>) throws {
    self.bench = bench
    self.defect = defect
    self.catalogs = catalogs
    let base = try Self.catalog(bench, defect)
    self.base = base
    catalogs.withLock { $0.append(base) }
    switch defect {
    case .opensOnCreation: Task { try await base.open() }
    case .connectsOnCreation:
      let request = TransportRequest(url: try Self.url, operation: "stones.rows")
      Task { try await bench.transport.send(request) }
    default: break
    }
  }

  static var url: URL {
    get throws { try FieldError.unwrap(URL(string: "https://example.org/stones")) }
  }

  private static func catalog(_ bench: KitBench, _ defect: KitDefect?) throws -> Catalog<Stone> {
    var transport = bench.transport
    switch defect {
    case .sendsNoTags: transport = Wrapped(base: transport) { $0.fields["If-None-Match"] = nil }
    case .retriesTwice: transport = Wrapped(base: transport) { _ in }
    default: break
    }
    return Catalog<Stone>(
      "stones", at: try url, storage: defect == .keepsToItself ? .inMemory : bench.storage,
      transport: transport, clock: bench.clock,
      policy: defect == .schedulesFailures ? .always : .daily,
      deletion: defect == .keepsRemoved ? .never : .bySnapshot,
      snapshotGuard: SnapshotGuard(
        maximumRemovedFraction: defect == .acceptsRemovals ? 1 : 0.05))
  }

  /// A transport that changes requests, and doesn't say that the base retries.
  private struct Wrapped: Transport {
    let base: any Transport
    let change: @Sendable (inout TransportRequest) -> Void

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      var request = request
      change(&request)
      return try await base.send(request)
    }
  }

  // MARK: Reading

  var name: String {
    defect == .renamesItself && state.withLock(\.wasRefreshed) ? "rocks" : base.name
  }

  var dataSources: [DataSource] { base.dataSources }

  func ids() async throws -> [String] {
    let ids = try await base.view().all.map(\.id)
    return state.withLock(\.isHidden) ? [] : ids
  }

  func damage() async throws -> [OpeningReport.Cut] {
    let damage = try await base.view().damage
    switch defect {
    case .hidesDamageInViews: return []
    case .keepsDamageInViews:
      return state.withLock { state in
        if !damage.isEmpty { state.cuts = damage }
        return state.cuts
      }
    default: return damage
    }
  }

  var nextRefreshDate: Date? {
    get async throws {
      if defect == .fetchesForDate { try await base.refresh(.now) }
      let date = try await base.nextRefreshDate
      let state = state.withLock(\.self)
      switch defect {
      case .claimsToBeDue: return .distantPast
      case .forgetsSchedule: return state.wasRefreshed ? date : nil
      case .neverDue: return try await base.lastRefresh == nil ? date : .distantFuture
      case .forgetsFailures, .schedulesFailures: return state.hasFailed ? bench.clock.now : date
      case .erasesUntilReopened: return state.isHidden ? bench.clock.now : date
      case .isNotDueAfterErasing: return state.wasErased ? .distantFuture : date
      default: return date
      }
    }
  }

  var lastRefresh: Date? {
    get async throws {
      if defect == .needsOpening, !state.withLock(\.isOpened) {
        throw FieldError(.invalidInput, "The kit isn't open.")
      }
      if defect == .opensForEachCaller { try await base.open() }
      let date = try await base.lastRefresh
      let state = state.withLock(\.self)
      switch defect {
      case .forgetsItsAge: return nil
      case .datesFailures: return state.lastAttempt ?? date
      case .keepsOldAge: return state.firstAge ?? date
      default: return state.isHidden ? nil : date
      }
    }
  }

  func following() -> FieldSequence<[String], any Error> {
    let results = base.updates { $0.all.map(\.id) }
    switch defect {
    case .repeatsResults:
      let store: any RecordStore<Stone> = bench.storage.store("stones")
      return store.updates().scan(0) { _, snapshot in snapshot.map(\.id) }
    case .missesChanges:
      return results.scan(0) { (count: inout Int, ids) in
        count += 1
        return count == 1 ? ids : nil
      }
    case .neverEndsResults, .failsOnClose:
      let fails = defect == .failsOnClose
      return FieldSequence<[String], any Error>(unfolding: {
        var base = results.makeAsyncIterator()
        return { actor in
          if let ids = try await base.next(isolation: actor) { return ids }
          if fails { throw FieldError(.closed, "The kit was closed.") }
          try await Task.sleep(for: .seconds(3_600))
          return nil
        }
      })
    case .hidesDamagedFiles:
      return FieldSequence<[String], any Error>(following: { [base] in
        do { _ = try await base.view() } catch { throw CancellationError() }
        return results
      })
    default: return results
    }
  }

  // MARK: Refreshing

  func refresh(_ when: RefreshTrigger) async throws -> RefreshReport {
    state.withLock { $0.lastAttempt = bench.clock.now }
    do {
      let report = try await changed(try await refreshed(when))
      let age = try await base.lastRefresh
      state.withLock { state in
        state.wasRefreshed = true
        state.hasFailed = false
        state.wasErased = false
        state.accepted = max(state.accepted, when.acceptedRemovals)
        state.firstAge = state.firstAge ?? age
      }
      return report
    } catch let error as FieldError {
      state.withLock { $0.hasFailed = true }
      return try await recovered(from: error)
    }
  }

  private func refreshed(_ when: RefreshTrigger) async throws -> RefreshReport {
    switch defect {
    case .treatsNowAsIfDue: return try await base.refresh(.ifDue)
    case .sharesNothing, .outlivesClosing:
      return try await Self.catalog(bench, defect).refresh(when)
    case .sharesMost:
      let isFourth = state.withLock { state in
        state.calls += 1
        return state.calls == 4
      }
      return try await (isFourth ? Self.catalog(bench, defect) : base).refresh(when)
    case .joinsWeaker: return try await flight.run { [base] in try await base.refresh(when) }
    case .joinsScheduled:
      return try await flight.run(level: when == .now ? 1 : 0) { [base] in
        try await base.refresh(when)
      }
    case .cancelsAll:
      return try await withTaskCancellationHandler {
        try await flight.run(level: when == .now ? 1 : 0) { [base] in
          try await base.refresh(when)
        }
      } onCancel: {
        flight.cancel(throwing: CancellationError())
      }
    case .ignoresCancellation:
      return try await Task { [base] in try await base.refresh(when) }.value
    case .ignoresSchedule: return try await base.refresh(when == .scheduled ? .now : when)
    case .skipsSchedule:
      if when != .scheduled { return try await base.refresh(when) }
      return RefreshReport(outcome: .notDue, date: bench.clock.now)
    case .acceptsMore:
      return try await base.refresh(
        when.acceptedRemovals > 0 ? .acceptingRemovals(upTo: .max) : when)
    case .acceptsNone: return try await base.refresh(when.acceptedRemovals > 0 ? .now : when)
    case .acceptsAgain:
      let accepted = state.withLock(\.accepted)
      return try await base.refresh(
        when == .now && accepted > 0 ? .acceptingRemovals(upTo: accepted) : when)
    default: return try await base.refresh(when)
    }
  }

  /// Returns what the kit reports instead of the report.
  private func changed(_ report: RefreshReport) async throws -> RefreshReport {
    var report = report
    func hide(_ code: RefreshReport.Notice.Code) { report.notices.removeAll { $0.code == code } }
    switch defect {
    case .hidesDamage: hide(.damaged)
    case .repeatsDamage:
      let isDamaged = state.withLock { state in !state.cuts.isEmpty }
      if isDamaged { report.notices.append(.init(.damaged, "The store was damaged.")) }
    case .hidesSkippedRemovals: hide(.removalSkipped)
    case .hidesRepeatedIDs: hide(.repeatedIDs)
    case .hidesUnreadableValues: hide(.unreadableValues)
    case .reportsNothingNew: report.outcome = .unchanged
    case .countsNothing: report.added = 0
    case .misdates: report.date = .distantPast
    case .countsConfirmed: if report.added == 0 { report.updated = 1 }
    case .erasesUnmodified: if report.outcome == .notModified { try await base.eraseAll() }
    case .hidesFailedRows: (report.failures, report.failureCount) = ([], 0)
    case .removesUnreadable:
      let ids = report.failures.compactMap(\.key)
      let store: any RecordStore<Stone> = bench.storage.store("stones")
      try await store.update { _, changes in for id in ids { changes.remove(id) } }
      report.removed += ids.count
    default: break
    }
    return report
  }

  /// Returns what the kit reports instead of an error, or throws another one.
  private func recovered(from error: FieldError) async throws -> RefreshReport {
    var error = error
    let nothing = RefreshReport(outcome: .unchanged, date: bench.clock.now)
    switch (defect, error.code) {
    case (.throwsForeignErrors, _): throw Foreign()
    case (.erasesOnFailure, _): try await base.eraseAll()
    case (.replacesCodes, _): error.code = .transport
    case (.losesUnderlying, _): error.underlying = nil
    case (.hidesRefusedRemovals, .snapshotRefused): error.underlying = nil
    case (.takesPages, .notData), (.takesEmptyBodies, .emptyBody), (.takesMissingFiles, .notFound):
      return nothing
    case (.takesHalves, .cut), (.takesHalves, .malformed): return nothing
    case (.reappears, .conflict): return try await base.refresh(.now)
    case (.replacesConflicts, .conflict): error.code = .io
    case (.ignoresOthersErasing, .conflict):
      if !state.withLock(\.wasErased) { try await base.refresh(.now) }
    case (.replacesClosed, .closed): error.code = .io
    default: break
    }
    throw error
  }

  func refreshProgress() -> RefreshProgressUpdates {
    let steps = base.refreshProgress()
    if defect == .startsOnProgress { Task { [base] in try await base.refresh(.now) } }
    if defect == .neverEndsProgress {
      return RefreshProgressUpdates(unfolding: {
        var base = steps.makeAsyncIterator()
        return { actor in
          if let step = await base.next(isolation: actor) { return step }
          try? await Task.sleep(for: .seconds(3_600))
          return nil
        }
      })
    }
    return steps.scan(0) { [defect] _, step in
      var step = step
      switch (defect, step.outcome) {
      case (.renamesSteps, _): step.kit = "rocks"
      case (.goesBackward, nil): step.fractionCompleted = 1 - step.fractionCompleted
      case (.overshoots, _): step.fractionCompleted *= 2
      case (.hidesOutcomes, .some), (.hidesFailures, .failed): return nil
      default: break
      }
      return step
    }
  }

  // MARK: Opening, erasing, closing

  func open() async throws -> OpeningReport {
    do {
      let report = try await base.open()
      state.withLock { state in
        state.isOpened = true
        if defect == .repeatsDamage { state.cuts += report.cuts }
      }
      return report
    } catch let error as FieldError where defect == .givesNoAdvice {
      throw FieldError(error.code, "The kit is broken.")
    }
  }

  func eraseAll() async throws {
    state.withLock { state in
      state.wasErased = true
      state.firstAge = nil
      state.lastAttempt = nil
    }
    switch defect {
    case .erasesNothing: return
    case .erasesUntilReopened: return state.withLock { $0.isHidden = true }
    case .erasesOnlyWhatOpens: try await base.open()
    default: break
    }
    try await base.eraseAll()
    if defect == .deletesDamagedFiles {
      let store: any RecordStore<Stone> = bench.storage.store("stones")
      try await store.removeSetAside()
    }
  }

  func close() async throws {
    switch defect {
    case .staysOpen: return
    case .erasesOnClose:
      try await base.eraseAll()
      try await base.close()
    case .closesOthers:
      for catalog in catalogs.withLock(\.self) { try await catalog.close() }
    default: try await base.close()
    }
  }
}

extension FieldError {
  fileprivate static func unwrap<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw FieldError(.invalidInput, "There is no value.") }
    return value
  }
}
