internal import FieldCore

// As in CivicUnit+Storage.swift, the order of the values is the format. A link is stored with the
// ID of its record, and with its own ID only if that differs.

extension UnitCategory {
  func write(to writer: inout RecordWriter) {
    writer.write(id.rawValue)
    writer.write(name)
    writer.write(details)
    writer.write(interned: iconName)
    writer.write(keywords) { $0.write($1) }
    writer.write(createdAt)
    writer.write(updatedAt)
  }

  init(reading reader: inout RecordReader) throws {
    self.init(
      id: ID(rawValue: try reader.string()), name: try reader.string(),
      details: try reader.optionalString(), iconName: try reader.optionalInternedString(),
      keywords: try reader.array { try $0.string() }, createdAt: try reader.optionalDate(),
      updatedAt: try reader.optionalDate())
  }
}

extension CivicKeyword {
  func write(to writer: inout RecordWriter) {
    writer.write(id.rawValue)
    writer.write(text)
    writer.write(kind.rawValue)
    writer.write(details)
    writer.write(createdAt)
    writer.write(updatedAt)
  }

  init(reading reader: inout RecordReader) throws {
    self.init(
      id: ID(rawValue: try reader.string()), text: try reader.string(),
      kind: CategoryKind(rawValue: try reader.int()), details: try reader.optionalString(),
      createdAt: try reader.optionalDate(), updatedAt: try reader.optionalDate())
  }
}

extension UnitMembership {
  func write(to writer: inout RecordWriter, of owner: CivicUnit.ID) {
    writer.write(unitID == owner ? nil : unitID.rawValue)
    writer.write(interned: categoryID.rawValue)
    writer.write(updatedAt)
  }

  init(reading reader: inout RecordReader, of owner: CivicUnit.ID) throws {
    self.init(
      unitID: try reader.optionalString().map(CivicUnit.ID.init(rawValue:)) ?? owner,
      categoryID: UnitCategory.ID(rawValue: try reader.internedString()),
      updatedAt: try reader.optionalDate())
  }

  /// Checks what was stored, without creating it; a link to a keyword has the same form.
  static func skip(_ reader: inout RecordReader) throws {
    if try reader.bool() { try reader.skipString() }
    try reader.skipInternedString()
    _ = try reader.optionalDate()
  }
}

extension KeywordLink {
  func write(to writer: inout RecordWriter, of owner: String) {
    writer.write(objectID == owner ? nil : objectID)
    writer.write(interned: keywordID.rawValue)
    writer.write(updatedAt)
  }

  init(reading reader: inout RecordReader, of owner: String) throws {
    self.init(
      objectID: try reader.optionalString() ?? owner,
      keywordID: CivicKeyword.ID(rawValue: try reader.internedString()),
      updatedAt: try reader.optionalDate())
  }
}

extension UnitSynonym {
  func write(to writer: inout RecordWriter, of owner: CivicUnit.ID) {
    writer.write(unitID == owner ? nil : unitID.rawValue)
    writer.write(text)
  }

  init(reading reader: inout RecordReader, of owner: CivicUnit.ID) throws {
    self.init(
      unitID: try reader.optionalString().map(CivicUnit.ID.init(rawValue:)) ?? owner,
      text: try reader.string())
  }
}
