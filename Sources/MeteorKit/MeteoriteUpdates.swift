public import FieldCore

/// The meteorites as they are, and then the newest after each change: see ``MeteoriteCatalog/updates()``.
///
/// A slow reader misses states in between, never the newest one.
public typealias MeteoriteUpdates = ViewUpdates<MeteoriteView>
