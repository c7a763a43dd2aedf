public import FieldCore

/// The store that a directory keeps its tables in: any `RecordStore` of ``CivicRecord``.
///
/// The default is the store `civic` of a `Storage`, or `civic.NAME` for a directory with a name.
public typealias CivicRepository = RecordStore<CivicRecord>

/// The store that a city's feeds keep their items in: any `RecordStore` of ``FeedRecord``.
///
/// The default is the store `civic-feeds` of a `Storage`, or `civic-feeds.NAME` for a directory with a name.
public typealias FeedRepository = RecordStore<FeedRecord>
