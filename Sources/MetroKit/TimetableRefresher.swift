internal import FieldCore
internal import FieldFoundation
internal import FieldTransit

/// Fetches the timetable from a source into a repository once a day, and shows it on boards.
final class TimetableRefresher: Sendable {
  /// A timetable in a state of the store, so that it is read once.
  private struct Known: Sendable {
    var revision: Revision
    var generation: Int
    var timetable: MetroTimetable?
  }

  private let source: any RecordSource<MetroTimetable>
  private let store: any TimetableRepository
  private let clock: any FieldClock
  private let network: MetroNetwork
  private let known = Lock<Known?>(nil)
  private let work: LateWork

  init(
    source: any RecordSource<MetroTimetable>, store: any TimetableRepository,
    clock: any FieldClock, network: MetroNetwork
  ) {
    self.source = source
    self.store = store
    self.clock = clock
    self.network = network
    work = LateWork(
      "metro.timetables", failing: "The timetable can't be refreshed.",
      late:
        "The timetable hasn't arrived within four seconds. It will be shown when it arrives.",
      clock: clock)
  }

  /// The part of the metro's engine, which is due once a day.
  ///
  /// - Parameter changed: A closure to call after each attempt, so that listeners see its result.
  func part(changed: @escaping @Sendable () async -> Void) -> RefreshPart {
    RefreshPart(
      sources: [PlausibleTimetable(source: source, store: store)], named: "timetables",
      fingerprint: "metro-timetable/1 \(Timetable.formatVersion)", store: store,
      snapshotGuard: SnapshotGuard(), clock: clock, policy: .daily
    ).beside { [late = work] work in
      // A timetable is large. A poll mustn't make the next one late, but a refresh that you wait for has it.
      try await late.report(
        within: LateWork.isPolling ? LateWork.patience : nil, changed: changed, of: work)
    }
  }

  /// Deletes the timetable and forgets the last failure.
  func eraseAll() async throws {
    try await work.eraseAll(in: store)
  }

  /// Cancels the requests in flight, whose timetable is neither stored nor reported.
  func abandon() { work.abandon() }

  /// Returns the stored timetable; `nil` if there is none that can be used.
  func timetable() async throws -> MetroTimetable? {
    let snapshot = try await store.snapshot()
    let newest = known.withLock { $0 }
    let fetchedAt = snapshot.checkpoint?.lastSuccess
    if let newest, newest.revision == snapshot.revision,
      newest.generation == snapshot.generation
    {
      return newest.timetable
    }
    var timetable = snapshot[id: MetroTimetable.onlyID]
    timetable?.network = network
    timetable?.fetchedAt = fetchedAt
    if timetable?.failure != nil { timetable = nil }
    known.withLock { [timetable] in
      $0 = Known(
        revision: snapshot.revision, generation: snapshot.generation, timetable: timetable)
    }
    return timetable
  }

  /// Returns the board together with the stored timetable, or with the reason if it can't be read.
  func adding(to board: ArrivalBoard) async -> ArrivalBoard {
    var board = board
    board.timetableFailure = work.lastFailure
    do {
      board.timetable = try await timetable()
    } catch {
      board.timetableFailure = board.timetableFailure ?? (error as? FieldError)
    }
    return board
  }
}

/// A source whose timetable must be plausible beside the stored one.
private struct PlausibleTimetable: RecordSource {
  let source: any RecordSource<MetroTimetable>
  let store: any TimetableRepository

  var dataSource: DataSource? { source.dataSource }
  var fingerprint: String { source.fingerprint }
  /// There is only one record, which is replaced.
  var deletion: DeletionPolicy { .never }

  func fetch(_ request: RecordRequest) async throws -> Batch<MetroTimetable> {
    let batch = try await source.fetch(request)
    guard !batch.facts.isNotModified else { return batch }
    guard let timetable = batch.records.last, !timetable.departureCounts.isEmpty else {
      throw Self.refusal("it has no trains that can be used")
    }
    let old = try await store.snapshot()[id: MetroTimetable.onlyID]
    for (line, count) in (old?.departureCounts ?? [:]).sorted(by: { $0.key < $1.key }) {
      let next = timetable.departureCounts[line] ?? 0
      // A line has up to a third fewer trains on weekends, but never half as many in a week.
      guard next < count / 2 else { continue }
      throw Self.refusal(
        "line \(line) has only \(next) departures a week, and \(count) in the stored one")
    }
    return batch
  }

  private static func refusal(_ reason: String) -> FieldError {
    FieldError(
      .transitFeedRefused,
      "The timetable was rejected: \(reason). The old one stays. Check the source, or erase the metro's data to accept it."
    )
  }
}
