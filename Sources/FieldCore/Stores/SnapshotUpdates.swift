/// The current content of a store, and the newest content after each change.
///
/// Slow consumers skip intermediate states and get the newest. The sequence ends when its task is
/// canceled or the store is closed, and throws if the store can't be opened. Iterations are
/// independent of each other.
///
/// ```swift
/// for try await visits in store.updates() {
///   show(visits.count)
/// }
/// ```
public typealias SnapshotUpdates<Record: StoredRecord> = FieldSequence<Snapshot<Record>, any Error>
