public import FieldCore

/// The sources of a zoo's tables.
///
/// ``TaipeiZoo`` queries the portal, and ``ZooFile`` reads files. If a table has several sources, they are tried in turn, as those of a
/// `Catalog` are:
///
/// ```swift
/// var sources = TaipeiZoo(transport: transport).sources
/// sources[.animals]? += ZooFile([.animals: [copy]]).sources[.animals] ?? []
/// let zoo = Zoo(sources: sources, storage: storage, transport: transport)
/// ```
///
/// For another portal, or for rows that your app already has, implement `RecordSource`. Return the complete table in source order:
///
/// ```swift
/// struct TwoAnimals: RecordSource {
///   func fetch(_ request: RecordRequest) async throws -> Batch<ZooRecord> {
///     Batch(animals: [Animal(name: "石虎"), Animal(name: "穿山甲")])
///   }
/// }
/// let zoo = Zoo(sources: [.animals: [TwoAnimals()]], storage: .inMemory)
/// ```
///
/// A source of another table's records is treated as failed. Sources with pages are asked for all rows at once.
public typealias ZooSources = [ZooTable: [any RecordSource<ZooRecord>]]
