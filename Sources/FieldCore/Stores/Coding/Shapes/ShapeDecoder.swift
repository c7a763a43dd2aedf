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
