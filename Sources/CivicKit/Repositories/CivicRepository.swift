public import FieldCore

/// The store of a directory's tables: any `RecordStore` of ``CivicRecord``.
///
/// By default, it is the store `civic` of a `Storage`, or `civic.NAME` if the directory has another
/// name.
public typealias CivicRepository = RecordStore<CivicRecord>

/// The store of the feeds' items: any `RecordStore` of ``FeedRecord``.
///
/// By default, it is the store `civic-feeds` of a `Storage`, or `civic-feeds.NAME` if the directory
/// has another name.
public typealias FeedRepository = RecordStore<FeedRecord>
