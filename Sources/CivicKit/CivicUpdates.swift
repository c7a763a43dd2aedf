public import FieldCore

/// A sequence of the current view of a directory and the newest one after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. See
/// ``CivicDirectory/updates()``.
public typealias CivicUpdates = ViewUpdates<CivicView>
