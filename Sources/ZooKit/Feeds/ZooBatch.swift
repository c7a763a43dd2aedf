public import FieldCore
public import FieldFoundation

/// A table of the zoo's data, as a source gives it.
public struct ZooBatch: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Which table it is; the arrays of the others are empty.
  public let table: ZooTable
  /// The animals in the source's order.
  public var animals: [Animal] = []
  /// The areas in the source's order.
  public var areas: [ZooArea] = []
  /// The plants in the source's order.
  public var plants: [Plant] = []
  /// The events in the source's order.
  public var events: [ZooEvent] = []
  /// The rows that could not be used; the others are there.
  public var failures: [RowFailure]
  /// How many rows came, those that failed included.
  public var rowCount: Int
  /// How many rows the source says that it has; nil when it does not say.
  public var announcedRowCount: Int?
  /// When the newest of the rows was taken into the portal; nil when the source does not say.
  public var importDate: Date?
  /// The address or the file that the rows came from.
  public var origin: URL?
  /// The time on the server's clock when it answered; nil when it does not say.
  public var serverDate: Date?

  init(
    _ table: ZooTable, failures: [RowFailure], rowCount: Int, importDate: Date?, origin: URL?,
    serverDate: Date?
  ) {
    self.table = table
    self.failures = failures
    self.rowCount = rowCount
    self.importDate = importDate
    self.origin = origin
    self.serverDate = serverDate
  }

  /// Makes a delivery of animals.
  public init(
    animals: [Animal], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      .animals, failures: failures, rowCount: rowCount ?? animals.count + failures.count,
      importDate: importDate, origin: origin, serverDate: serverDate)
    self.animals = animals
  }

  /// Makes a delivery of areas.
  public init(
    areas: [ZooArea], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      .areas, failures: failures, rowCount: rowCount ?? areas.count + failures.count,
      importDate: importDate, origin: origin, serverDate: serverDate)
    self.areas = areas
  }

  /// Makes a delivery of plants.
  public init(
    plants: [Plant], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      .plants, failures: failures, rowCount: rowCount ?? plants.count + failures.count,
      importDate: importDate, origin: origin, serverDate: serverDate)
    self.plants = plants
  }

  /// Makes a delivery of events.
  public init(
    events: [ZooEvent], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      .events, failures: failures, rowCount: rowCount ?? events.count + failures.count,
      importDate: importDate, origin: origin, serverDate: serverDate)
    self.events = events
  }

  /// How many records there are.
  public var count: Int { animals.count + areas.count + plants.count + events.count }

  /// Whether all rows came that the source says it has; true when it does not say. A saved page of an
  /// answer is not complete, and says so.
  public var isComplete: Bool { announcedRowCount.map { rowCount >= $0 } ?? true }

  /// The cells of all records that hold something that cannot be read, such as `########` in place of a
  /// day: what has been left out of the values without failing a row.
  public var unreadableCells: [UnreadableCell] {
    func cells(_ key: String, _ texts: [String: String]) -> [UnreadableCell] {
      texts.sorted { $0.key < $1.key }.map {
        UnreadableCell(record: key, column: $0.key, rawText: $0.value)
      }
    }
    return animals.flatMap { cells($0.id.rawValue, $0.unreadable) }
      + areas.flatMap { cells($0.id.rawValue, $0.unreadable) }
      + plants.flatMap { cells($0.id.rawValue, $0.unreadable) }
      + events.flatMap { cells($0.id.rawValue, $0.unreadable) }
  }

  /// A cell that holds something that cannot be read.
  public struct UnreadableCell: Sendable, Hashable, Codable {
    /// The key of the record, as text.
    public var record: String
    /// The name of the column in lower case, such as `a_update`.
    public var column: String
    /// What it holds.
    public var rawText: String

    /// Makes a cell.
    public init(record: String, column: String, rawText: String) {
      self.record = record
      self.column = column
      self.rawText = rawText
    }
  }

  /// The table and the numbers of records and failures.
  public var description: String { "\(table): \(count) records, \(failures.count) failures" }
}
