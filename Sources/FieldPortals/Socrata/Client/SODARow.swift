public import FieldCore

/// A row of any dataset.
///
/// Null cells are missing, as in the response. System fields and computed regions, which portals
/// add and omit at will, aren't among the cells.
public struct SODARow: Sendable, Hashable, Identifiable, Codable {
  /// The identifier of a row in its dataset.
  public typealias ID = RecordID<SODARow>

  /// The row's key: the value of the dataset's key column, or the portal's own `:id`.
  public let id: ID
  /// The cells, keyed by column name.
  public var cells: [String: SODAValue]

  /// Creates a row.
  public init(id: ID, cells: [String: SODAValue]) {
    self.id = id
    self.cells = cells
  }

  /// The cell of a column; `nil` if it is null.
  public subscript(column: String) -> SODAValue? { cells[column] }
}

extension SODARow: StoredRecord {
  /// The name in store files.
  public static var storedName: String { "SODARow" }

  /// A Boolean value that indicates whether backups include rows, which is `false` because they can
  /// be fetched again.
  public static var isBackedUp: Bool { false }

  /// Writes the key, then each cell with its column.
  public func write(to writer: inout RecordWriter) throws {
    writer.write(id.rawValue)
    writer.write(UInt64(cells.count))
    for (column, cell) in cells.sorted(by: { $0.key < $1.key }) {
      writer.write(interned: column)
      writer.write(cell.isNested)
      writer.write(cell.text)
    }
  }

  /// Creates a row by reading what ``write(to:)`` wrote.
  public init(reading reader: inout RecordReader) throws {
    id = ID(rawValue: try reader.string())
    cells = [:]
    for _ in 0..<(try reader.uint()) {
      let column = try reader.internedString()
      let isNested = try reader.bool()
      cells[column] = SODAValue(text: try reader.string(), isNested: isNested)
    }
  }

  /// Reads the key and checks the rest of what ``write(to:)`` wrote.
  public static func id(checking reader: inout RecordReader) throws -> ID? {
    let id = ID(rawValue: try reader.string())
    for _ in 0..<(try reader.uint()) {
      try reader.skipInternedString()
      _ = try reader.bool()
      try reader.skipString()
    }
    return id
  }
}

extension SODARow {
  /// Files contain an index of the keys.
  @inlinable
  public static var _isIndexed: Bool { true }

  /// The hash of a key that is the same in every process.
  @inlinable
  public static func _stableHash(of id: ID, seed: UInt64) -> UInt32? {
    StableHash.of(id.rawValue, seed: seed)
  }
}

extension SODARow {
  /// Creates a row by reading one from a response.
  ///
  /// - Parameter key: The key column; `nil` for the portal's `:id`.
  init(_ object: JSONValue?, key: String?) throws(RowProblem) {
    guard case .object(let members) = object else { throw RowProblem("it isn't an object") }
    let column = key ?? ":id"
    guard let id = object?[column].flatMap(Self.id) else {
      throw RowProblem("there is no \(column), which identifies rows")
    }
    self.init(id: id, cells: Self.cells(members))
  }

  /// Returns the ID for a key cell: its exact text, including blanks.
  static func id(of cell: JSONValue) -> ID? {
    guard let text = SODAValue(cell)?.text, !text.isEmpty else { return nil }
    return ID(rawValue: text)
  }

  /// Creates a row without a key, such as a group.
  init(_ object: JSONValue?, number: Int) throws(RowProblem) {
    guard case .object(let members) = object else { throw RowProblem("it isn't an object") }
    self.init(id: ID(rawValue: String(number)), cells: Self.cells(members))
  }

  private static func cells(_ members: [JSONValue.Member]) -> [String: SODAValue] {
    var cells: [String: SODAValue] = Dictionary(minimumCapacity: members.count)
    for member in members where !member.key.hasPrefix(":") {
      cells[member.key] = SODAValue(member.value)
    }
    return cells
  }
}

// MARK: - Decoding

extension SODARow {
  /// Returns the row as a value of a type, as rows of any source are read; see `RowReadable`.
  ///
  /// ```swift
  /// struct Tree: Decodable, Sendable {
  ///   var treeid: Int
  ///   var qspecies: String?
  ///   var plant_date: CalendarDay?
  ///   var location: Coordinate?
  /// }
  /// let tree = try row.decode(Tree.self)
  /// ```
  ///
  /// `:id` is the row's key. The cell of a URL column is an object, so read it as a type with a property `url`.
  ///
  /// - Throws: `FieldError` with the code `rows.malformed`, whose message names the row and the
  ///   column.
  @_disfavoredOverload
  public func decode<Value: Decodable & Sendable>(_ type: Value.Type = Value.self) throws -> Value {
    try read(as: DecodedSODARow<Value>.self, named: "\(Value.self)").value
  }

  /// Returns the row as a value of a type that reads rows.
  ///
  /// - Throws: `FieldError` with the code `rows.malformed`, whose message names the row and the
  ///   column.
  public func decode<Value: RowReadable>(_ type: Value.Type = Value.self) throws -> Value {
    try read(as: type, named: "\(Value.self)")
  }

  private func read<Value: RowReadable>(
    as type: Value.Type, named name: String
  ) throws(FieldError) -> Value {
    let body = Array("[\(jsonText)]".utf8)
    let read = try RowReader.values(of: body, as: type, format: .jsonArray)
    guard let value = read.values.first else {
      throw FieldError(
        .malformed,
        "The row \(id) can't be read as \(name): \(read.failures.first?.reason ?? "it is empty").")
    }
    return value
  }

  /// The row as a portal writes it.
  private var jsonText: String {
    var members = [":id": SODAValue(id.rawValue)].merging(cells) { $1 }.map { column, cell in
      let value = cell.isNested ? cell.text : JSONValue.string(cell.text).canonicalText
      return "\(JSONValue.string(column).canonicalText):\(value)"
    }
    members.sort()
    return "{\(members.joined(separator: ","))}"
  }
}
