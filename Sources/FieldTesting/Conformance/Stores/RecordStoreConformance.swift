public import FieldCore
public import FieldFoundation
public import Testing

/// Proves that a store keeps to the contract of `RecordStore`.
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
/// A store whose content survives the process is proved with a folder instead, and is then opened
/// again and again:
///
/// ```swift
/// try await RecordStoreConformance.run(reopening: { folder in
///   MyFileStore(folder.appending(path: "records"))
/// })
/// ```
///
/// The store is one of ``ConformanceRecord``; when it is generic over its records, that is inferred.
/// Every case that fails records an issue that names the case and says what was seen. A case ends
/// after two minutes at the latest, even when the store never returns.
public enum RecordStoreConformance {
  /// Makes a store, empty unless told otherwise.
  typealias Maker = @Sendable () async throws -> any RecordStore<ConformanceRecord>

  /// Runs the cases, one after the other, each with a store of its own.
  ///
  /// - Parameters:
  ///   - excluding: The cases to leave out, for what a store is known not to do.
  ///   - sourceLocation: Where failures are shown.
  ///   - makeStore: Makes a new, empty store.
  public static func run(
    excluding: Set<Case> = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ makeStore: @escaping @Sendable () async throws -> any RecordStore<ConformanceRecord>
  ) async throws {
    for failure in try await failures(excluding: excluding, makeStore) {
      Issue.record("\(failure)", sourceLocation: sourceLocation)
    }
  }

  /// Runs the cases of a store that lasts, those of opening it again included.
  ///
  /// - Parameters:
  ///   - excluding: The cases to leave out, for what a store is known not to do.
  ///   - sourceLocation: Where failures are shown.
  ///   - openStore: Opens the store that is kept in a folder, which is empty when a case begins and is
  ///     removed when it ends. It is called again for the same folder when the case has let go of the
  ///     store that it had.
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

  /// What ``run(excluding:sourceLocation:_:)`` would record; a case is given up after `patience`.
  package static func failures(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    _ makeStore: @escaping @Sendable () async throws -> any RecordStore<ConformanceRecord>
  ) async throws -> [Failure] {
    try await failures(of: cases, excluding: excluding, patience: patience) { body in
      try await body(makeStore)
    }
  }

  /// What ``run(excluding:sourceLocation:reopening:)`` would record; a case is given up after
  /// `patience`.
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

  /// All cases, those of opening a store again included.
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

  /// A case that needs one store.
  private static func one(
    _ body: @escaping @Sendable (StoreProbe) async throws -> Void
  ) -> Body {
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
