internal import FieldCore

// The values of the rows in the order in which they are stored. Changing the order requires a new
// `formatVersion` of the record.

extension CivicUnit {
  /// The optional values that a unit has; most units have few.
  fileprivate struct Presence: OptionSet {
    let rawValue: UInt64
    static let parent = Presence(rawValue: 1)
    static let details = Presence(rawValue: 2)
    static let phones = Presence(rawValue: 4)
    static let faxes = Presence(rawValue: 8)
    static let keywords = Presence(rawValue: 16)
    static let created = Presence(rawValue: 32)
    static let updated = Presence(rawValue: 64)
    static let email = Presence(rawValue: 128)
    static let website = Presence(rawValue: 256)
    static let icon = Presence(rawValue: 512)
    static let field = Presence(rawValue: 1024)
    static let position = Presence(rawValue: 2048)
    static let path = Presence(rawValue: 4096)

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(of fields: Fields) {
      self = []
      if fields.parentID != nil { insert(.parent) }
      if fields.details != nil { insert(.details) }
      if fields.phones != PhoneList() { insert(.phones) }
      if fields.faxes != PhoneList() { insert(.faxes) }
      if !fields.keywords.isEmpty { insert(.keywords) }
      if fields.createdAt != nil { insert(.created) }
      if fields.updatedAt != nil { insert(.updated) }
      if fields.email != nil { insert(.email) }
      if fields.website != nil { insert(.website) }
      if fields.iconName != nil { insert(.icon) }
      if fields.field != nil { insert(.field) }
      if fields.planPosition != nil { insert(.position) }
      if fields.nearbyPathID != nil { insert(.path) }
    }
  }

  func write(to writer: inout RecordWriter) {
    let fields = fields
    writer.write(Presence(of: fields).rawValue)
    writer.write(fields.id.rawValue)
    writer.write(fields.name)
    if let parent = fields.parentID { writer.write(interned: parent.rawValue) }
    if let details = fields.details { writer.write(details) }
    if fields.phones != PhoneList() { fields.phones.write(to: &writer) }
    if fields.faxes != PhoneList() { fields.faxes.write(to: &writer) }
    if !fields.keywords.isEmpty { writer.write(fields.keywords) { $0.write($1) } }
    if let date = fields.createdAt { writer.write(date) }
    if let date = fields.updatedAt { writer.write(date) }
    if let email = fields.email { writer.write(email) }
    if let website = fields.website { writer.write(website) }
    if let icon = fields.iconName { writer.write(interned: icon) }
    if let field = fields.field { writer.write(interned: field.rawValue) }
    if let position = fields.planPosition {
      writer.write(position.x)
      writer.write(position.y)
    }
    if let path = fields.nearbyPathID { writer.write(path) }
  }

  init(reading reader: inout RecordReader) throws { self.init(try Fields(reading: &reader)) }

  /// Reads the ID and checks the rest.
  static func id(checking reader: inout RecordReader) throws -> ID {
    let there = Presence(rawValue: try reader.uint())
    let id = ID(rawValue: try reader.string())
    try reader.skipString()
    if there.contains(.parent) { try reader.skipInternedString() }
    if there.contains(.details) { try reader.skipString() }
    if there.contains(.phones) { try PhoneList.skip(&reader) }
    if there.contains(.faxes) { try PhoneList.skip(&reader) }
    if there.contains(.keywords) { try reader.skipArray { try $0.skipString() } }
    if there.contains(.created) { _ = try reader.date() }
    if there.contains(.updated) { _ = try reader.date() }
    if there.contains(.email) { try reader.skipString() }
    if there.contains(.website) { try reader.skipString() }
    if there.contains(.icon) { try reader.skipInternedString() }
    if there.contains(.field) { try reader.skipInternedString() }
    if there.contains(.position) { _ = (try reader.int(), try reader.int()) }
    if there.contains(.path) { try reader.skipString() }
    return id
  }
}

extension CivicUnit {
  /// The positions of a stored unit's texts among the bytes of its reader.
  struct TextRanges {
    let name: Range<Int>
    let details: Range<Int>?

    init(reading reader: inout RecordReader) throws {
      let there = Presence(rawValue: try reader.uint())
      _ = try reader.lengthPrefixed()
      name = try reader.lengthPrefixed()
      if there.contains(.parent) { try reader.skipInternedString() }
      details = there.contains(.details) ? try reader.lengthPrefixed() : nil
    }
  }
}

extension CivicUnit.Fields {
  /// Reads the values first and creates the fields at the end: fields that are filled one by one
  /// are kept in memory in case of an error, and copied from there with all their references.
  fileprivate init(reading reader: inout RecordReader) throws {
    let there = CivicUnit.Presence(rawValue: try reader.uint())
    let id = CivicUnit.ID(rawValue: try reader.string())
    let name = try reader.string()
    let parentID = there.contains(.parent) ? try reader.internedString() : nil
    let details = there.contains(.details) ? try reader.string() : nil
    let phones = there.contains(.phones) ? try PhoneList(reading: &reader) : PhoneList()
    let faxes = there.contains(.faxes) ? try PhoneList(reading: &reader) : PhoneList()
    let keywords = there.contains(.keywords) ? try reader.array { try $0.string() } : []
    let createdAt = there.contains(.created) ? try reader.date() : nil
    let updatedAt = there.contains(.updated) ? try reader.date() : nil
    let email = there.contains(.email) ? try reader.string() : nil
    let website = there.contains(.website) ? try reader.string() : nil
    let iconName = there.contains(.icon) ? try reader.internedString() : nil
    let field = there.contains(.field) ? try reader.internedString() : nil
    let planPosition =
      there.contains(.position) ? PlanPosition(x: try reader.int(), y: try reader.int()) : nil
    let nearbyPathID = there.contains(.path) ? try reader.string() : nil
    self.init(
      id: id, name: name, parentID: parentID.map(CivicUnit.ID.init(rawValue:)), details: details,
      phones: phones, faxes: faxes, email: email, website: website, keywords: keywords,
      iconName: iconName, field: field.map(PlanField.init(rawValue:)), planPosition: planPosition,
      nearbyPathID: nearbyPathID, createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension PhoneList {
  fileprivate func write(to writer: inout RecordWriter) {
    writer.write(rawText)
    writer.write(numbers) { writer, number in
      writer.write(number.digits)
      writer.write(number.extensionDigits)
    }
  }

  fileprivate init(reading reader: inout RecordReader) throws {
    self.init()
    rawText = try reader.string()
    numbers = try reader.array {
      PhoneNumber(digits: try $0.string(), extensionDigits: try $0.optionalString())
    }
  }

  fileprivate static func skip(_ reader: inout RecordReader) throws {
    try reader.skipString()
    try reader.skipArray {
      try $0.skipString()
      if try $0.bool() { try $0.skipString() }
    }
  }
}
