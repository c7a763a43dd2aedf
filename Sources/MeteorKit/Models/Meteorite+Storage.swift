public import FieldCore

extension Meteorite: StoredRecord {
  fileprivate struct Flags: OptionSet {
    let rawValue: UInt64
    static let textID = Flags(rawValue: 1)
    static let mass = Flags(rawValue: 2)
    static let year = Flags(rawValue: 4)
    static let coordinate = Flags(rawValue: 8)
    static let unreadable = Flags(rawValue: 16)
    static let fell = Flags(rawValue: 32)
    static let found = Flags(rawValue: 64)
    static let valid = Flags(rawValue: 128)
  }

  /// Writes the meteorite in about 50 bytes: flags for what is there, then just that.
  public func write(to writer: inout RecordWriter) throws {
    var flags: Flags = []
    if case .text = id.storage { flags.insert(.textID) }
    if massInGrams != nil { flags.insert(.mass) }
    if year != nil { flags.insert(.year) }
    if coordinate != nil { flags.insert(.coordinate) }
    if !unreadable.isEmpty { flags.insert(.unreadable) }
    if fall == .fell { flags.insert(.fell) }
    if fall == .found { flags.insert(.found) }
    if nameType == .valid { flags.insert(.valid) }
    writer.write(flags.rawValue)
    switch id.storage {
    case .number(let number): writer.write(number)
    case .text(let text): writer.write(text)
    }
    writer.write(name)
    writer.write(interned: classification.rawValue)
    if let massInGrams { writer.write(massInGrams) }
    if let year { writer.write(Int64(year.rawValue)) }
    if let coordinate {
      writer.write(coordinate.latitude)
      writer.write(coordinate.longitude)
    }
    if !flags.contains(.fell), !flags.contains(.found) { writer.write(interned: fall.rawValue) }
    if !flags.contains(.valid) { writer.write(interned: nameType.rawValue) }
    if !unreadable.isEmpty {
      writer.write(UInt64(unreadable.count))
      for (column, text) in unreadable.sorted(by: { $0.key < $1.key }) {
        writer.write(interned: column)
        writer.write(text)
      }
    }
  }

  /// Reads what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    self.init(try Fields(reading: &reader))
  }
}

extension Meteorite.Fields {
  fileprivate init(reading reader: inout RecordReader) throws {
    let flags = Meteorite.Flags(rawValue: try reader.uint())
    id =
      flags.contains(.textID)
      ? Meteorite.ID(rawValue: try reader.string()) : Meteorite.ID(try reader.uint())
    name = try reader.string()
    classification = Meteorite.Classification(rawValue: try reader.internedString())
    if flags.contains(.mass) { massInGrams = try reader.double() }
    if flags.contains(.year) { year = Meteorite.Year(Int(try reader.int64())) }
    if flags.contains(.coordinate) {
      coordinate = try Coordinate(latitude: reader.double(), longitude: reader.double())
    }
    if flags.contains(.fell) {
      fall = .fell
    } else if flags.contains(.found) {
      fall = .found
    } else {
      fall = Meteorite.Fall(rawValue: try reader.internedString())
    }
    nameType =
      flags.contains(.valid) ? .valid : Meteorite.NameType(rawValue: try reader.internedString())
    unreadable = [:]
    guard flags.contains(.unreadable) else { return }
    for _ in 0..<(try reader.uint()) {
      let column = try reader.internedString()
      unreadable[column] = try reader.string()
    }
  }
}
