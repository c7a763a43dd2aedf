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
/// refreshing are skipped if the kit has nothing to fetch, and so are those that need a closure that
/// you don't pass.
public enum KitConformance {
  /// A closure that answers the requests of a kit.
  public typealias Answer = @Sendable (TransportRequest) async throws -> TransportResponse

  /// Runs the cases one after another, each with its own kit and storage.
  ///
  /// - Parameters:
  ///   - excluding: The cases to skip because the kit doesn't support them.
  ///   - sourceLocation: The location at which failures are reported.
  ///   - makeKit: A closure that creates the kit with the storage, the transport, and the clock of
  ///     a bench. It is called several times per case; kits of one bench share the storage.
  ///   - responding: A closure that returns the response to a request of the kit, always the same
  ///     one.
  ///   - later: A closure that returns a later response of the same source: it lacks one record, contains a
  ///     row that can't be read, best of a stored record, and repeats the ID of another row. Without it, the cases
  ///     ``Case/removals`` and ``Case/repeatedIDs`` are skipped.
  ///   - lacking: A closure that returns a response that lacks so many records that the kit must refuse it.
  ///     Without it, the case ``Case/refusedRemovals`` is skipped.
  ///   - unreadable: A closure that returns a response with an optional value that can't be read. Without it, the case
  ///     ``Case/unreadableValues`` is skipped.
  ///   - upgrading: A closure that creates the kit as the next version of the app, whose record reads
  ///     one column more. Without it, the case ``Case/newColumns`` is skipped.
  ///   - filling: A closure that fills the kit. Defaults to refreshing it.
  ///   - damage: A closure that returns the damage that the kit's views contain. Without it, the case
  ///     ``Case/damageInViews`` is skipped.
  ///   - following: A closure that follows the content, such as with `updates(of:)`. Without it, the cases
  ///     ``Case/following`` and ``Case/followingDamaged`` are skipped.
  ///   - content: A closure that returns the kit's content without fetching anything: two kits with
  ///     equal content return equal values.
  public static func run<K: Kit, Content: Equatable & Sendable>(
    excluding: Set<Case> = [], sourceLocation: SourceLocation = #_sourceLocation,
    _ makeKit: @escaping @Sendable (KitBench) throws -> K,
    responding: @escaping Answer, later: Answer? = nil, lacking: Answer? = nil,
    unreadable: Answer? = nil,
    upgrading: (@Sendable (KitBench) throws -> any Kit)? = nil,
    filling: @escaping @Sendable (K) async throws -> Void = { try await $0.refresh(.now) },
    damage: (@Sendable (K) async throws -> [OpeningReport.Cut])? = nil,
    following: (@Sendable (K) -> FieldSequence<Content, any Error>)? = nil,
    content: @escaping @Sendable (K) async throws -> Content
  ) async throws {
    try await failures(
      excluding: excluding, makeKit, responding: responding, later: later, lacking: lacking,
      unreadable: unreadable, upgrading: upgrading, filling: filling, damage: damage,
      following: following, content: content
    ).record(at: sourceLocation)
  }

  /// Returns the failures that `run` would record, with a time limit per case.
  package static func failures<K: Kit, Content: Equatable & Sendable>(
    excluding: Set<Case> = [], patience: Duration = .seconds(120),
    _ makeKit: @escaping @Sendable (KitBench) throws -> K,
    responding: @escaping Answer, later: Answer? = nil, lacking: Answer? = nil,
    unreadable: Answer? = nil,
    upgrading: (@Sendable (KitBench) throws -> any Kit)? = nil,
    filling: @escaping @Sendable (K) async throws -> Void = { try await $0.refresh(.now) },
    damage: (@Sendable (K) async throws -> [OpeningReport.Cut])? = nil,
    following: (@Sendable (K) -> FieldSequence<Content, any Error>)? = nil,
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
            lacking: lacking, unreadable: unreadable, upgrade: upgrading, fill: filling,
            damage: damage, follow: following, content: content)
          try await body(probe)()
        }
      }
    }
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
