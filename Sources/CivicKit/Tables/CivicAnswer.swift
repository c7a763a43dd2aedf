internal import FieldCore
internal import FieldFoundation

/// The rows of a sync server's response, or of a file.
enum CivicAnswer {
  /// Returns the rows of a server's response: `{"result":0,"data":[…]}`.
  ///
  /// - Throws: `FieldError` with the code `civic.result` if the result is missing or isn't 0, and a
  ///   code that begins with `rows` if the body is something else.
  static func rows(
    ofAnswer bytes: [UInt8], for table: CivicTable
  ) throws(FieldError) -> [JSONValue] {
    try FieldError.naming(table.rawValue) { () throws(FieldError) in
      do throws(FieldError) {
        return try rows(inEnvelope: try JSONDocument.value(bytes), for: table)
      } catch {
        throw ForeignBody.explained(error, by: bytes)
      }
    }
  }

  /// Returns the rows of a caller's JSON: a response, an array of rows, or one row.
  static func rows(ofAny bytes: [UInt8], for table: CivicTable) throws(FieldError) -> [JSONValue] {
    let value = try JSONDocument.value(bytes)
    if let rows = value.elements { return rows }
    if member("result", of: value) != nil || member("data", of: value) != nil {
      return try rows(inEnvelope: value, for: table)
    }
    guard case .object(let members) = value, !members.isEmpty else { throw noRows(table) }
    return [value]
  }

  private static func rows(
    inEnvelope value: JSONValue, for table: CivicTable
  ) throws(FieldError) -> [JSONValue] {
    guard case .object = value else { throw noRows(table) }
    guard let result = member("result", of: value) else {
      throw FieldError(.civicResult, "The response for \(table) has no result, so it was rejected.")
    }
    guard result.integer == 0 else {
      throw FieldError(
        .civicResult,
        "The result for \(table) is \(result.canonicalText.prefix(40)) instead of 0.")
    }
    guard let data = member("data", of: value) else { throw noRows(table) }
    // PHP writes an empty list this way.
    if data == .null { return [] }
    guard let rows = data.elements else { throw noRows(table) }
    return rows
  }

  private static func member(_ name: String, of value: JSONValue) -> JSONValue? {
    guard case .object(let members) = value else { return nil }
    return members.last { $0.key.lowercased() == name }?.value
  }

  private static func noRows(_ table: CivicTable) -> FieldError {
    FieldError(.schema, "The body for \(table) has no array of rows under `data`.")
  }
}
