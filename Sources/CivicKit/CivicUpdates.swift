public import FieldCore

/// A directory as it is, and then the newest after each change: see ``CivicDirectory/updates()``.
///
/// A slow reader misses states in between, never the newest one.
public typealias CivicUpdates = ViewUpdates<CivicView>
