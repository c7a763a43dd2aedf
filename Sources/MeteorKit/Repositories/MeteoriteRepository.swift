public import FieldCore

/// The store that a catalog keeps its meteorites in: any `RecordStore` of meteorites.
///
/// The default is the store `meteorites` of a `Storage`. To keep meteorites in your own database, implement
/// `RecordStore` with `Record` being ``Meteorite``, and prove it with `RecordStoreConformance`.
public typealias MeteoriteRepository = RecordStore<Meteorite>
