extension RecordStoreConformance {
  /// One thing that a store must do.
  public struct Case: RawRepresentable, Hashable, Sendable {
    /// The name.
    public var rawValue: String

    /// Makes a case from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: content

    /// A new store has no records and no checkpoint, at revision zero.
    public static var emptyAtFirst: Self { Self(rawValue: "emptyAtFirst") }
    /// Records keep the order of their first insertion, and an update does not move one.
    public static var order: Self { Self(rawValue: "order") }
    /// A record that was removed is gone, and one that is not there can be removed.
    public static var removal: Self { Self(rawValue: "removal") }
    /// A record that was removed and comes back goes to the end, within one batch too.
    public static var reinsertion: Self { Self(rawValue: "reinsertion") }
    /// Of several steps of a batch on one id the last one counts.
    public static var lastStep: Self { Self(rawValue: "lastStep") }
    /// Everything can be removed, and what the same batch inserts afterwards is there.
    public static var removeAll: Self { Self(rawValue: "removeAll") }
    /// A record is found by its id, and none by an id that is not there.
    public static var lookup: Self { Self(rawValue: "lookup") }
    /// Any text can be an id or a value, byte for byte: empty, with slashes, zeros, emoji.
    public static var oddValues: Self { Self(rawValue: "oddValues") }
    /// Five thousand records go into one batch.
    public static var largeBatch: Self { Self(rawValue: "largeBatch") }
    /// The ids that changed since a revision are right, when the store tells any.
    public static var changedIDs: Self { Self(rawValue: "changedIDs") }

    // MARK: commits

    /// Nobody sees a part of a batch, or its rows without its checkpoint.
    public static var atomicity: Self { Self(rawValue: "atomicity") }
    /// A checkpoint is given back as it was, and stays when a commit has none.
    public static var checkpoint: Self { Self(rawValue: "checkpoint") }
    /// A commit that changes something raises the revision, and returns the one of its content.
    public static var revision: Self { Self(rawValue: "revision") }
    /// A commit that changes nothing succeeds and leaves all as it was.
    public static var noChange: Self { Self(rawValue: "noChange") }
    /// A commit for the present revision succeeds.
    public static var expecting: Self { Self(rawValue: "expecting") }
    /// A commit for another revision throws `FieldError.Code.conflict` and changes nothing.
    public static var conflict: Self { Self(rawValue: "conflict") }
    /// Fifty commits at once all land, each with a revision of its own.
    public static var concurrentCommits: Self { Self(rawValue: "concurrentCommits") }
    /// Changes that are made from the content, by several tasks at once, are none of them lost.
    public static var concurrentUpdates: Self { Self(rawValue: "concurrentUpdates") }

    // MARK: snapshots and updates

    /// A snapshot never changes, however many commits follow.
    public static var snapshotsKept: Self { Self(rawValue: "snapshotsKept") }
    /// Updates give the present content first, and then the newest after each change.
    public static var updates: Self { Self(rawValue: "updates") }
    /// A slow reader of updates gets to the newest content, and never back to an older one.
    public static var slowObserver: Self { Self(rawValue: "slowObserver") }
    /// Several readers of updates each see every change that they wait for.
    public static var severalObservers: Self { Self(rawValue: "severalObservers") }
    /// Updates end, without an error, when their task is cancelled.
    public static var cancellation: Self { Self(rawValue: "cancellation") }

    // MARK: stores that last

    /// A store that is opened again has the same records in the same order, the checkpoint, and a
    /// revision that is not lower.
    public static var reopening: Self { Self(rawValue: "reopening") }
    /// A store that nothing was committed to can be opened again, and is empty.
    public static var reopeningEmpty: Self { Self(rawValue: "reopeningEmpty") }
    /// Commits go on after each of several openings.
    public static var reopeningOften: Self { Self(rawValue: "reopeningOften") }
    /// Removals, replacements, and insertions after them are there after each opening, in the same order.
    public static var reopeningChanged: Self { Self(rawValue: "reopeningChanged") }
  }
}
