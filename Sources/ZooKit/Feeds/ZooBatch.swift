public import FieldCore
public import FieldFoundation

/// A table of the zoo's data, as returned by a source.
public struct ZooBatch: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The table of the batch; the arrays of the other tables are empty.
  public let table: ZooTable
  /// The animals, in source order.
  public var animals: [Animal] = []
  /// The areas, in source order.
  public var areas: [ZooArea] = []
  /// The plants, in source order.
  public var plants: [Plant] = []
  /// The events, in source order.
  public var events: [ZooEvent] = []
  /// The rows that couldn't be used.
  public var failures: [RowFailure]
  /// The number of received rows, including failed ones.
  public var rowCount: Int
  /// The number of rows that the source announces; `nil` if it doesn't announce one.
  public var announcedRowCount: Int?
  /// The date when the portal imported the newest row; `nil` if the source doesn't say.
  public var importDate: Date?
  /// The URL of the rows, which may be a file URL.
  public var origin: URL?
  /// The date of the response by the server's clock; `nil` if the response doesn't give one.
  public var serverDate: Date?

  init(
    _ table: ZooTable, _ failures: [RowFailure] = [], rowCount: Int? = nil, recordCount: Int = 0,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.table = table
    self.failures = failures
    self.rowCount = rowCount ?? recordCount + failures.count
    self.importDate = importDate
    self.origin = origin
    self.serverDate = serverDate
  }

  /// Creates a batch of animals.
  public init(
    animals: [Animal], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      .animals, failures, rowCount: rowCount, recordCount: animals.count, importDate: importDate,
      origin: origin, serverDate: serverDate)
    self.animals = animals
  }

  /// Creates a batch of areas.
  public init(
    areas: [ZooArea], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      .areas, failures, rowCount: rowCount, recordCount: areas.count, importDate: importDate,
      origin: origin, serverDate: serverDate)
    self.areas = areas
  }

  /// Creates a batch of plants.
  public init(
    plants: [Plant], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      .plants, failures, rowCount: rowCount, recordCount: plants.count, importDate: importDate,
      origin: origin, serverDate: serverDate)
    self.plants = plants
  }

  /// Creates a batch of events.
  public init(
    events: [ZooEvent], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      .events, failures, rowCount: rowCount, recordCount: events.count, importDate: importDate,
      origin: origin, serverDate: serverDate)
    self.events = events
  }

  /// The number of records.
  public var count: Int { animals.count + areas.count + plants.count + events.count }

  /// A Boolean value that indicates whether the batch has all rows that the source announces.
  ///
  /// The value is `true` if the source announces no number. A saved page of a response is
  /// incomplete.
  public var isComplete: Bool { announcedRowCount.map { rowCount >= $0 } ?? true }

  /// The unreadable cells of all records, such as `########` instead of a day, whose values are
  /// missing although the rows didn't fail.
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

  /// A cell that can't be read.
  public struct UnreadableCell: Sendable, Hashable, Codable {
    /// The ID of the record, as text.
    public var record: String
    /// The name of the column in lowercase, such as `a_update`.
    public var column: String
    /// The content of the cell.
    public var rawText: String

    /// Creates a cell.
    public init(record: String, column: String, rawText: String) {
      self.record = record
      self.column = column
      self.rawText = rawText
    }
  }

  /// A description with the table and the numbers of records and failures.
  public var description: String { "\(table): \(count) records, \(failures.count) failures" }
}
