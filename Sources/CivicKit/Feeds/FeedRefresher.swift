public import FieldCore
internal import FieldFoundation
internal import FieldXML

/// Fetches and stores feeds, with one request at a time for each feed, which concurrent callers
/// share.
final class FeedRefresher: Sendable {
  let feeds: [CityFeed]
  private let fetcher: FeedFetcher
  let store: any FeedRepository
  let clock: any FieldClock
  private let limit: Int
  private let flights: [CityFeed.ID: SingleFlight<FeedVisit>]
  /// The last errors, of which the store has only the code and the message.
  private let faults = Lock<[CityFeed.ID: FieldError]>([:])
  /// The failures that couldn't be stored.
  private let unsaved = Lock<[CityFeed.ID: Unsaved]>([:])

  /// The failures of a feed that only this process knows, in addition to those in the store.
  private struct Unsaved {
    var count: Int
    var last: FeedHealth.Failure

    func added(to health: FeedHealth) -> FeedHealth {
      // Another process, or the visit that is ending, may have succeeded in the meantime.
      if let success = health.lastSuccess, success > last.date { return health }
      var health = health
      health.failuresInARow += count
      health.lastFailure = last
      return health
    }
  }

  /// The version of the reader that the stored items came from. Validators of another version
  /// aren't used, because this reader may find more in the same feed.
  private static let fingerprint = FeedRecord.fingerprint("feeds-2", columns: [])

  init(
    feeds: [CityFeed], fetcher: FeedFetcher, store: any FeedRepository, clock: any FieldClock,
    limit: Int
  ) {
    self.feeds = feeds
    self.fetcher = fetcher
    self.store = store
    self.clock = clock
    self.limit = limit
    flights = Dictionary(uniqueKeysWithValues: feeds.map { ($0.id, SingleFlight()) })
  }

  /// Fetches a feed, or joins the request in flight.
  func visit(_ feed: CityFeed) async throws -> FeedVisit {
    guard let flight = flights[feed.id] else {
      throw FieldError(.invalidInput, "There is no feed \(feed.id).")
    }
    return try await flight.run { [self] in try await run(feed) }
  }

  func close() {
    let error = FieldError(
      .closed, "The feeds were closed during the request, which was stopped.",
      operation: FeedFetcher.operation)
    for flight in flights.values { flight.cancel(throwing: error) }
  }

  /// Forgets the failures that couldn't be stored.
  func forgetFailures() {
    unsaved.withLock { $0 = [:] }
    faults.withLock { $0 = [:] }
  }

  /// Returns the error of a feed's last request; `nil` if it succeeded.
  func failure(of health: FeedHealth) -> FieldError? {
    guard health.failuresInARow > 0, let last = health.lastFailure else { return nil }
    if let known = faults.withLock({ $0[health.id] }), known.code.rawValue == last.code,
      known.message == last.message
    {
      return known
    }
    // Another process, or an earlier launch, has made the request.
    return FieldError(
      FieldError.Code(rawValue: last.code) { CivicGuidance.table }, last.message,
      operation: FeedFetcher.operation)
  }

  func health(of feed: CityFeed.ID, in snapshot: Snapshot<FeedRecord>) -> FeedHealth {
    let health = snapshot.health(of: feed)
    return unsaved.withLock { $0[feed] }?.added(to: health) ?? health
  }

  // MARK: One run

  private func run(_ feed: CityFeed) async throws -> FeedVisit {
    do {
      let base = try await FieldError.wrapping("The stored feeds can't be read.") {
        try await store.snapshot()
      }
      var asked = validators(for: feed, in: base)
      while true {
        let answer = try await fetcher.fetch(feed, validators: asked)
        if let visit = try await keep(answer, to: asked, of: feed, over: base.checkpoint) {
          unsaved.withLock { $0[feed.id] = nil }
          return visit
        }
        // Without validators, a response never refers to stored items, so this happens once.
        asked = nil
      }
    } catch {
      let wrapped = FieldError.wrapping(
        error, as: .transport, "The feed \(feed.id) can't be fetched.",
        operation: FeedFetcher.operation)
      // A cancellation or an erasure isn't a failure of the feed.
      if let failure = wrapped as? FieldError, failure.code != .conflict {
        await note(failure, of: feed)
      }
      throw wrapped
    }
  }

  /// Returns the validators of the feed's address if the store has the items that they describe.
  private func validators(
    for feed: CityFeed, in snapshot: Snapshot<FeedRecord>
  ) -> HTTPValidators? {
    guard let checkpoint = snapshot.checkpoint, checkpoint.fingerprint == Self.fingerprint,
      snapshot.health(of: feed.id).lastSuccess != nil
    else { return nil }
    return checkpoint.validators[Self.key(feed)]
  }

  /// Two feeds may share an address, but each has its own rows and therefore its own validators.
  private static func key(_ feed: CityFeed) -> String {
    "\(feed.id.rawValue) \(feed.address.absoluteString)"
  }

  /// Stores the response of a server.
  ///
  /// - Parameter asked: The validators that were sent with the request.
  /// - Returns: `nil`, with nothing stored, if the response confirms items that are no longer
  ///   stored: they were erased, or another process has stored something newer.
  private func keep(
    _ answer: FeedFetcher.Answer, to asked: HTTPValidators?, of feed: CityFeed,
    over base: Checkpoint?
  ) async throws -> FeedVisit? {
    let date = clock.now
    // A feed that was repaired without loss is as good as a well-formed one.
    let fault = answer.document?.fault.flatMap { fault in
      fault.isRepaired
        ? nil
        : FieldError(
          fault.isCut ? .cut : .malformed,
          "The feed isn't well-formed, so some of it may be missing: \(fault.description).",
          operation: FeedFetcher.operation)
    }
    var report = RefreshReport(outcome: .notModified, date: date)
    var isOutdated = false
    try await FieldError.wrapping("The feeds can't be stored.") {
      try await store.update(inRunFrom: base) { snapshot, changes, checkpoint in
        isOutdated = answer.document == nil && validators(for: feed, in: snapshot) != asked
        if isOutdated { return }
        var health = self.health(of: feed.id, in: snapshot)
        health.lastSuccess = date
        health.failuresInARow = fault == nil ? 0 : health.failuresInARow + 1
        if let fault {
          health.lastFailure = FeedHealth.Failure(fault, at: date)
          faults.withLock { $0[feed.id] = fault }
        }
        if let document = answer.document {
          try Self.refuseEmpty(document, of: feed, fault: fault, in: snapshot)
          report = FeedMerge(feed: feed, document: document, date: date, limit: limit)
            .apply(to: snapshot, &changes)
          health.itemCount = document.items.count
          health.newest = document.items.compactMap(\.published).max()
        } else {
          report.unchanged = snapshot.items(of: feed.id).count
        }
        changes.upsert(.health(health))
        let isKnown = checkpoint?.fingerprint == Self.fingerprint
        var next = (isKnown ? checkpoint : checkpoint?.reset()) ?? Checkpoint()
        next.fingerprint = Self.fingerprint
        next.lastSuccess = date
        // A partial feed must be fetched again, whatever its server says.
        next.validators[Self.key(feed)] = fault == nil ? answer.validators : nil
        checkpoint = next
      }
    }
    if isOutdated { return nil }
    report.origin = answer.origin
    return FeedVisit(report: report, fault: fault)
  }

  /// Throws if a feed that had items returns none; the stored items stay.
  private static func refuseEmpty(
    _ document: FeedDocument, of feed: CityFeed, fault: FieldError?,
    in snapshot: Snapshot<FeedRecord>
  ) throws {
    guard document.items.isEmpty else { return }
    if let fault { throw fault }
    guard !snapshot.items(of: feed.id).isEmpty else { return }
    throw FieldError(
      .emptyCityFeed,
      "The feed \(feed.id) has no items, so the old ones are kept. Check its URL.")
  }

  /// Records a failure in the feed's health.
  ///
  /// If the store can't be written, the caller learns that on the next read; it doesn't hide the
  /// feed's own failure.
  private func note(_ failure: FieldError, of feed: CityFeed) async {
    let last = FeedHealth.Failure(failure, at: clock.now)
    faults.withLock { $0[feed.id] = failure }
    do {
      try await store.update { snapshot, changes, _ in
        var health = self.health(of: feed.id, in: snapshot)
        health.failuresInARow += 1
        health.lastFailure = last
        changes.upsert(.health(health))
      }
      unsaved.withLock { $0[feed.id] = nil }
    } catch {
      unsaved.withLock { unsaved in
        unsaved[feed.id] = Unsaved(count: (unsaved[feed.id]?.count ?? 0) + 1, last: last)
      }
    }
  }
}

// MARK: - Part

extension FeedRefresher {
  /// Returns the feeds as a part of a kit, which is fetched on every visit.
  func part(isMain: Bool) -> RefreshPart {
    RefreshPart("feeds", policy: .always, isMain: isMain) { [self] in
      RefreshPart.Status(lastSuccess: try await store.snapshot().checkpoint?.lastSuccess)
    } work: { [self] progress in
      let visits = try await visits(to: feeds) { done in
        progress.send(.requesting, 0.05 + 0.9 * Double(done) / Double(max(1, feeds.count)))
      }
      return try merged(visits)
    }
  }

  /// Fetches feeds concurrently; one that fails affects no other.
  func visits(
    to feeds: [CityFeed], progress: (_ done: Int) -> Void = { _ in }
  ) async throws -> [CityFeed.ID: FeedVisit] {
    let visits = try await feeds.concurrentMap(progress: progress) { feed in
      do {
        return try await self.visit(feed)
      } catch let failure as FieldError {
        return FeedVisit(fault: failure)
      }
    }
    return Dictionary(uniqueKeysWithValues: zip(feeds.map(\.id), visits))
  }

  /// Erases the items, and the failures that couldn't be stored.
  func eraseAll() async throws {
    forgetFailures()
    try await store.eraseAll()
  }

  private func merged(_ visits: [CityFeed.ID: FeedVisit]) throws -> RefreshReport {
    var report = RefreshReport(outcome: .notModified, date: clock.now)
    let visits = visits.sorted { $0.key.rawValue < $1.key.rawValue }
    if let failure = visits.first?.value.fault, visits.allSatisfy({ $0.value.report == nil }) {
      throw failure
    }
    for (id, visit) in visits {
      if let part = visit.report { report.add(part) }
      guard let fault = visit.fault else { continue }
      report.notices.append(RefreshReport.Notice(.feedFailed, "\(id): \(fault.message)"))
    }
    return report
  }
}

extension RefreshReport.Notice.Code {
  /// A feed couldn't be read, or not to its end, while others could.
  public static var feedFailed: Self { Self(rawValue: "civic.feedFailed") }
}

extension RefreshReport {
  /// Adds the counts of another feed's report.
  fileprivate mutating func add(_ other: RefreshReport) {
    addCounts(of: other)
    origin = origin ?? other.origin
    if other.outcome == .updated || outcome == .notModified { outcome = other.outcome }
  }
}

struct FeedVisit: Sendable {
  /// What was done with the feed's items; `nil` if the feed couldn't be read.
  var report: RefreshReport?
  /// The error if the feed couldn't be read, or not to its end because it isn't well-formed.
  var fault: FieldError?
}
