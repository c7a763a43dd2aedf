internal import FieldFoundation

/// A decoder of one value of a record in the default coding.
///
/// It reads fields in the order in which they were written without searching for their keys; others are found by
/// skipping the values before them.
final class ShapeDecoder: Decoder {
  let shape: RecordShape
  /// The node of the value, which isn't one of several alternatives.
  let node: Int
  // Decoders run on one thread, and the cursor calls nothing of a record's.
  @safe @exclusivity(unchecked) var cursor: ShapeCursor

  private let depth: Int
  private let parent: ShapeDecoder?
  /// The value's place in its container, or -1 if it isn't in one.
  private let place: Int

  /// Creates a decoder of a value.
  init(_ cursor: ShapeCursor, parent: ShapeDecoder? = nil, place: Int = -1, depth: Int = 0) {
    (self.cursor, shape, node) = (cursor, cursor.shape, cursor.node)
    (self.parent, self.place, self.depth) = (parent, place, depth)
  }

  /// Decodes the ID of the record.
  func decodeID<ID: Decodable>(_ type: ID.Type) throws -> ID {
    cursor.reader.position = cursor.idStart
    return try decode(type, try cursor.resolve(shape.id), at: -1)
  }

  /// Returns a decoder of the value of a node at the reader's position.
  ///
  /// - Parameter place: The value's place in this container, or -1 if it's the container itself.
  func nested(_ node: Int, at place: Int) throws -> ShapeDecoder {
    guard depth < 2 * RecordShape.depthLimit else {
      throw cursor.reader.damaged("A record is nested too deeply")
    }
    return ShapeDecoder(
      ShapeCursor(cursor.reader, shape, node: node, idStart: cursor.idStart), parent: self,
      place: place, depth: place < 0 ? depth : depth + 1)
  }

  /// Decodes the field with a key, or returns `nil` if there is none.
  @inline(__always)
  func decodeField<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value? {
    let found = try cursor.readUsualField(type, key)
    if let value = found.value { return value }
    guard let field = found.field else { return nil }
    let value = try decode(type, field.node, at: field.place)
    cursor.advance(after: field)
    return value
  }

  /// Decodes the field with a key, or returns `nil` if there is none or its value is null.
  @inline(__always)
  func decodeFieldIfPresent<Value: Decodable>(_ type: Value.Type, _ key: String) throws -> Value? {
    let found = try cursor.readUsualField(type, key)
    if let value = found.value { return value }
    guard let field = found.field else { return nil }
    guard field.node != Int(RecordShape.Kind.null.rawValue) else {
      cursor.advance(after: field)
      return nil
    }
    let value = try decode(type, field.node, at: field.place)
    cursor.advance(after: field)
    return value
  }

  /// Returns a decoder of the field with a key, or `nil` if there is none.
  func decoder(of key: String) throws -> ShapeDecoder? {
    guard let field = try cursor.find(key) else { return nil }
    let decoder = try nested(field.node, at: field.place)
    try cursor.reader.skip(field.node, of: shape)
    cursor.advance(after: field)
    return decoder
  }

  // MARK: Decoder

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var kind: RecordShape.Kind { shape.nodes[node].kind }

  var codingPath: [any CodingKey] {
    guard let parent else { return [] }
    return place < 0 ? parent.codingPath : parent.path(to: place)
  }

  /// Returns the path to a value in this container.
  func path(to place: Int) -> [any CodingKey] {
    let isElement = kind == .array
    return codingPath + [
      isElement ? PathKey(intValue: place) : PathKey(stringValue: cursor.key(at: place))
    ]
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard kind == .record || kind == .map else { throw mismatch([String: Any].self, node, at: -1) }
    if kind == .map { _ = try cursor.allFields() }
    return KeyedDecodingContainer(ShapeKeys<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard kind == .array else { throw mismatch([Any].self, node, at: -1) }
    cursor.reader.position = cursor.start
    let count = try cursor.reader.count()
    return ShapeElements(decoder: self, size: count, position: cursor.reader.position)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { ShapeValue(decoder: self) }

  /// Decodes the value itself.
  @inline(__always)
  func decodeSelf<Value: Decodable>(_ type: Value.Type) throws -> Value {
    cursor.reader.position = cursor.start
    let value = try decode(type, node, at: -1)
    cursor.end = cursor.reader.position
    return value
  }

  /// Returns the error that a value of another kind than a type's was found.
  func mismatch<Value>(_ type: Value.Type, _ node: Int, at place: Int) -> DecodingError {
    let kind = shape.nodes[node].kind
    let path = place < 0 ? codingPath : path(to: place)
    let context = DecodingError.Context(
      codingPath: path, debugDescription: "Expected \(type), but found a value of kind \(kind).")
    return kind == .null || kind == .absent
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// Returns the error that a value is out of the range of a type.
  func misfit<Value>(_ type: Value.Type, _ found: some Any, at place: Int) -> DecodingError {
    .dataCorrupted(
      .init(
        codingPath: place < 0 ? codingPath : path(to: place),
        debugDescription: "The value \(found) doesn't fit in \(type)."))
  }
}

// MARK: - Values

extension ShapeDecoder {
  /// Decodes the value of a node at the reader's position.
  ///
  /// The comparisons are resolved when the function is compiled for one of these types.
  ///
  /// - Parameter place: The value's place in this container, or -1 if it's the container itself.
  @inline(__always)
  func decode<Value: Decodable>(_ type: Value.Type, _ node: Int, at place: Int) throws -> Value {
    if let value = try cursor.readUsual(type, node) { return value }
    return try decodeRarely(type, node, at: place)
  }

  @inline(__always)
  private func decodeRarely<Value: Decodable>(
    _ type: Value.Type, _ node: Int, at place: Int
  ) throws -> Value {
    if type == String.self, let value = try text(node, at: place) as? Value { return value }
    if type == Double.self, let value = try double(node, at: place) as? Value { return value }
    if type == Bool.self { throw mismatch(type, node, at: place) }
    if type == Int.self { return try fixed(Int.self, type, node, at: place) }
    if type == Float.self, let value = try float(node, at: place) as? Value { return value }
    if type == Int8.self { return try fixed(Int8.self, type, node, at: place) }
    if type == Int16.self { return try fixed(Int16.self, type, node, at: place) }
    if type == Int32.self { return try fixed(Int32.self, type, node, at: place) }
    if type == Int64.self { return try fixed(Int64.self, type, node, at: place) }
    if type == UInt.self { return try fixed(UInt.self, type, node, at: place) }
    if type == UInt8.self { return try fixed(UInt8.self, type, node, at: place) }
    if type == UInt16.self { return try fixed(UInt16.self, type, node, at: place) }
    if type == UInt32.self { return try fixed(UInt32.self, type, node, at: place) }
    if type == UInt64.self { return try fixed(UInt64.self, type, node, at: place) }
    if type == Int128.self { return try fixed(Int128.self, type, node, at: place) }
    if type == UInt128.self { return try fixed(UInt128.self, type, node, at: place) }
    return try decodeOther(type, node, at: place)
  }

  /// Decodes a value that has parts, or for which the coding has a form that differs from the value's own.
  private func decodeOther<Value: Decodable>(
    _ type: Value.Type, _ node: Int, at place: Int
  ) throws -> Value {
    if type == Date.self, case let seconds = try double(node, at: place),
      let date = Date(timeIntervalSinceReferenceDate: seconds) as? Value
    {
      return date
    }
    if type == UUID.self, let value = try uuid(node, at: place) as? Value { return value }
    if type == Data.self, let value = try data(node, at: place) as? Value { return value }
    if type == URL.self, let value = try url(node, at: place) as? Value { return value }
    if type == Decimal.self, let value = try decimal(node, at: place) as? Value { return value }
    let decoder = try nested(node, at: place)
    let value = try Value(from: decoder)
    cursor.reader.position = try decoder.cursor.findEnd()
    return value
  }

  /// Decodes a number as one of the types of numbers, which is the type of the value.
  @inline(__always)
  private func fixed<Number: FixedWidthInteger, Value>(
    _ number: Number.Type, _ type: Value.Type, _ node: Int, at place: Int
  ) throws -> Value {
    let number = try integer(number, node, at: place)
    guard let value = number as? Value else { throw mismatch(type, node, at: place) }
    return value
  }

  // MARK: Plain values

  private func text(_ node: Int, at place: Int) throws -> String {
    switch shape.nodes[node].kind {
    case .text: return try cursor.reader.sharedText()
    // As in JSON, both are texts.
    case .uuid: return UUID(number: try number128()).uuidString
    case .bytes: return Data(try cursor.reader.byteArray()).base64EncodedString()
    default: throw mismatch(String.self, node, at: place)
    }
  }

  /// Decodes a number, of whatever kind it is, if it is integral and in the range of the type.
  private func integer<Number: FixedWidthInteger>(
    _ type: Number.Type, _ node: Int, at place: Int
  ) throws -> Number {
    func fitting(_ number: Number?, _ found: some Any) throws -> Number {
      guard let number else { throw misfit(type, found, at: place) }
      return number
    }
    switch shape.nodes[node].kind {
    case .int:
      let number = try cursor.reader.int64()
      return try fitting(Number(exactly: number), number)
    case .uint:
      let number = try cursor.reader.uint()
      return try fitting(Number(exactly: number), number)
    case .uint128:
      let number = try number128()
      return try fitting(Number(exactly: number), number)
    case .int128:
      let number = Int128(truncatingIfNeeded: try number128())
      return try fitting(Number(exactly: number), number)
    case .double, .float:
      let number = try double(node, at: place)
      return try fitting(Number(exactly: number), number)
    case .decimal:
      let text = try cursor.reader.string()
      return try fitting(Number(text) ?? Double(text).flatMap { Number(exactly: $0) }, text)
    default: throw mismatch(type, node, at: place)
    }
  }

  private func double(_ node: Int, at place: Int) throws -> Double {
    switch shape.nodes[node].kind {
    case .double: return try cursor.reader.double()
    case .int: return Double(try cursor.reader.int64())
    case .uint: return Double(try cursor.reader.uint())
    case .int128: return Double(Int128(truncatingIfNeeded: try number128()))
    case .uint128: return Double(try number128())
    case .float:
      // As a text, 0.1 is 0.1 in either type.
      let number = try storedFloat()
      return number.isFinite ? Double(number.description) ?? Double(number) : Double(number)
    case .decimal:
      let text = try cursor.reader.string()
      guard let number = Double(text) else { throw misfit(Double.self, text, at: place) }
      return number
    default: throw mismatch(Double.self, node, at: place)
    }
  }

  private func float(_ node: Int, at place: Int) throws -> Float {
    if shape.nodes[node].kind == .float { return try storedFloat() }
    let number = try double(node, at: place)
    guard number.isFinite else { return Float(number) }
    guard let float = Float(number.description), float.isFinite, float != 0 || number == 0 else {
      throw misfit(Float.self, number, at: place)
    }
    return float
  }

  private func storedFloat() throws -> Float {
    var pattern: UInt32 = 0
    for byte in 0..<4 { pattern |= UInt32(try cursor.reader.byte()) << (8 * byte) }
    return Float(bitPattern: pattern)
  }

  private func number128() throws -> UInt128 {
    let low = UInt128(try cursor.reader.double().bitPattern)
    return low | UInt128(try cursor.reader.double().bitPattern) << 64
  }

  private func uuid(_ node: Int, at place: Int) throws -> UUID {
    if shape.nodes[node].kind == .uuid { return UUID(number: try number128()) }
    let text = try text(node, at: place)
    guard let uuid = UUID(uuidString: text) else { throw misfit(UUID.self, text, at: place) }
    return uuid
  }

  private func data(_ node: Int, at place: Int) throws -> Data {
    if shape.nodes[node].kind == .bytes { return Data(try cursor.reader.byteArray()) }
    let text = try text(node, at: place)
    guard let data = Data(base64Encoded: text) else { throw misfit(Data.self, text, at: place) }
    return data
  }

  private func url(_ node: Int, at place: Int) throws -> URL {
    let text = try text(node, at: place)
    guard let url = URL(string: text) else { throw misfit(URL.self, text, at: place) }
    return url
  }

  private func decimal(_ node: Int, at place: Int) throws -> Decimal {
    let text: String
    switch shape.nodes[node].kind {
    case .decimal: text = try cursor.reader.string()
    case .int: text = try cursor.reader.int64().description
    case .uint: text = try cursor.reader.uint().description
    case .int128: text = Int128(truncatingIfNeeded: try number128()).description
    case .uint128: text = try number128().description
    default: text = try double(node, at: place).description
    }
    if text == Decimal.nan.description { return .nan }
    guard let number = Decimal(string: text) else { throw misfit(Decimal.self, text, at: place) }
    return number
  }
}
