public import FieldCore

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
