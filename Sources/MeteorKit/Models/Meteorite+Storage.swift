public import FieldCore

extension Meteorite: StoredRecord {
  /// The fields that the stored form has, and frequent values.
  struct Flags: OptionSet {
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

  /// The name in store files.
  public static var storedName: String { "Meteorite" }

  /// A Boolean value that indicates whether backups include meteorites, which is `false` because
  /// they can be fetched again.
  public static var isBackedUp: Bool { false }

  /// Writes the meteorite in about 50 bytes: flags for the fields that are present, then only
  /// those.
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
      writer.write(unreadable.sorted { $0.key < $1.key }) { writer, entry in
        writer.write(interned: entry.key)
        writer.write(entry.value)
      }
    }
  }

  /// Creates a meteorite by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws { self.init(try Fields(reading: &reader)) }

  /// Reads the ID and checks the rest of what ``write(to:)`` wrote.
  public static func id(checking reader: inout RecordReader) throws -> ID? {
    let flags = Flags(rawValue: try reader.uint())
    let id = try ID(reading: &reader, flags)
    try reader.skipString()
    try reader.skipInternedString()
    if flags.contains(.mass) { _ = try reader.double() }
    if flags.contains(.year) { _ = try reader.int64() }
    if flags.contains(.coordinate) {
      _ = try Coordinate(latitude: reader.double(), longitude: reader.double())
    }
    if flags.isDisjoint(with: [.fell, .found]) { try reader.skipInternedString() }
    if !flags.contains(.valid) { try reader.skipInternedString() }
    if flags.contains(.unreadable) {
      try reader.skipArray {
        try $0.skipInternedString()
        try $0.skipString()
      }
    }
    return id
  }
}

extension Meteorite {
  /// Files contain an index of the keys.
  @inlinable
  public static var _isIndexed: Bool { true }

  /// The hash of a key that is the same in every process.
  @inlinable
  public static func _stableHash(of id: ID, seed: UInt64) -> UInt32? {
    switch id.storage {
    case .number(let number): StableHash.of(number, seed: seed)
    case .text(let text): StableHash.of(text, seed: seed)
    }
  }
}

extension Meteorite.ID {
  fileprivate init(reading reader: inout RecordReader, _ flags: Meteorite.Flags) throws {
    self = flags.contains(.textID) ? Self(rawValue: try reader.string()) : Self(try reader.uint())
  }
}

extension MeteoriteOutline {
  /// Reads the values from what ``Meteorite/write(to:)`` wrote, up to the last of them.
  @inline(__always)
  init(reading reader: inout RecordReader) throws {
    flags = Meteorite.Flags(rawValue: try reader.uint())
    (number, idRange) = (0, 0..<0)
    if flags.contains(.textID) {
      idRange = try reader.lengthPrefixed()
    } else {
      number = try reader.uint()
    }
    nameRange = try reader.lengthPrefixed()
    classIndex = try reader.uint()
    massInGrams = flags.contains(.mass) ? try reader.double() : nil
    year = flags.contains(.year) ? Meteorite.Year(try reader.int()) : nil
    coordinate =
      flags.contains(.coordinate)
      ? try Coordinate(latitude: reader.double(), longitude: reader.double()) : nil
    fallIndex = flags.isDisjoint(with: [.fell, .found]) ? try reader.uint() : 0
    nameTypeIndex = flags.contains(.valid) ? 0 : try reader.uint()
  }

  func id(in reader: RecordReader) -> Meteorite.ID {
    flags.contains(.textID)
      ? Meteorite.ID(rawValue: text(idRange, in: reader)) : Meteorite.ID(number)
  }

  func name(in reader: RecordReader) -> String { text(nameRange, in: reader) }

  func classification(in reader: RecordReader) -> Meteorite.Classification {
    Meteorite.Classification(rawValue: reader.strings[Int(classIndex)])
  }

  func fall(in reader: RecordReader) -> Meteorite.Fall {
    flags.fall ?? Meteorite.Fall(rawValue: reader.strings[Int(fallIndex)])
  }

  func nameType(in reader: RecordReader) -> Meteorite.NameType {
    flags.contains(.valid)
      ? .valid : Meteorite.NameType(rawValue: reader.strings[Int(nameTypeIndex)])
  }

  private func text(_ range: Range<Int>, in reader: RecordReader) -> String {
    String(decoding: reader.bytes[range], as: UTF8.self)
  }
}

extension Meteorite.Flags {
  /// The kind of fall, or `nil` if its word is stored.
  fileprivate var fall: Meteorite.Fall? {
    contains(.fell) ? .fell : contains(.found) ? .found : nil
  }
}

extension Meteorite.Fields {
  /// Reads the values first and creates the fields from them at the end. If the fields were filled
  /// one by one, they would be kept in memory in case of an error, and copied with all their
  /// references.
  fileprivate init(reading reader: inout RecordReader) throws {
    let flags = Meteorite.Flags(rawValue: try reader.uint())
    let id = try Meteorite.ID(reading: &reader, flags)
    let name = try reader.string()
    let classification = Meteorite.Classification(rawValue: try reader.internedString())
    let massInGrams = flags.contains(.mass) ? try reader.double() : nil
    let year = flags.contains(.year) ? Meteorite.Year(try reader.int()) : nil
    let coordinate =
      flags.contains(.coordinate)
      ? try Coordinate(latitude: reader.double(), longitude: reader.double()) : nil
    let fall = try flags.fall ?? Meteorite.Fall(rawValue: reader.internedString())
    let nameType =
      flags.contains(.valid)
      ? .valid : Meteorite.NameType(rawValue: try reader.internedString())
    let unreadable =
      flags.contains(.unreadable)
      ? Dictionary(try reader.array { (try $0.internedString(), try $0.string()) }) { $1 } : [:]
    self.init(
      id: id, massInGrams: massInGrams, year: year, coordinate: coordinate, name: name,
      classification: classification, fall: fall, nameType: nameType, unreadable: unreadable)
  }
}
