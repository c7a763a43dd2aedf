internal import FieldCore
internal import FieldFoundation

/// Decodes a `Decodable` value from a cell, or from all cells of a row.
struct SODARowDecoder: Decoder, SingleValueDecodingContainer {
  let node: SODANode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = node.members else { throw mismatch(type, "an object") }
    return KeyedDecodingContainer(SODAKeyedContainer<Key>(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = node.elements else { throw mismatch([Any].self, "an array") }
    return SODAUnkeyedContainer(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { node.isNull }

  /// Returns a value of any type; types with their own format on portals are read from that format.
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let own: Any?
    let wanted: String
    switch type {
    case is Date.Type:
      (own, wanted) = (
        node.cell?.date,
        "a time with a zone; read a floating timestamp, which has none, as a CalendarDay or String"
      )
    case is CalendarDay.Type: (own, wanted) = (node.cell?.day, "a day or a timestamp")
    case is URL.Type: (own, wanted) = (node.url, "a URL")
    case is Decimal.Type: (own, wanted) = (node.decimal, "a number")
    case is Coordinate.Type: (own, wanted) = (node.cell?.coordinate, "a point or a location")
    case is SODAValue.Type: (own, wanted) = (node.cell, "a cell")
    default: return try Value(from: self)
    }
    guard let value = own as? Value else { throw mismatch(type, wanted) }
    return value
  }

  /// Whether blank text means a missing value for a type, as for all types except text.
  static func isNilWhenBlank(_ type: any Decodable.Type) -> Bool {
    type is Date.Type || type is CalendarDay.Type || type is URL.Type || type is Decimal.Type
      || type is Coordinate.Type
  }

  // MARK: Scalars

  func decode(_ type: Bool.Type) throws -> Bool { try scalar(node.cell?.bool, "true or false") }

  func decode(_ type: String.Type) throws -> String {
    try scalar(node.cell.flatMap { $0.isNested ? nil : $0.text }, "text")
  }

  func decode(_ type: Double.Type) throws -> Double { try scalar(node.cell?.double, "a number") }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

  func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) throws -> Value {
    let cell = node.cell
    // Numbers beyond the range of `Int64` must be spelled as in Swift.
    let number =
      cell?.int64.map { Value(exactly: $0) }
      ?? cell.flatMap { $0.isNested ? nil : Value($0.text) }
    return try scalar(number, "a whole number that \(Value.self) can hold")
  }

  private func scalar<Value>(_ value: Value?, _ wanted: String) throws -> Value {
    guard let value else { throw mismatch(Value.self, wanted) }
    return value
  }

  private func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath, debugDescription: "\(node.excerpt) isn't \(wanted)")
    return node.isNull
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}
