public import FieldCore
public import FieldFoundation
public import Testing

/// A test suite for the contract of `RecordStore`.
///
/// ### How to use it
///
/// ```swift
/// @Test("my store keeps to the contract")
/// func conformance() async throws {
///   try await RecordStoreConformance.run { MyStore() }
/// }
/// ```
///
/// To test a persistent store, pass a closure that opens it in a folder, which is called
/// repeatedly:
///
/// ```swift
/// try await RecordStoreConformance.run(reopening: { folder in
///   MyFileStore(folder.appending(path: "records"))
/// })
/// ```
///
/// The store must be one of ``ConformanceRecord``; if it is generic over its records, the type is
/// inferred. Every failing case records an issue with its name and its observation. A case ends
/// after at most two minutes, even if the store never returns.
public enum RecordStoreConformance {
  /// A closure that creates a store, which is empty by default.
  typealias Maker = @Sendable () async throws -> any RecordStore<ConformanceRecord>

  /// Runs the cases one after another, each with its own store.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the store doesn't support them.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - makeStore: A closure that creates a new, empty store.
  public static func run(
    excluding: Set<Case> = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ makeStore: @escaping @Sendable () async throws -> any RecordStore<ConformanceRecord>
  ) async throws {
    try await failures(excluding: excluding, makeStore).record(at: sourceLocation)
  }

  /// Runs the cases on a persistent store, including those of reopening it.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the store doesn't support them.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - openStore: A closure that opens the store in a folder, which is empty when a case begins
  ///     and is removed when it ends. It is called again for the same folder after the case has
  ///     released the previous store.
  public static func run(
    excluding: Set<Case> = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    reopening openStore:
      @escaping @Sendable (URL) async throws -> any RecordStore<ConformanceRecord>
  ) async throws {
    try await failures(excluding: excluding, reopening: openStore).record(at: sourceLocation)
  }

  /// Returns the failures that ``run(excluding:sourceLocation:_:)`` would record, with a time limit
  /// per case.
  package static func failures(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    _ makeStore: @escaping @Sendable () async throws -> any RecordStore<ConformanceRecord>
  ) async throws -> [ConformanceFailure<Case>] {
    try await ConformanceRun(
      subject: subject, cases: cases, excluding: excluding, patience: patience
    ).failures { body in { try await body(makeStore) } }
  }

  /// Returns the failures that ``run(excluding:sourceLocation:reopening:)`` would record, with a
  /// time limit per case.
  package static func failures(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    reopening openStore:
      @escaping @Sendable (URL) async throws -> any RecordStore<ConformanceRecord>
  ) async throws -> [ConformanceFailure<Case>] {
    try await ConformanceRun(
      subject: subject, cases: cases + lastingCases, excluding: excluding, patience: patience
    ).failures { body in
      { try await withTemporaryFolder { folder in try await body { try await openStore(folder) } } }
    }
  }

  /// All cases, including those of reopening a store.
  package static var allCases: Set<Case> { Set((cases + lastingCases).map(\.0)) }

  private typealias Body = @Sendable (Maker) async throws -> Void
  private typealias Probe = StoreProbe
  private static let subject = "record store conformance"

  private static var cases: [(Case, Body)] {
    let cases: [(Case, ConformanceBody<Probe>)] = [
      (.emptyAtFirst, Probe.emptyAtFirst), (.order, Probe.order), (.removal, Probe.removal),
      (.reinsertion, Probe.reinsertion), (.lastStep, Probe.lastStep), (.removeAll, Probe.removeAll),
      (.lookup, Probe.lookup), (.oddValues, Probe.oddValues), (.largeBatch, Probe.largeBatch),
      (.changedIDs, Probe.changedIDs), (.atomicity, Probe.atomicity),
      (.checkpoint, Probe.checkpoint), (.revision, Probe.revision), (.noChange, Probe.noChange),
      (.expecting, Probe.expecting), (.conflict, Probe.conflict),
      (.concurrentCommits, Probe.concurrentCommits), (.concurrentUpdates, Probe.concurrentUpdates),
      (.snapshotsKept, Probe.snapshotsKept), (.updates, Probe.updates),
      (.slowObserver, Probe.slowObserver), (.severalObservers, Probe.severalObservers),
      (.cancellation, Probe.cancellation),
    ]
    // Each needs one store.
    return cases.map { name, body in
      (name, { makeStore in try await body(Probe(store: try await makeStore()))() })
    }
  }

  private static var lastingCases: [(Case, Body)] {
    [
      (.reopening, Probe.reopening), (.reopeningEmpty, Probe.reopeningEmpty),
      (.reopeningOften, Probe.reopeningOften), (.reopeningChanged, Probe.reopeningChanged),
    ]
  }
}

// MARK: - Case

extension RecordStoreConformance {
  /// A requirement for stores.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Creates a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: content

    /// A new store has no records and no checkpoint, and its revision is zero.
    public static var emptyAtFirst: Self { Self(rawValue: "emptyAtFirst") }
    /// Records keep the order of their first insertion, and updating a record doesn't move it.
    public static var order: Self { Self(rawValue: "order") }
    /// A removed record no longer exists, and removing a missing record succeeds.
    public static var removal: Self { Self(rawValue: "removal") }
    /// A removed record that is inserted again is last, even within one batch.
    public static var reinsertion: Self { Self(rawValue: "reinsertion") }
    /// If a batch has several steps for one ID, the last one applies.
    public static var lastStep: Self { Self(rawValue: "lastStep") }
    /// After everything is removed, records that the same batch inserts exist.
    public static var removeAll: Self { Self(rawValue: "removeAll") }
    /// A record is found by its ID, and a missing ID finds none.
    public static var lookup: Self { Self(rawValue: "lookup") }
    /// Any text can be an ID or a value, byte for byte: empty, with slashes, zeros, or emoji.
    public static var oddValues: Self { Self(rawValue: "oddValues") }
    /// A batch can contain five thousand records.
    public static var largeBatch: Self { Self(rawValue: "largeBatch") }
    /// The IDs that changed since a revision include every change, if the store reports any.
    public static var changedIDs: Self { Self(rawValue: "changedIDs") }

    // MARK: commits

    /// A reader never sees part of a batch, or its rows without its checkpoint.
    public static var atomicity: Self { Self(rawValue: "atomicity") }
    /// A checkpoint is returned unchanged, and stays if a commit has none.
    public static var checkpoint: Self { Self(rawValue: "checkpoint") }
    /// A commit that changes something increases the revision and returns it.
    public static var revision: Self { Self(rawValue: "revision") }
    /// A commit that changes nothing succeeds and leaves everything as it was.
    public static var noChange: Self { Self(rawValue: "noChange") }
    /// A commit that expects the current revision succeeds.
    public static var expecting: Self { Self(rawValue: "expecting") }
    /// A commit that expects another revision throws `FieldError.Code.conflict` and changes
    /// nothing.
    public static var conflict: Self { Self(rawValue: "conflict") }
    /// Fifty concurrent commits all succeed, each with its own revision.
    public static var concurrentCommits: Self { Self(rawValue: "concurrentCommits") }
    /// Concurrent changes that are derived from the content aren't lost.
    public static var concurrentUpdates: Self { Self(rawValue: "concurrentUpdates") }

    // MARK: snapshots and updates

    /// A snapshot never changes, however many commits follow.
    public static var snapshotsKept: Self { Self(rawValue: "snapshotsKept") }
    /// Updates yield the current content first, and then the newest after each change.
    public static var updates: Self { Self(rawValue: "updates") }
    /// A slow reader of updates reaches the newest content, and never sees an older one again.
    public static var slowObserver: Self { Self(rawValue: "slowObserver") }
    /// Several readers of updates each see every change that they wait for.
    public static var severalObservers: Self { Self(rawValue: "severalObservers") }
    /// Updates end without an error when their task is canceled.
    public static var cancellation: Self { Self(rawValue: "cancellation") }

    // MARK: persistent stores

    /// A reopened store has the same records in the same order, the checkpoint, and a revision that
    /// isn't lower.
    public static var reopening: Self { Self(rawValue: "reopening") }
    /// A store without commits can be reopened, and is empty.
    public static var reopeningEmpty: Self { Self(rawValue: "reopeningEmpty") }
    /// Commits succeed after each of several openings.
    public static var reopeningOften: Self { Self(rawValue: "reopeningOften") }
    /// Removals, replacements, and later insertions persist across openings, in the same order.
    public static var reopeningChanged: Self { Self(rawValue: "reopeningChanged") }
  }
}

/// The record type of ``RecordStoreConformance``.
public struct ConformanceRecord: StoredRecord, Hashable {
  /// The ID, which may be any text, even an empty one.
  public var id: String
  /// A text.
  public var text: String
  /// A number.
  public var number: Int

  /// Creates a record.
  public init(id: String, text: String = "", number: Int = 0) {
    self.id = id
    self.text = text
    self.number = number
  }
}
