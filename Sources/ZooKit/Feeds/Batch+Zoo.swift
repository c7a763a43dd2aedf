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

// MARK: - Zoo reading

extension Batch<ZooRecord> {
  /// Creates a batch by reading a table of any format and year.
  ///
  /// - The portal's response with its envelope, or the array of rows alone.
  /// - CSV, as UTF-8 with or without a byte-order mark, or as Big5.
  /// - Keys in mixed case, in lowercase, or after a byte-order mark.
  /// - `A_Geo` in all its spellings, or longitude and latitude in separate columns.
  ///
  /// - Parameters:
  ///   - bytes: The body of the response, or the content of a file.
  ///   - table: The expected table; `nil` to detect it from the names of the columns.
  ///   - origin: The URL of the bytes.
  /// - Throws: `FieldError` with a `rows.…` code if the bytes aren't a table or only part of one,
  ///   `zoo.unknownTable` if the columns match another table or none, or `zoo.emptyTable` if no row
  ///   can be used. Single rows that can't be used don't throw; they are among the failures.
  public init(reading bytes: [UInt8], as table: ZooTable? = nil, origin: URL? = nil) throws {
    self = try Self.reading([bytes], as: table, origin: origin)
  }

  /// Reads a table in several parts, such as the saved pages of a response.
  ///
  /// - Parameter names: The names of the parts, for messages; empty if they have none.
  static func reading(
    _ parts: [[UInt8]], as table: ZooTable?, origin: URL?, names: [String] = []
  ) throws(FieldError) -> Batch {
    var bodies: [[UInt8]] = []
    var current = 0
    do throws(FieldError) {
      for part in parts {
        bodies.append(try UTF16Text.utf8(part) ?? part)
        current += 1
      }
      current = 0
      return try reading(bodies, as: table, origin: origin) { current += 1 }
    } catch {
      guard !names.isEmpty else { throw error }
      var error = error
      // Problems of all parts together are detected after the last one.
      let name = current < names.count ? names[current] : names.joined(separator: ", ")
      error.message = "\(name): \(error.message)"
      throw error
    }
  }

  private static func reading(
    _ bodies: [[UInt8]], as table: ZooTable?, origin: URL?, afterEach: () -> Void
  ) throws(FieldError) -> Batch {
    let found = bodies.lazy.compactMap(ZooBody.table).first
    if let table, let found, table != found {
      throw FieldError(
        .zooUnknownTable,
        "The columns match the zoo's \(found.rawValue) instead of its \(table.rawValue).")
    }
    // Without a known column, reading any table describes best what the bytes are instead.
    var reader = ZooReader(table ?? found ?? .animals)
    do throws(FieldError) {
      for body in bodies {
        try ZooBody.read(body, into: &reader)
        afterEach()
      }
      return try reader.batch(origin: origin)
    } catch {
      var error = error
      // Rows without a known column aren't the zoo's.
      let isStrange = error.code == .zooEmptyTable && reader.found.facts.rowCount > 0
      if found == nil, isStrange || error.code == .schema || error.code == .unknownFormat {
        error.code = .zooUnknownTable
        error.message = "This isn't a table of the zoo: \(error.message)"
      }
      throw error
    }
  }
}
