/// The steps of refreshes as they occur, for a progress bar.
///
/// Slow consumers skip intermediate steps, but never the newest.
public typealias RefreshProgressUpdates = FieldSequence<RefreshProgress, Never>
