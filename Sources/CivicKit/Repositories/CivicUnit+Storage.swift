internal import FieldCore

// The values of the rows in the order in which they are stored. A change of it is a new `formatVersion`
// of the record.

extension CivicUnit {
  /// What a unit has; most have little.
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

  init(reading reader: inout RecordReader) throws {
    self.init(try Fields(reading: &reader))
  }
}

extension CivicUnit.Fields {
  fileprivate init(reading reader: inout RecordReader) throws {
    let there = CivicUnit.Presence(rawValue: try reader.uint())
    id = CivicUnit.ID(rawValue: try reader.string())
    name = try reader.string()
    if there.contains(.parent) { parentID = CivicUnit.ID(rawValue: try reader.internedString()) }
    if there.contains(.details) { details = try reader.string() }
    if there.contains(.phones) { phones = try PhoneList(reading: &reader) }
    if there.contains(.faxes) { faxes = try PhoneList(reading: &reader) }
    if there.contains(.keywords) { keywords = try reader.array { try $0.string() } }
    if there.contains(.created) { createdAt = try reader.date() }
    if there.contains(.updated) { updatedAt = try reader.date() }
    if there.contains(.email) { email = try reader.string() }
    if there.contains(.website) { website = try reader.string() }
    if there.contains(.icon) { iconName = try reader.internedString() }
    if there.contains(.field) { field = PlanField(rawValue: try reader.internedString()) }
    if there.contains(.position) {
      planPosition = PlanPosition(x: try reader.int(), y: try reader.int())
    }
    if there.contains(.path) { nearbyPathID = try reader.string() }
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
}
