/// A decoder of a whole row.
struct WholeDecoder: Decoder, SingleValueDecodingContainer {
  let cells: RowCells

  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var codingPath: [any CodingKey] { [] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(CellKeys<Key>(cells: cells))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw mismatch([Any].self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
  func decode(_ type: String.Type) throws -> String { throw mismatch(type) }
  func decode(_ type: Bool.Type) throws -> Bool { throw mismatch(type) }
  func decode(_ type: Double.Type) throws -> Double { throw mismatch(type) }
  func decode(_ type: Float.Type) throws -> Float { throw mismatch(type) }
  func decode(_ type: Int.Type) throws -> Int { throw mismatch(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { throw mismatch(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { throw mismatch(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { throw mismatch(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { throw mismatch(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { throw mismatch(type) }
  func decode(_ type: UInt.Type) throws -> UInt { throw mismatch(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { throw mismatch(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { throw mismatch(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { throw mismatch(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { throw mismatch(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { throw mismatch(type) }

  private func mismatch<Value>(_ type: Value.Type) -> DecodingError {
    .typeMismatch(
      type,
      .init(
        codingPath: [],
        debugDescription: "A row is read by the names of its columns, so it can't be \(type)."))
  }
}

/// A decoder of one cell.
struct CellDecoder: Decoder, SingleValueDecodingContainer {
  let cells: RowCells
  let place: Int

  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var codingPath: [any CodingKey] { cells.path(to: place).map { PathKey(stringValue: $0) } }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(CellKeys<Key>(cells: try cells.nested(at: place, isArray: false)))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    CellElements(cells: try cells.nested(at: place, isArray: true))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { !cells.isPresent(place) }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try cells.value(type, at: place)
  }

  func decode(_ type: Int128.Type) throws -> Int128 { try cells.value(type, at: place) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try cells.value(type, at: place) }
}
