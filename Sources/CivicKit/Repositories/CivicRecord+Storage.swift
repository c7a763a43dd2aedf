public import FieldCore

extension CivicRecord {
  /// Writes a byte for the table, and then the row as JSON.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(byte: id.table.rawValue)
    switch self {
    case .unit(let unit): try writer.encode(unit)
    case .category(let category): try writer.encode(category)
    case .memberships(let id, let links):
      writer.write(id.rawValue)
      try writer.encode(links)
    case .keyword(let keyword): try writer.encode(keyword)
    case .keywordLinks(let id, let links):
      writer.write(id)
      try writer.encode(links)
    case .synonyms(let id, let synonyms):
      writer.write(id.rawValue)
      try writer.encode(synonyms)
    case .banner(let banner): try writer.encode(banner)
    case .app(let app): try writer.encode(app)
    case .instruction(let page): try writer.encode(page)
    case .search(let entry): try writer.encode(entry)
    case .launch(let flag): writer.write(flag.rawValue)
    }
  }

  /// Reads what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    let byte = try reader.byte()
    guard let table = ID.Table(rawValue: byte) else {
      throw FieldError(.damaged, "a record of the directory is of a table \(byte), which is none")
    }
    switch table {
    case .unit: self = .unit(try reader.decode(CivicUnit.self))
    case .category: self = .category(try reader.decode(UnitCategory.self))
    case .memberships:
      let id = CivicUnit.ID(rawValue: try reader.string())
      self = .memberships(id, try reader.decode([UnitMembership].self))
    case .keyword: self = .keyword(try reader.decode(CivicKeyword.self))
    case .keywordLinks:
      let id = try reader.string()
      self = .keywordLinks(id, try reader.decode([KeywordLink].self))
    case .synonyms:
      let id = CivicUnit.ID(rawValue: try reader.string())
      self = .synonyms(id, try reader.decode([UnitSynonym].self))
    case .banner: self = .banner(try reader.decode(CivicBanner.self))
    case .app: self = .app(try reader.decode(CivicApp.self))
    case .instruction: self = .instruction(try reader.decode(InstructionPage.self))
    case .search: self = .search(try reader.decode(SearchEntry.self))
    case .launch: self = .launch(LaunchFlag(rawValue: try reader.string()))
    }
  }
}
