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
    for failure in try await failures(excluding: excluding, makeStore) {
      Issue.record("\(failure)", sourceLocation: sourceLocation)
    }
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
    for failure in try await failures(excluding: excluding, reopening: openStore) {
      Issue.record("\(failure)", sourceLocation: sourceLocation)
    }
  }

  /// Returns the failures that ``run(excluding:sourceLocation:_:)`` would record, with a time limit
  /// per case.
  package static func failures(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    _ makeStore: @escaping @Sendable () async throws -> any RecordStore<ConformanceRecord>
  ) async throws -> [Failure] {
    try await failures(of: cases, excluding: excluding, patience: patience) { body in
      try await body(makeStore)
    }
  }

  /// Returns the failures that ``run(excluding:sourceLocation:reopening:)`` would record, with a
  /// time limit per case.
  package static func failures(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    reopening openStore:
      @escaping @Sendable (URL) async throws -> any RecordStore<ConformanceRecord>
  ) async throws -> [Failure] {
    try await failures(of: cases + lastingCases, excluding: excluding, patience: patience) { body in
      try await withTemporaryFolder { folder in
        try await body { try await openStore(folder) }
      }
    }
  }

  /// All cases, including those of reopening a store.
  package static var allCases: Set<Case> { Set((cases + lastingCases).map(\.0)) }

  private static func failures(
    of cases: [(Case, Body)], excluding: Set<Case>, patience: Duration,
    _ run: @escaping @Sendable (Body) async throws -> Void
  ) async throws -> [Failure] {
    try await ConformanceRun(
      subject: "record store conformance", cases: cases, excluding: excluding, patience: patience
    ).failures { body in { try await run(body) } }
  }

  /// A case that failed.
  package typealias Failure = ConformanceFailure<Case>

  private typealias Body = @Sendable (Maker) async throws -> Void

  /// Returns a case that needs one store.
  private static func one(_ body: @escaping @Sendable (StoreProbe) async throws -> Void) -> Body {
    { makeStore in try await body(StoreProbe(store: try await makeStore())) }
  }

  private static var cases: [(Case, Body)] {
    [
      (.emptyAtFirst, one { try await $0.emptyAtFirst() }),
      (.order, one { try await $0.order() }),
      (.removal, one { try await $0.removal() }),
      (.reinsertion, one { try await $0.reinsertion() }),
      (.lastStep, one { try await $0.lastStep() }),
      (.removeAll, one { try await $0.removeAll() }),
      (.lookup, one { try await $0.lookup() }),
      (.oddValues, one { try await $0.oddValues() }),
      (.largeBatch, one { try await $0.largeBatch() }),
      (.changedIDs, one { try await $0.changedIDs() }),
      (.atomicity, one { try await $0.atomicity() }),
      (.checkpoint, one { try await $0.checkpoint() }),
      (.revision, one { try await $0.revision() }),
      (.noChange, one { try await $0.noChange() }),
      (.expecting, one { try await $0.expecting() }),
      (.conflict, one { try await $0.conflict() }),
      (.concurrentCommits, one { try await $0.concurrentCommits() }),
      (.concurrentUpdates, one { try await $0.concurrentUpdates() }),
      (.snapshotsKept, one { try await $0.snapshotsKept() }),
      (.updates, one { try await $0.updates() }),
      (.slowObserver, one { try await $0.slowObserver() }),
      (.severalObservers, one { try await $0.severalObservers() }),
      (.cancellation, one { try await $0.cancellation() }),
    ]
  }

  private static var lastingCases: [(Case, Body)] {
    [
      (.reopening, { try await StoreProbe.reopening($0) }),
      (.reopeningEmpty, { try await StoreProbe.reopeningEmpty($0) }),
      (.reopeningOften, { try await StoreProbe.reopeningOften($0) }),
      (.reopeningChanged, { try await StoreProbe.reopeningChanged($0) }),
    ]
  }
}
