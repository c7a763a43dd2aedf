/// An event in a store or a refresh, for logs, metrics, and traces.
///
/// An event consists of names and numbers. It never contains a record, a URL, a path, or an error
/// message, so it can't reveal a secret; the caller of the operation has the error itself.
///
/// Each operation has one event with the step ``Step/began`` and, with the same ``operation``, one
/// with ``Step/ended``, ``Step/failed``, or ``Step/cancelled``. Events with ``Step/occurred`` stand
/// alone or happen within an operation.
///
/// ```swift
/// let observer = FieldObserver { event in
///   if event.level >= .warning { print(event) }
/// }
/// ```
public struct FieldEvent: Sendable, Hashable {
  /// The name of what happened, such as `store.commit`.
  public var name: Name
  /// The name of the store or kit, such as `zoo`.
  public var subject: String
  /// The name of the part of the kit that is refreshed, such as `animals`.
  public var part: String?
  /// The number of the operation, which all its events share.
  ///
  /// Numbers are unique within a process.
  public var operation: Int
  /// The number of the operation that this one is part of; `nil` if there is none.
  public var parent: Int?
  /// The step of the operation.
  public var step: Step
  /// The outcome of a refresh that ended, as in ``RefreshReport/Outcome``.
  public var outcome: String?
  /// The code of the error; `nil` if there is none, or if it isn't a ``FieldError``.
  public var code: FieldError.Code?
  /// The time since the operation began; `nil` until it ends.
  public var duration: Duration?
  /// The quantities of the event.
  public var measures: [Measure: Int]

  /// Creates an event.
  public init(
    _ name: Name, of subject: String, part: String? = nil, operation: Int, parent: Int? = nil,
    step: Step, outcome: String? = nil, code: FieldError.Code? = nil, duration: Duration? = nil,
    measures: [Measure: Int] = [:]
  ) {
    self.name = name
    self.subject = subject
    self.part = part
    self.operation = operation
    self.parent = parent
    self.step = step
    self.outcome = outcome
    self.code = code
    self.duration = duration
    self.measures = measures
  }

  /// The steps of an operation.
  public enum Step: String, Sendable, Hashable {
    /// The operation has begun.
    case began
    /// Something happened at a single moment.
    case occurred
    /// The operation has succeeded.
    case ended
    /// The operation has failed.
    case failed
    /// The operation was canceled.
    case cancelled
  }

  /// Levels of importance, least important first.
  public enum Level: Int, Sendable, Hashable, Comparable {
    /// The event is part of normal work.
    case debug
    /// The event changed what users see.
    case info
    /// Something failed that will be tried again, or damaged data was set aside.
    case warning
    /// Data couldn't be stored or read.
    case error

    /// Returns a Boolean value that indicates whether the left level is less important.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }
}

extension FieldEvent {
  /// The importance of the event.
  public var level: Level {
    switch (step, name) {
    case (.failed, .refresh), (.failed, .refreshPart), (.occurred, .storeSetAside): .warning
    case (.failed, _) where code == .conflict: .info
    case (.failed, _), (.occurred, .storeSyncFailure): .error
    case (.ended, .refresh) where outcome == "updated": .info
    case (.ended, .kitErase), (.occurred, .refreshRetry), (.cancelled, _): .info
    default: .debug
    }
  }

  /// A short label for metrics: the outcome, the code of the error, or the step.
  ///
  /// Labels come from a small set.
  public var label: String { code?.rawValue ?? outcome ?? step.rawValue }

  /// Everything except for the name, as text, for structured logs and spans.
  ///
  /// The duration is in seconds.
  public var metadata: [String: String] {
    var metadata = ["subject": subject, "operation": "\(operation)", "step": step.rawValue]
    metadata["part"] = part
    metadata["parent"] = parent.map(String.init)
    metadata["outcome"] = outcome
    metadata["code"] = code?.rawValue
    metadata["duration"] = duration.map { "\($0 / .seconds(1))" }
    for (measure, value) in measures { metadata[measure.rawValue] = "\(value)" }
    return metadata
  }
}

extension FieldEvent: CustomStringConvertible {
  /// The event on one line, such as `store.commit zoo #7 ended, 1.2 ms, bytes 3201, records 12`.
  public var description: String {
    let place = part.map { "\(subject)/\($0)" } ?? subject
    var text = "\(name) \(place) #\(operation) \(step.rawValue)"
    if let outcome { text += ", \(outcome)" }
    if let code { text += ", \(code)" }
    if let duration {
      text += ", \((duration / .microseconds(100)).rounded() / 10) ms"
    }
    for (measure, value) in measures.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      text += ", \(measure) \(value)"
    }
    return text
  }
}

// MARK: - Names

extension FieldEvent {
  /// The name of an event, from an open set of dotted names that don't change.
  public struct Name: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The dotted name.
    public var rawValue: String
    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The dotted name.
    public var description: String { rawValue }

    // MARK: Kits

    /// A kit opens its stores.
    public static var kitOpen: Self { Self(rawValue: "kit.open") }
    /// A kit deletes its data.
    public static var kitErase: Self { Self(rawValue: "kit.erase") }
    /// A kit refreshes its data, for all concurrent callers.
    public static var refresh: Self { Self(rawValue: "refresh") }
    /// A kit refreshes one of its parts, such as a table or a feed.
    public static var refreshPart: Self { Self(rawValue: "refresh.part") }
    /// A page of rows was stored.
    public static var refreshPage: Self { Self(rawValue: "refresh.page") }
    /// A page is requested again, in another way.
    public static var refreshRetry: Self { Self(rawValue: "refresh.retry") }
    /// A caller joined a refresh in flight.
    public static var refreshJoin: Self { Self(rawValue: "refresh.join") }

    // MARK: Stores

    /// A store is opened.
    public static var storeOpen: Self { Self(rawValue: "store.open") }
    /// A batch of changes is committed.
    public static var storeCommit: Self { Self(rawValue: "store.commit") }
    /// A store's file is rewritten without outdated records, or after a failed sync.
    public static var storeCompaction: Self { Self(rawValue: "store.compaction") }
    /// Damaged data was cut off and saved next to the store.
    public static var storeSetAside: Self { Self(rawValue: "store.setAside") }
    /// The device failed to confirm a write.
    public static var storeSyncFailure: Self { Self(rawValue: "store.syncFailure") }
    /// A store waits for the lock that another process holds.
    public static var storeLockWait: Self { Self(rawValue: "store.lockWait") }
  }

  /// The name of a quantity, from an open set of names that don't change.
  public struct Measure: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public var rawValue: String
    /// Creates a name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }

    /// The number of stored records; for a commit, that of changes.
    public static var records: Self { Self(rawValue: "records") }
    /// The number of bytes that were written or set aside; for an opening, the size of the file.
    public static var bytes: Self { Self(rawValue: "bytes") }
    /// The size of the file before a compaction, in bytes.
    public static var previousBytes: Self { Self(rawValue: "previousBytes") }
    /// The number of the store's revision.
    public static var revision: Self { Self(rawValue: "revision") }
    /// The number of damaged parts that an opening found.
    public static var cuts: Self { Self(rawValue: "cuts") }
    /// The number of rows that the source returned, or for a retry, the number that is requested.
    public static var rows: Self { Self(rawValue: "rows") }
    /// The number of new records.
    public static var added: Self { Self(rawValue: "added") }
    /// The number of changed records.
    public static var updated: Self { Self(rawValue: "updated") }
    /// The number of deleted records.
    public static var removed: Self { Self(rawValue: "removed") }
    /// The number of records that the source returned as they are stored.
    public static var unchanged: Self { Self(rawValue: "unchanged") }
    /// The number of rows that couldn't be used.
    public static var failedRows: Self { Self(rawValue: "failedRows") }
    /// The number of notices in the report of a refresh.
    public static var notices: Self { Self(rawValue: "notices") }
  }
}
