import FieldCore
import TestSupport

/// A record that is stored as `Codable`, and decoded when it is used.
struct Note: StoredRecord, Hashable {
  var id: Int
  var text: String

  init(_ id: Int, _ text: String = "") {
    self.id = id
    self.text = text
  }

  static func id(checking reader: inout RecordReader) throws -> ID? {
    try Note(reading: &reader).id
  }
}

/// A record that codes itself.
struct Stone: StoredRecord, Hashable {
  var id: String
  var kind: String
  var mass: Double?
  var year: Int?
  var found: Bool

  init(
    _ id: String, kind: String = "L6", mass: Double? = nil, year: Int? = nil, found: Bool = false
  ) {
    self.id = id
    self.kind = kind
    self.mass = mass
    self.year = year
    self.found = found
  }

  func write(to writer: inout RecordWriter) throws {
    writer.write(id)
    writer.write(interned: kind)
    writer.write(mass)
    writer.write(year)
    writer.write(found)
  }

  init(reading reader: inout RecordReader) throws {
    id = try reader.string()
    kind = try reader.internedString()
    mass = try reader.optionalDouble()
    year = try reader.optionalInt()
    found = try reader.bool()
  }

  static func id(checking reader: inout RecordReader) throws -> ID? {
    let id = try reader.string()
    try reader.skipInternedString()
    _ = (try reader.optionalDouble(), try reader.optionalInt(), try reader.bool())
    return id
  }
}

extension Changes {
  /// A batch of upserts and removals.
  init(_ records: [Record] = [], removing ids: [Record.ID] = []) {
    self.init(upserting: records)
    for id in ids { remove(id) }
  }
}

extension RecordStore {
  /// Commits for any revision, without a checkpoint.
  @discardableResult
  func put(_ records: Record..., removing ids: [Record.ID] = []) async throws -> Revision {
    try await commit(Changes(records, removing: ids), checkpoint: nil, expecting: nil)
  }

  var all: [Record] { get async throws { Array(try await snapshot()) } }
}
