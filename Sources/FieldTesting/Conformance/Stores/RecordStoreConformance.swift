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
