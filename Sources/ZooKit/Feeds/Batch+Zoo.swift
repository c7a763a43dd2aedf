public import FieldCore
public import FieldFoundation

/// A batch of the rows of one of the zoo's tables.
extension Batch<ZooRecord> {
  /// The table of the records; `nil` if there are none.
  public var table: ZooTable? { records.first?.id.table }

  /// The animals, in source order.
  public var animals: [Animal] {
    records.compactMap { if case .animal(let animal) = $0.content { animal } else { nil } }
  }

  /// The areas, in source order.
  public var areas: [ZooArea] {
    records.compactMap { if case .area(let area) = $0.content { area } else { nil } }
  }

  /// The plants, in source order.
  public var plants: [Plant] {
    records.compactMap { if case .plant(let plant) = $0.content { plant } else { nil } }
  }

  /// The events, in source order.
  public var events: [ZooEvent] {
    records.compactMap { if case .event(let event) = $0.content { event } else { nil } }
  }

  /// A Boolean value that indicates whether the batch has all rows that the source announces.
  ///
  /// The value is `true` if the source announces no number. A saved page of a response is
  /// incomplete.
  public var isComplete: Bool { facts.announcedCount.map { facts.rowCount >= $0 } ?? true }

  /// The unreadable cells of all records, such as `########` instead of a day, whose values are
  /// missing although the rows didn't fail.
  public var unreadableCells: [ZooRecord.UnreadableCell] { records.flatMap(\.unreadableCells) }

  /// Creates a batch of animals.
  public init(
    animals: [Animal], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      of: animals.map(ZooRecord.init), failures, rowCount, importDate, origin, serverDate)
  }

  /// Creates a batch of areas.
  public init(
    areas: [ZooArea], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      of: areas.map(ZooRecord.init), failures, rowCount, importDate, origin, serverDate)
  }

  /// Creates a batch of plants.
  public init(
    plants: [Plant], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      of: plants.map(ZooRecord.init), failures, rowCount, importDate, origin, serverDate)
  }

  /// Creates a batch of events.
  public init(
    events: [ZooEvent], failures: [RowFailure] = [], rowCount: Int? = nil,
    importDate: Date? = nil, origin: URL? = nil, serverDate: Date? = nil
  ) {
    self.init(
      of: events.map(ZooRecord.init), failures, rowCount, importDate, origin, serverDate)
  }

  private init(
    of records: [ZooRecord], _ failures: [RowFailure], _ rowCount: Int?, _ importDate: Date?,
    _ origin: URL?, _ serverDate: Date?
  ) {
    self.init(records: records, failures: failures)
    if let rowCount { facts.rowCount = rowCount }
    facts.sourceDate = importDate
    facts.origin = origin
    facts.serverDate = serverDate
  }
}

extension ZooRecord {
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

  /// The cells of the record's row that can't be read, in the order of their columns' names.
  public var unreadableCells: [UnreadableCell] {
    let texts: [String: String] =
      switch content {
      case .animal(let animal): animal.unreadable
      case .area(let area): area.unreadable
      case .plant(let plant): plant.unreadable
      case .event(let event): event.unreadable
      case .order, .unreadable: [:]
      }
    return texts.sorted { $0.key < $1.key }.map {
      UnreadableCell(record: id.key ?? "", column: $0.key, rawText: $0.value)
    }
  }
}
