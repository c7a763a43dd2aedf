public import FieldCore
public import Testing

/// A test suite for the contract of `Kit`.
///
/// ### How to use it
///
/// ```swift
/// @Test("the bikes keep to the contract of a kit")
/// func conformance() async throws {
///   try await KitConformance.run { bench in
///     Catalog<BikeStation>(
///       "bikes", at: url, storage: bench.storage, transport: bench.transport, clock: bench.clock)
///   } responding: { request in
///     TransportResponse(status: 200, body: .text(rows))
///   } content: { bikes in
///     try await bikes.view().all.map(\.id)
///   }
/// }
/// ```
///
/// Every failing case records an issue with its name and its observation. The cases about
/// refreshing are skipped if the kit has nothing to fetch.
public enum KitConformance {
  /// Runs the cases one after another, each with its own kit and storage.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the kit doesn't support them.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - makeKit: A closure that creates the kit with the storage, the transport, and the clock of
  ///     a bench. It is called several times per case; kits of one bench share the storage.
  ///   - responding: A closure that returns the response to a request of the kit, always the same
  ///     one.
  ///   - later: A closure that returns a later response of the same source: it lacks a record, contains a
  ///     row that can't be read, and repeats the ID of another row. Without it, the cases
  ///     ``Case/removals`` and ``Case/repeatedIDs`` are skipped.
  ///   - upgrading: A closure that creates the kit as the next version of the app, whose record reads
  ///     one column more. Without it, the case ``Case/newColumns`` is skipped.
  ///   - filling: A closure that fills the kit. Defaults to refreshing it.
  ///   - content: A closure that returns the kit's content without fetching anything: two kits with
  ///     equal content return equal values.
  public static func run<K: Kit, Content: Equatable & Sendable>(
    excluding: Set<Case> = [], sourceLocation: SourceLocation = #_sourceLocation,
    _ makeKit: @escaping @Sendable (KitBench) throws -> K,
    responding: @escaping @Sendable (TransportRequest) async throws -> TransportResponse,
    later: (@Sendable (TransportRequest) async throws -> TransportResponse)? = nil,
    upgrading: (@Sendable (KitBench) throws -> any Kit)? = nil,
    filling: @escaping @Sendable (K) async throws -> Void = { try await $0.refresh(.now) },
    content: @escaping @Sendable (K) async throws -> Content
  ) async throws {
    try await failures(
      excluding: excluding, makeKit, responding: responding, later: later, upgrading: upgrading,
      filling: filling, content: content
    ).record(at: sourceLocation)
  }

  /// Returns the failures that ``run(excluding:sourceLocation:_:responding:later:upgrading:filling:content:)``
  /// would record, with a time limit per case.
  package static func failures<K: Kit, Content: Equatable & Sendable>(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    _ makeKit: @escaping @Sendable (KitBench) throws -> K,
    responding: @escaping @Sendable (TransportRequest) async throws -> TransportResponse,
    later: (@Sendable (TransportRequest) async throws -> TransportResponse)? = nil,
    upgrading: (@Sendable (KitBench) throws -> any Kit)? = nil,
    filling: @escaping @Sendable (K) async throws -> Void = { try await $0.refresh(.now) },
    content: @escaping @Sendable (K) async throws -> Content
  ) async throws -> [ConformanceFailure<Case>] {
    try await ConformanceRun(
      subject: "kit conformance", cases: KitProbe<K, Content>.cases, excluding: excluding,
      patience: patience
    ).failures { body in
      {
        try await withTemporaryFolder { folder in
          let clock = KitClock()
          let probe = KitProbe(
            folder: folder, transport: KitTransport(responding), clock: clock,
            storage: .directory(folder, clock: clock), makeKit: makeKit, later: later,
            upgrade: upgrading, fill: filling, content: content)
          try await body(probe)()
        }
      }
    }
  }

  /// A requirement for kits.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String
    /// Creates a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Without a network, a new kit opens, is empty, and was never refreshed.
    public static var offlineStart: Self { Self(rawValue: "offlineStart") }
    /// A refresh fills the kit and sets its age.
    public static var refresh: Self { Self(rawValue: "refresh") }
    /// Calls during a refresh share its requests and its report: together, they send as many as one.
    ///
    /// A call must join before it leaves the executor that its caller prefers, so a kit on the main actor
    /// may fail.
    public static var sharedRun: Self { Self(rawValue: "sharedRun") }
    /// A call with `.now` doesn't join a refresh that started only if due.
    ///
    /// If refreshes are always due, both send the same requests, so it may.
    public static var nowNeverJoinsWeaker: Self { Self(rawValue: "nowNeverJoinsWeaker") }
    /// Canceling one caller doesn't affect the others.
    public static var cancellationOfOne: Self { Self(rawValue: "cancellationOfOne") }
    /// A refresh that fails throws a `FieldError`, and keeps the data and its age.
    public static var failureKeepsData: Self { Self(rawValue: "failureKeepsData") }
    /// A transport that retries isn't wrapped in further retries.
    public static var retriesOnce: Self { Self(rawValue: "retriesOnce") }
    /// The progress never decreases and ends with an outcome, and its sequence ends when the kit is
    /// closed.
    public static var progress: Self { Self(rawValue: "progress") }
    /// After closing and reopening, a kit has its data and its age without a network.
    public static var reopening: Self { Self(rawValue: "reopening") }
    /// Two kits on one storage see each other's data.
    public static var twoKits: Self { Self(rawValue: "twoKits") }
    /// An erased kit is empty, has no age, and can be filled again.
    public static var erasing: Self { Self(rawValue: "erasing") }
    /// A refresh in flight stores nothing after the kit was erased, and throws `store.conflict`.
    public static var erasingDuringRefresh: Self { Self(rawValue: "erasingDuringRefresh") }
    /// A closed kit throws a `FieldError` and ends its progress.
    public static var useAfterClose: Self { Self(rawValue: "useAfterClose") }
    /// A record that the source no longer has is removed although another row can't be read, or a
    /// notice says that nothing could be removed.
    public static var removals: Self { Self(rawValue: "removals") }
    /// A notice says that rows repeat an ID.
    public static var repeatedIDs: Self { Self(rawValue: "repeatedIDs") }
    /// The next version of the kit fetches its rows at once and in full, although the source hasn't
    /// changed.
    public static var newColumns: Self { Self(rawValue: "newColumns") }
    /// Damage that opening cut off is in the report of `open()`, or in the notices of one refresh.
    public static var damageIsReportedOnce: Self { Self(rawValue: "damageIsReportedOnce") }
    /// If a file can't be opened, the kit's error says what to do, and the kit can be erased and
    /// used again.
    public static var damagedHeader: Self { Self(rawValue: "damagedHeader") }
  }
}

/// The environment of a kit under test.
public struct KitBench: Sendable {
  /// The storage.
  public let storage: Storage
  /// The transport, which responds, fails, and waits as a case requires.
  public let transport: any Transport
  /// The clock, which stands still until a case moves it.
  public let clock: any FieldClock
}

extension KitProbe {
  fileprivate static var cases: [(KitConformance.Case, ConformanceBody<Self>)] {
    [
      (.offlineStart, Self.offlineStart), (.refresh, Self.refresh), (.sharedRun, Self.sharedRun),
      (.nowNeverJoinsWeaker, Self.nowNeverJoinsWeaker),
      (.cancellationOfOne, Self.cancellationOfOne), (.failureKeepsData, Self.failureKeepsData),
      (.retriesOnce, Self.retriesOnce), (.progress, Self.progress), (.reopening, Self.reopening),
      (.twoKits, Self.twoKits), (.erasing, Self.erasing),
      (.removals, Self.removals), (.repeatedIDs, Self.repeatedIDs), (.newColumns, Self.newColumns),
      (.erasingDuringRefresh, Self.erasingDuringRefresh), (.useAfterClose, Self.useAfterClose),
      (.damageIsReportedOnce, Self.damageIsReportedOnce), (.damagedHeader, Self.damagedHeader),
    ]
  }
}
