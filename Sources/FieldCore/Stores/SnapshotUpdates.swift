/// The content of a store as it is now, and then the newest after each change.
///
/// A reader that is slower than the changes gets the newest content and misses what was between. The
/// sequence ends when its task is cancelled and when the store is closed; it throws if the store can't be
/// opened. Each iteration is an observer of its own.
///
/// ```swift
/// for try await visits in store.updates() {
///   show(visits.count)
/// }
/// ```
public typealias SnapshotUpdates<Record: StoredRecord> = FieldSequence<Snapshot<Record>, any Error>
