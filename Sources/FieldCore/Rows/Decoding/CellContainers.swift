// The standard library's defaults for numbers of 128 bits and optionals of its types take precedence over a generic
// method, so each has a method of its own.

/// The cells of a row or an object, by their keys.
struct CellKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let cells: RowCells

  var codingPath: [any CodingKey] { cells.codingPath }
  var allKeys: [Key] { cells.names.compactMap(Key.init(stringValue:)) }

  @inline(__always)
  private func place(_ key: Key) -> Int { cells.place(of: key.stringValue) }

  func contains(_ key: Key) -> Bool { cells.hasCell(at: place(key)) }
  func decodeNil(forKey key: Key) -> Bool { !cells.isPresent(place(key)) }

  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try cells.value(type, at: place(key))
  }

  @inline(__always)
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
    cells.optionalValue(type, at: place(key))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    KeyedDecodingContainer(
      CellKeys<Nested>(cells: try cells.nested(at: place(key), isArray: false)))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    CellElements(cells: try cells.nested(at: place(key), isArray: true))
  }

  func superDecoder() -> any Decoder { WholeDecoder(cells: cells) }
  func superDecoder(forKey key: Key) -> any Decoder { CellDecoder(cells: cells, place: place(key)) }
}

extension CellKeys {
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) -> Float? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) -> Int8? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) -> Int16? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) -> Int32? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) -> Int64? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) -> Int128? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) -> UInt? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) -> UInt8? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) -> UInt16? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) -> UInt32? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) -> UInt64? {
    cells.optionalValue(type, at: place(key))
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) -> UInt128? {
    cells.optionalValue(type, at: place(key))
  }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try cells.value(type, at: place(key))
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try cells.value(type, at: place(key))
  }
}

/// The cells of an array, in order.
struct CellElements: UnkeyedDecodingContainer {
  let cells: RowCells
  private(set) var currentIndex = 0

  var codingPath: [any CodingKey] { cells.codingPath }
  var count: Int? { cells.count }
  var isAtEnd: Bool { currentIndex >= cells.count }

  init(cells: RowCells) { self.cells = cells }

  /// Returns the place of the next element.
  private func next() throws -> Int {
    // A probe has as many elements as a type asks for.
    guard !isAtEnd || cells.probe != nil else {
      throw cells.error("has only \(cells.count) elements", at: currentIndex)
    }
    return currentIndex
  }

  mutating func decodeNil() throws -> Bool {
    guard !cells.isPresent(try next()) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try cells.value(type, at: try next())
    currentIndex += 1
    return value
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 {
    let value = try cells.value(type, at: try next())
    currentIndex += 1
    return value
  }

  mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
    let value = try cells.value(type, at: try next())
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let nested = try cells.nested(at: try next(), isArray: false)
    currentIndex += 1
    return KeyedDecodingContainer(CellKeys<Nested>(cells: nested))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let nested = try cells.nested(at: try next(), isArray: true)
    currentIndex += 1
    return CellElements(cells: nested)
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = CellDecoder(cells: cells, place: try next())
    currentIndex += 1
    return decoder
  }
}
