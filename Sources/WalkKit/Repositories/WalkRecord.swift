public import FieldCore
internal import FieldFoundation

/// A record of a diary's store: a pet, a walk, a place, the owner's selection, or an alias of a
/// pet.
///
/// They are in one store so that related records are changed in one commit. A ``WalkRepository`` keeps
/// them as they are; the diary creates and reads them.
public struct WalkRecord: StoredRecord, Hashable {
  package var content: Content

  /// A row of one of a diary's tables.
  ///
  /// It is indirect because a walk has two dozen fields, and is moved around in lists of
  /// thousands far more often than it is inspected.
  package indirect enum Content: Hashable, Codable, Sendable {
    case pet(Pet)
    case walk(Walk)
    case place(Place)
    case choice(Pet.ID?)
    case alias(Pet.ID, of: Pet.ID)
    case operation(OutboxOperation<WalkEdit>)
    /// Something that a module such as `WalkFirestore` keeps about the records, in the same commits.
    case attachment(key: String, text: String)
  }

  package init(_ content: Content) { self.content = content }

  package var pet: Pet? { if case .pet(let pet) = content { pet } else { nil } }
  package var walk: Walk? { if case .walk(let walk) = content { walk } else { nil } }
  package var place: Place? { if case .place(let place) = content { place } else { nil } }

  /// The table and the ID within it.
  public var id: String {
    switch content {
    case .pet(let pet): Self.id(of: pet.id)
    case .walk(let walk): Self.id(of: walk.id)
    case .place(let place): Self.id(of: place.id)
    case .choice: Self.choice
    case .alias(let alias, of: _): Self.id(ofAlias: alias)
    case .operation(let operation): "o\(operation.id.uuidString)"
    case .attachment(let key, text: _): Self.id(ofAttachment: key)
    }
  }

  static let choice = "c"
  package static func id(of pet: Pet.ID) -> String { "p\(pet.rawValue)" }
  package static func id(of walk: Walk.ID) -> String { "w\(walk.rawValue)" }
  package static func id(of place: Place.ID) -> String { "g\(place.rawValue)" }
  static func id(ofAlias alias: Pet.ID) -> String { "a\(alias.rawValue)" }
  package static func id(ofAttachment key: String) -> String { "x\(key)" }

  /// The name of the type in store files.
  public static var storedName: String { "WalkDiary" }

  /// Calls `body` with each blob that the record refers to.
  package func forEachBlob(_ body: (BlobID) -> Void) {
    switch content {
    case .pet(let pet):
      if let blob = pet.photo?.blob { body(blob) }
    case .walk(let walk):
      for case let blob? in walk.photos.lazy.map(\.blob) { body(blob) }
      if let blob = walk.routeBlob { body(blob) }
    case .place, .choice, .alias, .operation, .attachment: break
    }
  }
}

extension WalkRecord {
  enum Table: UInt8 { case pet = 1, walk, place, choice, alias, operation, attachment }

  /// Writes the record compactly, because thousands of walks are read when a diary opens.
  public func write(to writer: inout RecordWriter) throws {
    switch content {
    case .pet(let pet):
      writer.write(byte: Table.pet.rawValue)
      pet.write(to: &writer)
    case .walk(let walk):
      writer.write(byte: Table.walk.rawValue)
      walk.write(to: &writer)
    case .place(let place):
      writer.write(byte: Table.place.rawValue)
      place.write(to: &writer)
    case .choice(let pet):
      writer.write(byte: Table.choice.rawValue)
      writer.write(pet?.rawValue)
    case .alias(let alias, of: let pet):
      writer.write(byte: Table.alias.rawValue)
      writer.write(alias.rawValue)
      writer.write(pet.rawValue)
    case .operation(let operation):
      writer.write(byte: Table.operation.rawValue)
      try writer.encode(operation)
    case .attachment(let key, let text):
      writer.write(byte: Table.attachment.rawValue)
      writer.write(key)
      writer.write(text)
    }
  }

  /// Reads the table of a record from the beginning of its stored form.
  static func table(reading reader: inout RecordReader) throws -> Table {
    let byte = try reader.byte()
    if let table = Table(rawValue: byte) { return table }
    throw reader.damaged("A record belongs to an unknown table")
  }

  /// Reads the ID of a walk and checks the rest; records of other tables are decoded, because they
  /// are few.
  public static func id(checking reader: inout RecordReader) throws -> ID? {
    let start = reader.position
    if try table(reading: &reader) == .walk { return Self.id(of: try Walk.id(checking: &reader)) }
    reader.position = start
    return try Self(reading: &reader).id
  }

  /// Files contain an index of the IDs.
  public static var _isIndexed: Bool { true }

  /// The hash of an ID that is the same in every process, unless it isn't ASCII.
  public static func _stableHash(of id: ID, seed: UInt64) -> UInt32? {
    StableHash.of(id, seed: seed)
  }

  /// Creates a record from its stored form.
  public init(reading reader: inout RecordReader) throws {
    switch try Self.table(reading: &reader) {
    case .pet: content = .pet(try Pet(reading: &reader))
    case .walk: content = .walk(try Walk(reading: &reader))
    case .place: content = .place(try Place(reading: &reader))
    case .choice: content = .choice(try reader.optionalString().map { Pet.ID(rawValue: $0) })
    case .alias:
      content = .alias(
        Pet.ID(rawValue: try reader.string()), of: Pet.ID(rawValue: try reader.string()))
    case .operation: content = .operation(try reader.decode(OutboxOperation<WalkEdit>.self))
    case .attachment:
      content = .attachment(key: try reader.string(), text: try reader.string())
    }
  }
}

extension WalkRecord: OutboxRecord {
  /// Returns the record of an edit that waits to be sent.
  public static func operation(_ operation: OutboxOperation<WalkEdit>) -> Self {
    Self(.operation(operation))
  }

  /// The edit that the record contains; `nil` if it contains something else.
  public var operation: OutboxOperation<WalkEdit>? {
    if case .operation(let operation) = content { operation } else { nil }
  }
}

extension Snapshot<WalkRecord> {
  /// Returns the values of one table's records, in the order of the snapshot.
  func all<Value>(
    _ table: WalkRecord.Table, _ value: (WalkRecord) -> Value?
  ) -> [Value] {
    var values: [Value] = []
    func append(_ record: WalkRecord) -> Bool {
      if let value = value(record) { values.append(value) }
      return true
    }
    scan { _, record in
      append(record)
    } stored: { _, reader in
      let start = reader.position
      guard try WalkRecord.table(reading: &reader) == table else { return true }
      reader.position = start
      return append(try WalkRecord(reading: &reader))
    }
    return values
  }

  /// The aliases, each with the pet that it stands for.
  var aliases: [(alias: Pet.ID, pet: Pet.ID)] {
    all(.alias) { record in
      if case .alias(let alias, of: let pet) = record.content { (alias, pet) } else { nil }
    }
  }
}

/// The store in which a diary keeps its pets, walks, places, and settings: any `RecordStore` of
/// ``WalkRecord``.
///
/// By default, it is the store `walks` of a `Storage`. To use your own database, implement
/// `RecordStore` with ``WalkRecord`` as its `Record`, and verify it with `RecordStoreConformance`; see
/// <doc:Keeping-walks-in-your-own-store>.
public typealias WalkRepository = RecordStore<WalkRecord>

/// A change of one pet, walk, or place that a module such as `WalkFirestore` still has to send.
public struct WalkEdit: Codable, Hashable, Sendable {
  /// The record that was changed.
  public let subject: Subject
  /// The names of the fields that were changed, in order; empty if the record was removed.
  public let fields: [String]
  /// A Boolean value that indicates whether the record was removed.
  public let isRemoval: Bool
  /// The change as that module writes it.
  package let content: String

  package init(_ subject: Subject, fields: [String], isRemoval: Bool, content: String) {
    self.subject = subject
    self.fields = fields
    self.isRemoval = isRemoval
    self.content = content
  }

  /// A record of a diary.
  public enum Subject: Codable, Hashable, Sendable {
    /// A pet.
    case pet(Pet.ID)
    /// A walk.
    case walk(Walk.ID)
    /// A place.
    case place(Place.ID)
  }
}
