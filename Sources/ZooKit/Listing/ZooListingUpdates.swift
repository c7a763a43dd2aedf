public import FieldCore

/// A sequence that yields the current list first, then the newest after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. The sequence ends when its
/// task is canceled or the zoo is closed, at any moment. It throws `FieldError` if a store can't be
/// opened.
public typealias ZooListingUpdates = FieldSequence<ZooListing, any Error>
