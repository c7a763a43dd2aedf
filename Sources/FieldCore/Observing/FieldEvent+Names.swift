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
