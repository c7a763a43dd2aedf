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
  public var failures: [RowFailure] = []
  /// The number of received rows, including failed ones.
  public var rowCount = 0
  /// The number of rows that the source announces; `nil` if it doesn't announce one.
  public var announcedRowCount: Int?
  /// The date when the portal imported the newest row; `nil` if the source doesn't say.
  public var importDate: Date?
  /// The URL of the rows, which may be a file URL.
  public var origin: URL?
  /// The date of the response by the server's clock; `nil` if the response doesn't give one.
  public var serverDate: Date?

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

extension ZooBatch {
  /// Creates a batch of animals.
  public init(
    animals: [Animal], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      table: .animals, animals: animals, failures: failures,
      rowCount: rowCount ?? animals.count + failures.count, importDate: importDate, origin: origin,
      serverDate: serverDate)
  }

  /// Creates a batch of areas.
  public init(
    areas: [ZooArea], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      table: .areas, areas: areas, failures: failures,
      rowCount: rowCount ?? areas.count + failures.count, importDate: importDate, origin: origin,
      serverDate: serverDate)
  }

  /// Creates a batch of plants.
  public init(
    plants: [Plant], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      table: .plants, plants: plants, failures: failures,
      rowCount: rowCount ?? plants.count + failures.count, importDate: importDate, origin: origin,
      serverDate: serverDate)
  }

  /// Creates a batch of events.
  public init(
    events: [ZooEvent], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      table: .events, events: events, failures: failures,
      rowCount: rowCount ?? events.count + failures.count, importDate: importDate, origin: origin,
      serverDate: serverDate)
  }
}
