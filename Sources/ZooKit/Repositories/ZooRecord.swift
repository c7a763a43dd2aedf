public import FieldCore

/// A record of the zoo's store: a row of one of its tables, or the order of a table's rows.
///
/// All tables share one store, so a reader never sees the areas of one day with the animals of
/// another.
public struct ZooRecord: Sendable, Hashable, Codable, Identifiable, StoredRecord {
  /// A table, and a key in the table.
  public struct ID: Sendable, Hashable, Codable {
    /// The table.
    public let table: ZooTable
    /// The key of the row; `nil` for the record with the order of the table's rows.
    public let key: String?

    /// Creates an ID.
    public init(table: ZooTable, key: String?) {
      self.table = table
      self.key = key
    }
  }

  /// The content of a record, stored outside the record and shared by its copies.
  public indirect enum Content: Sendable, Hashable, Codable {
    /// An animal.
    case animal(Animal)
    /// An area.
    case area(ZooArea)
    /// A plant.
    case plant(Plant)
    /// An event.
    case event(ZooEvent)
    /// The keys of a table, in source order, which may differ from the order of insertion.
    case order([String])
    /// Content that another version wrote and this one can't read; the next refresh replaces it.
    case unreadable
  }

  /// The table and the key of the record.
  public let id: ID
  /// The content of the record.
  public let content: Content

  /// Creates the record of an animal.
  public init(_ animal: Animal) { self.init(.animals, animal.id.rawValue, .animal(animal)) }

  /// Creates the record of an area.
  public init(_ area: ZooArea) { self.init(.areas, area.id.rawValue, .area(area)) }

  /// Creates the record of a plant.
  public init(_ plant: Plant) { self.init(.plants, plant.id.rawValue, .plant(plant)) }

  /// Creates the record of an event.
  public init(_ event: ZooEvent) { self.init(.events, event.id.rawValue, .event(event)) }

  /// Creates the record of a table's order.
  public init(order: [String], of table: ZooTable) { self.init(table, nil, .order(order)) }

  private init(_ table: ZooTable, _ key: String?, _ content: Content) {
    id = ID(table: table, key: key)
    self.content = content
  }

  /// The name in store files.
  public static var storedName: String { "ZooRecord" }

  /// A Boolean value that indicates whether backups include the zoo's tables, which is `false`
  /// because they can be fetched again.
  public static var isBackedUp: Bool { false }

  /// The format of the content after the ID. A later version that writes the content in another
  /// format uses another number.
  private enum Form {
    static let nothing: UInt8 = 0
    static let values: UInt8 = 1
  }

  /// Writes the ID, and then the values of the content.
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
    case .order(let keys): writer.write(keys) { $0.write($1) }
    case .unreadable: break
    }
  }

  /// Creates a record by reading it; if its content can't be read, the record has none.
  ///
  /// A store that failed because of such a record would lose all the others, and the content can be
  /// fetched again.
  public init(reading reader: inout RecordReader) throws {
    let name = try reader.internedString()
    guard let table = ZooTable(rawValue: name) else {
      throw FieldError(
        .newerFormat, "The zoo's store contains the unknown table \(name). Update FieldKit.")
    }
    let id = ID(table: table, key: try reader.optionalString())
    do {
      self.init(table, id.key, try Self.content(of: id, reading: &reader))
    } catch {
      while reader.remainingCount > 0 { _ = try reader.byte() }
      self.init(table, id.key, .unreadable)
    }
  }

  private static func content(of id: ID, reading reader: inout RecordReader) throws -> Content {
    guard try reader.byte() == Form.values else {
      throw reader.damaged("The content is missing, or in the format of another version")
    }
    guard id.key != nil else { return .order(try reader.array { try $0.string() }) }
    return switch id.table {
    case .animals: .animal(try Animal(reading: &reader))
    case .areas: .area(try ZooArea(reading: &reader))
    case .plants: .plant(try Plant(reading: &reader))
    case .events: .event(try ZooEvent(reading: &reader))
    }
  }
}

/// The store in which a zoo keeps the zoo's data: any `RecordStore` of ``ZooRecord``.
///
/// By default, it is the store `zoo` of a `Storage`.
public typealias ZooRepository = RecordStore<ZooRecord>

/// The store in which a zoo keeps the user's sightings: any `RecordStore` of ``Sighting``.
///
/// By default, it is the store `sightings` of a `Storage`; the photos are in a `BlobStore`. The
/// checkpoint is as precious as the sightings because it contains the counter for their numbers.
public typealias SightingRepository = RecordStore<Sighting>
