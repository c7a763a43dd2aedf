internal import FieldCore

extension SODARow {
  /// Decodes the row into a type.
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
  /// Keys are the exact names of the columns; `:id` is the row's key. A null cell is missing. The
  /// types decode as follows:
  ///
  /// | type | cell |
  /// |---|---|
  /// | numbers, `Decimal` | a number or its text; nothing else, so `NaN` is an error |
  /// | `Bool` | true and false, as such or as text |
  /// | `Date` | a fixed timestamp, or any other that states its time zone; otherwise, an error |
  /// | `CalendarDay` | the day of any timestamp, as written |
  /// | `URL` | a URL as text, or the object of a URL column |
  /// | `Coordinate` | a point or a location |
  /// | objects and arrays | the same, or their JSON as text, such as `human_address` |
  /// | ``SODAValue`` | any |
  ///
  /// For an optional property of any of these types except `String`, blank text is `nil`.
  ///
  /// - Throws: `FieldError` with the code `rows.malformed`, whose message names the row and the
  ///   column.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    do {
      return try SODARowDecoder(node: .row(self), codingPath: []).decode(type)
    } catch {
      throw FieldError(
        .malformed, "The row \(id) can't be read as \(Value.self): \(Self.reason(error)).",
        underlying: error)
    }
  }

  /// Returns the problem and the column, for a message.
  static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    let context: DecodingError.Context
    switch error {
    case .typeMismatch(_, let known), .valueNotFound(_, let known), .keyNotFound(_, let known),
      .dataCorrupted(let known):
      context = known
    @unknown default: return "\(error)"
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
  }
}
