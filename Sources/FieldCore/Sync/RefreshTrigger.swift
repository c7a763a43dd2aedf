/// The condition under which a refresh runs.
public enum RefreshTrigger: Sendable, Hashable {
  /// Refresh what is due by its schedule, such as once a day, and nothing that is fetched on every
  /// visit, such as arrivals and feeds.
  ///
  /// Use it in a background task or a daemon: nobody is looking at a board that changes every
  /// minute.
  case scheduled
  /// Refresh if it is due according to the kit's policy; otherwise, send no request.
  ///
  /// Parts without a schedule, such as arrivals and feeds, are always due.
  case ifDue
  /// Refresh even if it isn't due, such as when the user pulls down a list.
  case now
  /// Refresh even if it isn't due, and this once accept a snapshot that removes up to this many
  /// records of each store or table, although the ``SnapshotGuard`` would refuse it.
  ///
  /// Pass the count of a ``RefusedRemoval`` after showing it to a person: if the source lacks even
  /// more by then, it is refused again. An empty source needs the number of all stored records. The
  /// other checks stay in force: a truncated body, an HTML page, or too many unreadable rows remain
  /// errors.
  ///
  /// ```swift
  /// if let removal = error.refusedRemoval, await confirms("Remove \(removal.count) records?") {
  ///   try await bikes.refresh(.acceptingRemovals(upTo: removal.count))
  /// }
  /// ```
  case acceptingRemovals(upTo: Int)

  /// A Boolean value that indicates whether the refresh runs even if it isn't due.
  package var isForced: Bool { level == Self.now.level }

  /// The number of removals that are accepted whatever the guard says.
  package var acceptedRemovals: Int {
    if case .acceptingRemovals(let count) = self { max(0, count) } else { 0 }
  }

  /// The level of a run with this condition: it does everything that a lower one does.
  var level: Int {
    switch self {
    case .scheduled: 0
    case .ifDue: 1
    case .now, .acceptingRemovals: 2
    }
  }
}
