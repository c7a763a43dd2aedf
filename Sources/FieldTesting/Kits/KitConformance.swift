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

// MARK: - Case

extension KitConformance {
  /// A requirement for kits.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String
    /// Creates a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: Creating and opening

    /// Creating a kit does no I/O: it sends no request, and neither opens nor writes anything.
    public static var creation: Self { Self(rawValue: "creation") }
    /// Every method opens a new kit if necessary, once for all callers, and the kit has its data, its age, and the date
    /// of its next refresh.
    public static var firstUse: Self { Self(rawValue: "firstUse") }
    /// The name is that of all kits of the type, and doesn't change.
    public static var name: Self { Self(rawValue: "name") }
    /// Without a network, a new kit opens, is empty, and was never refreshed.
    public static var offlineStart: Self { Self(rawValue: "offlineStart") }
    /// After closing and reopening, a kit has its data and its age without a network.
    public static var reopening: Self { Self(rawValue: "reopening") }
    /// Two kits on one storage see each other's data.
    public static var twoKits: Self { Self(rawValue: "twoKits") }

    // MARK: Refreshing

    /// A refresh fills the kit, sets its age, and reports what it has added.
    public static var refresh: Self { Self(rawValue: "refresh") }
    /// A refresh that finds the same data, or learns that nothing has changed, changes nothing but the age.
    public static var confirmation: Self { Self(rawValue: "confirmation") }
    /// A refresh of a kit with data is conditional, so a source that hasn't changed sends no rows.
    ///
    /// Exclude the case for a source without entity tags, or one that is read page by page.
    public static var conditionalRequests: Self { Self(rawValue: "conditionalRequests") }
    /// The progress never decreases, starts nothing, and ends with the outcome of each refresh, and its sequence ends
    /// when the kit is closed.
    public static var progress: Self { Self(rawValue: "progress") }
    /// The date of the next refresh is in the future after a refresh, and later after a failure.
    ///
    /// With `.scheduled`, a refresh sends requests from that date on, and none before. A kit that schedules nothing has no date, not even after a failure, and a refresh with `.scheduled` sends no
    /// request.
    public static var schedule: Self { Self(rawValue: "schedule") }

    // MARK: Sharing a refresh

    /// Calls during a refresh share its requests and its report: together, they send as many as one.
    ///
    /// A call must join before it leaves the executor that its caller prefers, so a kit on the main actor
    /// may fail.
    public static var sharedRun: Self { Self(rawValue: "sharedRun") }
    /// A call with `.now` doesn't join a refresh that started only if due.
    ///
    /// If refreshes are always due, both send the same requests, so it may.
    public static var nowNeverJoinsWeaker: Self { Self(rawValue: "nowNeverJoinsWeaker") }
    /// Neither a call with `.now` nor one with `.ifDue` joins a refresh of only what is scheduled.
    public static var noneJoinsScheduled: Self { Self(rawValue: "noneJoinsScheduled") }
    /// Canceling one caller, whose call throws `CancellationError`, doesn't affect the others.
    public static var cancellationOfOne: Self { Self(rawValue: "cancellationOfOne") }

    // MARK: Failures of the source

    /// A refresh that fails throws a `FieldError`, and keeps the data and its age.
    public static var failureKeepsData: Self { Self(rawValue: "failureKeepsData") }
    /// An error of the transport keeps its code if it is a `FieldError`, and is otherwise the underlying error of one.
    public static var transportErrors: Self { Self(rawValue: "transportErrors") }
    /// A response that can't be the data (empty, cut in half, an HTML page, an error of the server) is a `FieldError`,
    /// and keeps the data and its age.
    public static var refusals: Self { Self(rawValue: "refusals") }
    /// A transport that retries isn't wrapped in further retries.
    public static var retriesOnce: Self { Self(rawValue: "retriesOnce") }

    // MARK: Rows

    /// A record that the source no longer has is removed although another row can't be read, whose own record is kept, or
    /// a notice says that nothing could be removed.
    public static var removals: Self { Self(rawValue: "removals") }
    /// A response that lacks too many records is refused with a `RefusedRemoval`, until as many removals are accepted,
    /// once.
    public static var refusedRemovals: Self { Self(rawValue: "refusedRemovals") }
    /// A notice says that rows repeat an ID.
    public static var repeatedIDs: Self { Self(rawValue: "repeatedIDs") }
    /// A notice says that an optional value couldn't be read.
    public static var unreadableValues: Self { Self(rawValue: "unreadableValues") }
    /// The next version of the kit fetches its rows at once and in full, although the source hasn't
    /// changed.
    public static var newColumns: Self { Self(rawValue: "newColumns") }

    // MARK: Following

    /// A followed result comes at once, and again after a change, but not after a refresh that changes nothing.
    ///
    /// The sequence ends when the kit is closed.
    public static var following: Self { Self(rawValue: "following") }
    /// If a file can't be opened, following a result throws a `FieldError`.
    public static var followingDamaged: Self { Self(rawValue: "followingDamaged") }

    // MARK: Damage

    /// Damage that opening cut off is in the report of `open()`, or in the notices of one refresh.
    public static var damageIsReportedOnce: Self { Self(rawValue: "damageIsReportedOnce") }
    /// Views contain the damage that opening cut off until it has been reported.
    public static var damageInViews: Self { Self(rawValue: "damageInViews") }
    /// If a file can't be opened, the kit's error says what to do, and the kit can be erased and
    /// used again.
    ///
    /// Erasing sets the file aside.
    public static var damagedHeader: Self { Self(rawValue: "damagedHeader") }

    // MARK: Erasing and closing

    /// An erased kit is empty, has no age, also when it is opened again, and can be filled again.
    public static var erasing: Self { Self(rawValue: "erasing") }
    /// A refresh in flight stores nothing after the kit was erased, and throws `store.conflict`.
    public static var erasingDuringRefresh: Self { Self(rawValue: "erasingDuringRefresh") }
    /// A refresh in flight stores nothing after another kit of the storage was erased.
    public static var erasingByAnother: Self { Self(rawValue: "erasingByAnother") }
    /// Closing stops a refresh in flight, which stores nothing and throws `store.closed`.
    public static var closingDuringRefresh: Self { Self(rawValue: "closingDuringRefresh") }
    /// A closed kit throws a `FieldError` and ends its progress.
    public static var useAfterClose: Self { Self(rawValue: "useAfterClose") }
  }
}

extension KitConformance {
  private struct Row: CatalogRecord { let id: String }

  /// All cases, in the order in which they run.
  package static var allCases: [Case] { KitProbe<Catalog<Row>, Int>.cases.map(\.0) }
}

extension KitProbe {
  static var cases: [(KitConformance.Case, ConformanceBody<Self>)] {
    [
      (.creation, Self.creation), (.firstUse, Self.firstUse), (.name, Self.name),
      (.offlineStart, Self.offlineStart), (.refresh, Self.refresh),
      (.confirmation, Self.confirmation), (.conditionalRequests, Self.conditionalRequests),
      (.schedule, Self.schedule), (.sharedRun, Self.sharedRun),
      (.nowNeverJoinsWeaker, Self.nowNeverJoinsWeaker),
      (.noneJoinsScheduled, Self.noneJoinsScheduled),
      (.cancellationOfOne, Self.cancellationOfOne), (.failureKeepsData, Self.failureKeepsData),
      (.transportErrors, Self.transportErrors), (.refusals, Self.refusals),
      (.retriesOnce, Self.retriesOnce), (.progress, Self.progress), (.reopening, Self.reopening),
      (.twoKits, Self.twoKits), (.erasing, Self.erasing),
      (.removals, Self.removals), (.refusedRemovals, Self.refusedRemovals),
      (.repeatedIDs, Self.repeatedIDs), (.unreadableValues, Self.unreadableValues),
      (.newColumns, Self.newColumns), (.following, Self.following),
      (.followingDamaged, Self.followingDamaged),
      (.erasingDuringRefresh, Self.erasingDuringRefresh),
      (.erasingByAnother, Self.erasingByAnother),
      (.closingDuringRefresh, Self.closingDuringRefresh), (.useAfterClose, Self.useAfterClose),
      (.damageIsReportedOnce, Self.damageIsReportedOnce), (.damageInViews, Self.damageInViews),
      (.damagedHeader, Self.damagedHeader),
    ]
  }
}
