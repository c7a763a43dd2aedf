// The containers in which a `ShapeDecoder` finds values.
//
// The standard library's defaults for numbers of 128 bits and optionals of its types take precedence over a generic
// method, so each has a method of its own.

struct ShapeKeys<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: ShapeDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    ((try? decoder.cursor.presentKeys()) ?? []).compactMap(Key.init(stringValue:))
  }

  func contains(_ key: Key) -> Bool { ((try? decoder.cursor.find(key.stringValue)) ?? nil) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    guard let field = try decoder.cursor.find(key.stringValue) else { throw missing(key) }
    return field.node == Int(RecordShape.Kind.null.rawValue)
  }

  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(type, key)
  }

  @inline(__always)
  private func value<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
    guard let value = try decoder.decodeField(type, key.stringValue) else { throw missing(key) }
    return value
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder.superDecoder("super") }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    try decoder.superDecoder(key.stringValue)
  }

  private func nested(_ key: Key) throws -> ShapeDecoder {
    guard let nested = try decoder.decoder(of: key.stringValue) else { throw missing(key) }
    return nested
  }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(
      key,
      .init(codingPath: codingPath, debugDescription: "There is no value for \(key.stringValue)."))
  }
}

extension ShapeKeys {
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try decoder.decodeFieldIfPresent(type, key.stringValue)
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try value(type, key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try value(type, key) }
}

extension ShapeDecoder {
  /// Returns a decoder of the field with a key, or one of null if there is none, as from JSON.
  func superDecoder(_ key: String) throws -> ShapeDecoder {
    try decoder(of: key) ?? nested(Int(RecordShape.Kind.null.rawValue), at: -1)
  }
}

struct ShapeElements: UnkeyedDecodingContainer {
  let decoder: ShapeDecoder
  let size: Int
  /// The position of the next element.
  var position: Int
  private(set) var currentIndex = 0

  init(decoder: ShapeDecoder, size: Int, position: Int) {
    (self.decoder, self.size, self.position) = (decoder, size, position)
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { size }
  var isAtEnd: Bool { currentIndex == size }

  mutating func decodeNil() throws -> Bool {
    let isNull = try resolve(Never?.self) == Int(RecordShape.Kind.null.rawValue)
    if isNull { advance() }
    return isNull
  }

  @inline(__always)
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try element(type)
  }

  @inline(__always)
  private mutating func element<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let node = try resolve(type)
    let value = try decoder.decode(type, node, at: currentIndex)
    advance()
    return value
  }

  mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try nested { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try nested { $0 } }

  private mutating func nested<Result>(_ body: (ShapeDecoder) throws -> Result) throws -> Result {
    let node = try resolve(Result.self)
    let nested = try decoder.nested(node, at: currentIndex)
    let result = try body(nested)
    decoder.cursor.reader.position = nested.cursor.start
    try decoder.cursor.reader.skip(node, of: decoder.shape)
    advance()
    return result
  }

  /// Moves the decoder's reader to the next element, and returns its node.
  @inline(__always)
  private func resolve<Value>(_ type: Value.Type) throws -> Int {
    guard currentIndex < size else {
      throw DecodingError.valueNotFound(
        type,
        .init(
          codingPath: decoder.path(to: currentIndex),
          debugDescription: "The array has only \(size) elements."))
    }
    decoder.cursor.reader.position = position
    return try decoder.cursor.resolve(
      decoder.shape.children[decoder.shape.nodes[decoder.node].first])
  }

  /// Continues behind the element that the decoder's reader has read.
  @inline(__always)
  private mutating func advance() {
    position = decoder.cursor.reader.position
    currentIndex += 1
    if currentIndex == size { decoder.cursor.end = position }
  }
}

struct ShapeValue: SingleValueDecodingContainer {
  let decoder: ShapeDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.kind == .null }

  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.decodeSelf(type)
  }

  func decode(_ type: Int128.Type) throws -> Int128 { try decoder.decodeSelf(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.decodeSelf(type) }
}
