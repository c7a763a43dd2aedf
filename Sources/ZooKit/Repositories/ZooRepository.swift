public import FieldCore

/// The store in which a zoo keeps the zoo's data: any `RecordStore` of ``ZooRecord``.
///
/// By default, it is the store `zoo` of a `Storage`.
public typealias ZooRepository = RecordStore<ZooRecord>

/// The store in which a zoo keeps the user's sightings: any `RecordStore` of ``Sighting``.
///
/// By default, it is the store `sightings` of a `Storage`; the photos are in a `BlobStore`. The
/// checkpoint is as precious as the sightings because it contains the counter for their numbers.
public typealias SightingRepository = RecordStore<Sighting>
