public import FieldCore
internal import FieldFoundation

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
