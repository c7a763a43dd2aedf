public import FieldCore

/// A record of the zoo's store: one row of one of its tables, or the order of a table's rows.
///
/// All tables are in one store, so that a reader never sees the areas of one day with the animals of
/// another half way.
public struct ZooRecord: Sendable, Hashable, Codable, Identifiable {
  /// A table and a key in it.
  public struct ID: Sendable, Hashable, Codable {
    /// The table.
    public let table: ZooTable
    /// The key of the row; nil for the record that holds the order of the table's rows.
    public let key: String?

    /// Makes an id.
    public init(table: ZooTable, key: String?) {
      self.table = table
      self.key = key
    }
  }

  /// What a record holds: apart from the record itself, whose copies then share it.
  public indirect enum Content: Sendable, Hashable, Codable {
    /// An animal.
    case animal(Animal)
    /// An area.
    case area(ZooArea)
    /// A plant.
    case plant(Plant)
    /// An event.
    case event(ZooEvent)
    /// The keys of a table in the order of the source, which is not that in which they came first.
    case order([String])
    /// What another version has written and this one cannot read; the next refresh replaces it.
    case unreadable
  }

  /// The table and the key.
  public let id: ID
  /// What the record holds.
  public let content: Content

  /// Makes the record of an animal.
  public init(_ animal: Animal) {
    id = ID(table: .animals, key: animal.id.rawValue)
    content = .animal(animal)
  }

  /// Makes the record of an area.
  public init(_ area: ZooArea) {
    id = ID(table: .areas, key: area.id.rawValue)
    content = .area(area)
  }

  /// Makes the record of a plant.
  public init(_ plant: Plant) {
    id = ID(table: .plants, key: plant.id.rawValue)
    content = .plant(plant)
  }

  /// Makes the record of an event.
  public init(_ event: ZooEvent) {
    id = ID(table: .events, key: event.id.rawValue)
    content = .event(event)
  }

  /// Makes the record of a table's order.
  public init(order: [String], of table: ZooTable) {
    id = ID(table: table, key: nil)
    content = .order(order)
  }

  private init(id: ID, content: Content) {
    self.id = id
    self.content = content
  }
}

extension ZooRecord: StoredRecord {
  /// The name in store files.
  public static var storedName: String { "ZooRecord" }

  /// How the content stands behind the id; what a later version writes in another way has another
  /// number.
  private enum Form {
    static let nothing: UInt8 = 0
    static let values: UInt8 = 1
  }

  /// Writes the id, and then the values of the content.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(interned: id.table.rawValue)
    writer.write(id.key)
    if case .unreadable = content { return writer.write(byte: Form.nothing) }
    writer.write(byte: Form.values)
    switch content {
    case .animal(let animal): try animal.write(to: &writer)
    case .area(let area): try area.write(to: &writer)
    case .plant(let plant): try plant.write(to: &writer)
    case .event(let event): try event.write(to: &writer)
    case .order(let keys):
      writer.write(UInt64(keys.count))
      for key in keys { writer.write(key) }
    case .unreadable: break
    }
  }

  /// Reads a record; one whose content cannot be read is there without it, since a store that failed on
  /// it would take all the others along, and it can be fetched again.
  public init(reading reader: inout RecordReader) throws {
    let name = try reader.internedString()
    guard let table = ZooTable(rawValue: name) else {
      throw FieldError(.newerFormat, "the zoo's store has a table \(name), which is not known here")
    }
    let id = ID(table: table, key: try reader.optionalString())
    do {
      self.init(id: id, content: try Self.content(of: id, reading: &reader))
    } catch {
      while reader.remainingCount > 0 { _ = try reader.byte() }
      self.init(id: id, content: .unreadable)
    }
  }

  private static func content(
    of id: ID, reading reader: inout RecordReader
  ) throws -> Content {
    guard try reader.byte() == Form.values else {
      throw reader.damaged("the content is none, or in a form of another version")
    }
    guard id.key != nil else {
      return .order(try (0..<(try reader.count())).map { _ in try reader.string() })
    }
    return switch id.table {
    case .animals: .animal(try Animal(reading: &reader))
    case .areas: .area(try ZooArea(reading: &reader))
    case .plants: .plant(try Plant(reading: &reader))
    case .events: .event(try ZooEvent(reading: &reader))
    }
  }
}
