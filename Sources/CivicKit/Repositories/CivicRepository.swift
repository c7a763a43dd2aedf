public import FieldCore

/// The store that a directory keeps its tables in: any `RecordStore` of ``CivicRecord``.
///
/// The default is the store `civic` of a `Storage`. An app that has the directories of two cities gives each a
/// store of its own.
public typealias CivicRepository = RecordStore<CivicRecord>

/// The store that a city's feeds keep their items in: any `RecordStore` of ``FeedRecord``.
///
/// The default is the store `civic-feeds` of a `Storage`.
public typealias FeedRepository = RecordStore<FeedRecord>
