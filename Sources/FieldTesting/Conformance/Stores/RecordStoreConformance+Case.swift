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
