public import FieldCore

/// A record of a directory: a row of one of its tables, or all links of one ID.
///
/// All tables are in one store, so a sync is one commit. The links of one ID are one record because
/// they are replaced together. Rows of small tables are stored indirectly, so that the many units
/// are copied as single references.
public enum CivicRecord: StoredRecord, Hashable {
  /// A unit.
  case unit(CivicUnit)
  /// A category.
  indirect case category(UnitCategory)
  /// The categories that one unit is in.
  case memberships(CivicUnit.ID, [UnitMembership])
  /// A keyword.
  indirect case keyword(CivicKeyword)
  /// The keywords that one unit or category is linked to.
  case keywordLinks(String, [KeywordLink])
  /// The synonyms of one unit.
  case synonyms(CivicUnit.ID, [UnitSynonym])
  /// A banner.
  indirect case banner(CivicBanner)
  /// An app.
  indirect case app(CivicApp)
  /// A page of the guide.
  indirect case instruction(InstructionPage)
  /// An entry of the search history.
  case search(SearchEntry)
  /// A flag that records an earlier launch.
  case launch(LaunchFlag)
  /// An activity of the table `hot`.
  indirect case activity(CityActivity)

  /// The key: the table and the key within it.
  public struct ID: Sendable, Hashable, Codable {
    /// The table.
    package enum Table: UInt8, Sendable, Hashable, Codable {
      case unit, category, memberships, keyword, keywordLinks, synonyms, banner, app, instruction
      case search, launch, activity
    }

    package let table: Table
    package let key: String

    package init(_ table: Table, _ key: String) {
      self.table = table
      self.key = key
    }
  }

  /// The key of the record.
  public var id: ID {
    switch self {
    case .unit(let unit): ID(.unit, unit.id.rawValue)
    case .category(let category): ID(.category, category.id.rawValue)
    case .memberships(let id, _): ID(.memberships, id.rawValue)
    case .keyword(let keyword): ID(.keyword, keyword.id.rawValue)
    case .keywordLinks(let id, _): ID(.keywordLinks, id)
    case .synonyms(let id, _): ID(.synonyms, id.rawValue)
    case .banner(let banner): ID(.banner, banner.id.rawValue)
    case .app(let app): ID(.app, app.id.rawValue)
    case .instruction(let page): ID(.instruction, String(page.id))
    case .search(let entry): ID(.search, entry.text)
    case .launch(let flag): ID(.launch, flag.rawValue)
    case .activity(let activity): ID(.activity, activity.id.rawValue)
    }
  }

  /// The unit that the record contains; `nil` if it contains something else.
  var unit: CivicUnit? { if case .unit(let unit) = self { unit } else { nil } }

  /// The number of table rows that the record contains.
  var rowCount: Int {
    switch self {
    case .memberships(_, let links): links.count
    case .keywordLinks(_, let links): links.count
    case .synonyms(_, let synonyms): synonyms.count
    default: 1
    }
  }
}

// MARK: - Storage

extension CivicRecord {
  /// The name in store files.
  public static var storedName: String { "CivicRecord" }

  /// Writes a byte for the table, followed by the row.
  ///
  /// Rows of the large tables are written value by value, because they are read each time a
  /// directory opens. Rows of the small tables are written as JSON.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(byte: id.table.rawValue)
    switch self {
    case .unit(let unit): unit.write(to: &writer)
    case .category(let category): category.write(to: &writer)
    case .memberships(let id, let links):
      writer.write(id.rawValue)
      writer.write(links) { $1.write(to: &$0, of: id) }
    case .keyword(let keyword): keyword.write(to: &writer)
    case .keywordLinks(let id, let links):
      writer.write(id)
      writer.write(links) { $1.write(to: &$0, of: id) }
    case .synonyms(let id, let synonyms):
      writer.write(id.rawValue)
      writer.write(synonyms) { $1.write(to: &$0, of: id) }
    case .banner(let banner): try writer.encode(banner)
    case .app(let app): try writer.encode(app)
    case .instruction(let page): try writer.encode(page)
    case .search(let entry): try writer.encode(entry)
    case .launch(let flag): writer.write(flag.rawValue)
    case .activity(let activity): try writer.encode(activity)
    }
  }

  private static func table(reading reader: inout RecordReader) throws -> ID.Table {
    let byte = try reader.byte()
    if let table = ID.Table(rawValue: byte) { return table }
    throw FieldError(.damaged, "A record of the directory belongs to the unknown table \(byte).")
  }

  /// Reads the key of what ``write(to:)`` wrote; of the largest tables, only the key is kept in memory.
  public static func id(checking reader: inout RecordReader) throws -> ID? {
    let start = reader.position
    let table = try table(reading: &reader)
    switch table {
    case .unit: return ID(table, try CivicUnit.id(checking: &reader).rawValue)
    case .memberships, .keywordLinks:
      let key = try reader.string()
      try reader.skipArray { try UnitMembership.skip(&$0) }
      return ID(table, key)
    default:
      reader.position = start
      return try CivicRecord(reading: &reader).id
    }
  }

  /// Reads the positions of a unit's texts among the reader's bytes; the result is `nil` for other records.
  static func unitTexts(reading reader: inout RecordReader) throws -> CivicUnit.TextRanges? {
    guard try table(reading: &reader) == .unit else { return nil }
    return try CivicUnit.TextRanges(reading: &reader)
  }

  /// Files contain an index of the keys.
  public static var _isIndexed: Bool { true }

  /// The hash of a key that is the same in every process, unless it isn't ASCII, as keywords are.
  public static func _stableHash(of id: ID, seed: UInt64) -> UInt32? {
    StableHash.of(id.key, seed: seed ^ UInt64(id.table.rawValue) << 56)
  }

  /// Creates a record from the form that ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    switch try Self.table(reading: &reader) {
    case .unit: self = .unit(try CivicUnit(reading: &reader))
    case .category: self = .category(try UnitCategory(reading: &reader))
    case .memberships:
      let id = CivicUnit.ID(rawValue: try reader.string())
      self = .memberships(id, try reader.array { try UnitMembership(reading: &$0, of: id) })
    case .keyword: self = .keyword(try CivicKeyword(reading: &reader))
    case .keywordLinks:
      let id = try reader.string()
      self = .keywordLinks(id, try reader.array { try KeywordLink(reading: &$0, of: id) })
    case .synonyms:
      let id = CivicUnit.ID(rawValue: try reader.string())
      self = .synonyms(id, try reader.array { try UnitSynonym(reading: &$0, of: id) })
    case .banner: self = .banner(try reader.decode(CivicBanner.self))
    case .app: self = .app(try reader.decode(CivicApp.self))
    case .instruction: self = .instruction(try reader.decode(InstructionPage.self))
    case .search: self = .search(try reader.decode(SearchEntry.self))
    case .launch: self = .launch(LaunchFlag(rawValue: try reader.string()))
    case .activity: self = .activity(try reader.decode(CityActivity.self))
    }
  }
}

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
