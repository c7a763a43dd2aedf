public import FieldCore

/// A sequence that yields the current meteorites first, then the newest after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. See
/// ``MeteoriteCatalog/updates()``.
public typealias MeteoriteUpdates = ViewUpdates<MeteoriteView>
