public import FieldCore

/// The store in which a catalog keeps its meteorites: any `RecordStore` of meteorites.
///
/// By default, it is the store `meteorites` of a `Storage`. To use your own database, implement
/// `RecordStore` with ``Meteorite`` as its `Record`, and verify it with `RecordStoreConformance`.
public typealias MeteoriteRepository = RecordStore<Meteorite>
