/// The steps of refreshes as they come, for a progress bar.
///
/// A slow reader misses steps in between, never the newest one.
public typealias RefreshProgressUpdates = FieldSequence<RefreshProgress, Never>
