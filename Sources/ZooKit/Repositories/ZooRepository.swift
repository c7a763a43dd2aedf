public import FieldCore

/// The store that a zoo keeps the zoo's data in: any `RecordStore` of ``ZooRecord``.
///
/// The default is the store `zoo` of a `Storage`.
public typealias ZooRepository = RecordStore<ZooRecord>

/// The store that a zoo keeps the user's sightings in: any `RecordStore` of ``Sighting``. Their photos are
/// in a `BlobStore`.
///
/// The default is the store `sightings` of a `Storage`. The checkpoint is as precious as the sightings: it
/// has the counter that their numbers come from.
public typealias SightingRepository = RecordStore<Sighting>
