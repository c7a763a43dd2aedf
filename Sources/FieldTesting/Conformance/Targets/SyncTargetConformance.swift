public import FieldCore
public import FieldFoundation
public import Testing

/// A test suite for the contract of `SyncTarget`.
///
/// ### How to use it
///
/// ```swift
/// @Test("my table keeps to the contract")
/// func conformance() async throws {
///   try await SyncTargetConformance.run { try MyTable() }
/// }
/// ```
///
/// To test that the content persists, pass a closure that opens the target in a folder, which is called repeatedly:
///
/// ```swift
/// try await SyncTargetConformance.run(reopening: { folder in
///   try MyTable(folder.appending(path: "records.sqlite"))
/// })
/// ```
///
/// The target must be one of ``ConformanceRecord``. Every failing case records an issue with its name and its observation. A case
/// ends after at most two minutes, even if the target never returns.
public enum SyncTargetConformance {
  /// A closure that creates a target, which is empty by default.
  typealias Maker = @Sendable () async throws -> any SyncTarget<ConformanceRecord>

  /// Runs the cases one after another, each with its own target.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the target doesn't support them.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - makeTarget: A closure that creates a new, empty target.
  public static func run(
    excluding: Set<Case> = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ makeTarget: @escaping @Sendable () async throws -> any SyncTarget<ConformanceRecord>
  ) async throws {
    try await failures(excluding: excluding, makeTarget).record(at: sourceLocation)
  }

  /// Runs the cases on a target in a folder, including those of reopening it.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the target doesn't support them.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - openTarget: A closure that opens the target in a folder, which is empty when a case begins and is removed when it ends. It
  ///     is called again for the same folder after the case has released the previous target.
  public static func run(
    excluding: Set<Case> = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    reopening openTarget:
      @escaping @Sendable (URL) async throws -> any SyncTarget<ConformanceRecord>
  ) async throws {
    try await failures(excluding: excluding, reopening: openTarget).record(at: sourceLocation)
  }

  /// Returns the failures that ``run(excluding:sourceLocation:_:)`` would record, with a time limit
  /// per case.
  package static func failures(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    _ makeTarget: @escaping @Sendable () async throws -> any SyncTarget<ConformanceRecord>
  ) async throws -> [ConformanceFailure<Case>] {
    try await ConformanceRun(
      subject: subject, cases: cases, excluding: excluding, patience: patience
    ).failures { body in { try await body(makeTarget) } }
  }

  /// Returns the failures that ``run(excluding:sourceLocation:reopening:)`` would record, with a
  /// time limit per case.
  package static func failures(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    reopening openTarget:
      @escaping @Sendable (URL) async throws -> any SyncTarget<ConformanceRecord>
  ) async throws -> [ConformanceFailure<Case>] {
    try await ConformanceRun(
      subject: subject, cases: cases + lastingCases, excluding: excluding, patience: patience
    ).failures { body in
      {
        try await withTemporaryFolder { folder in try await body { try await openTarget(folder) } }
      }
    }
  }

  /// All cases, including those of reopening a target.
  package static var allCases: Set<Case> { Set((cases + lastingCases).map(\.0)) }

  private typealias Body = @Sendable (Maker) async throws -> Void
  private typealias Probe = SyncTargetProbe
  private static let subject = "sync target conformance"

  private static var cases: [(Case, Body)] {
    let cases: [(Case, ConformanceBody<Probe>)] = [
      (.emptyAtFirst, Probe.emptyAtFirst), (.storing, Probe.storing),
      (.replacing, Probe.replacing), (.removal, Probe.removal), (.count, Probe.count),
      (.checkpoint, Probe.checkpoint), (.oddValues, Probe.oddValues),
      (.largeTransaction, Probe.largeTransaction), (.base, Probe.base),
      (.failedTransaction, Probe.failedTransaction),
      (.failedSightings, Probe.failedSightings), (.wholeTransactions, Probe.wholeTransactions),
      (.concurrentTransactions, Probe.concurrentTransactions),
      (.sightings, Probe.sightings), (.repeatedIDs, Probe.repeatedIDs),
      (.forgetting, Probe.forgetting), (.runsApart, Probe.runsApart), (.limit, Probe.limit),
      (.revertedChanges, Probe.revertedChanges), (.revertedInsertions, Probe.revertedInsertions),
      (.revertedTwice, Probe.revertedTwice), (.merging, Probe.merging),
      (.othersKept, Probe.othersKept), (.cancellation, Probe.cancellation),
    ]
    // Each needs one target.
    return cases.map { name, body in
      (name, { makeTarget in try await body(Probe(target: try await makeTarget()))() })
    }
  }

  private static var lastingCases: [(Case, Body)] { [(.reopening, Probe.reopening)] }
}

extension SyncTargetConformance {
  /// A requirement for targets.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Creates a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: content

    /// A new target has no records and no checkpoint.
    public static var emptyAtFirst: Self { Self(rawValue: "emptyAtFirst") }
    /// Stored records are returned for their IDs, in the order of these, and `nil` for a missing ID.
    public static var storing: Self { Self(rawValue: "storing") }
    /// A record that is stored over another one replaces it.
    public static var replacing: Self { Self(rawValue: "replacing") }
    /// A removed record no longer exists, and the others do.
    public static var removal: Self { Self(rawValue: "removal") }
    /// The number of records is that of the beginning of a transaction, and then of its end.
    public static var count: Self { Self(rawValue: "count") }
    /// A checkpoint is returned unchanged, and stays if a transaction stores none.
    public static var checkpoint: Self { Self(rawValue: "checkpoint") }
    /// Any text can be an ID or a value: empty, with slashes, quotes, or emoji.
    public static var oddValues: Self { Self(rawValue: "oddValues") }
    /// A transaction can store and remove five thousand records.
    public static var largeTransaction: Self { Self(rawValue: "largeTransaction") }
    /// The facts about the beginning of a run stay, whatever it changes.
    public static var base: Self { Self(rawValue: "base") }

    // MARK: transactions

    /// A transaction that throws has changed neither records nor the checkpoint, and its error is thrown as it is.
    public static var failedTransaction: Self { Self(rawValue: "failedTransaction") }
    /// A transaction that throws has seen no IDs.
    public static var failedSightings: Self { Self(rawValue: "failedSightings") }
    /// Readers never see the records of a transaction without its checkpoint, or the other way around.
    public static var wholeTransactions: Self { Self(rawValue: "wholeTransactions") }
    /// Twenty transactions of two runs at once all apply, each after another one.
    public static var concurrentTransactions: Self { Self(rawValue: "concurrentTransactions") }
    /// A canceled task's transaction applies as a whole, or throws `CancellationError` and changes nothing.
    public static var cancellation: Self { Self(rawValue: "cancellation") }

    // MARK: sightings

    /// The stored records that a run hasn't seen are returned, and no others.
    public static var sightings: Self { Self(rawValue: "sightings") }
    /// An ID that is seen in another row is counted, and one that is seen in the same row isn't.
    public static var repeatedIDs: Self { Self(rawValue: "repeatedIDs") }
    /// After it has forgotten them, a run has seen no IDs.
    public static var forgetting: Self { Self(rawValue: "forgetting") }
    /// A run knows nothing of what another one has seen.
    public static var runsApart: Self { Self(rawValue: "runsApart") }
    /// At most as many unseen IDs are returned as asked for.
    public static var limit: Self { Self(rawValue: "limit") }

    // MARK: reverting

    /// Reverting gives changed records the values of the beginning of the run.
    public static var revertedChanges: Self { Self(rawValue: "revertedChanges") }
    /// Reverting removes inserted records, and doesn't restore removed ones.
    public static var revertedInsertions: Self { Self(rawValue: "revertedInsertions") }
    /// A record that changed twice gets its first value, and one that was inserted and then changed is removed.
    public static var revertedTwice: Self { Self(rawValue: "revertedTwice") }
    /// A closure decides what becomes of the current value and the earlier one.
    public static var merging: Self { Self(rawValue: "merging") }
    /// Records that the run hasn't changed stay as others have changed them.
    public static var othersKept: Self { Self(rawValue: "othersKept") }

    // MARK: persistent targets

    /// A reopened target has the same records and checkpoint, and begins a run that has seen nothing.
    public static var reopening: Self { Self(rawValue: "reopening") }
  }
}
