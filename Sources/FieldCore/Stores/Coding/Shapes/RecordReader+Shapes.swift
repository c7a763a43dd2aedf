extension RecordReader {
  /// Decodes a record in the default coding as a type, and reads it to its end.
  mutating func decodeShaped<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let decoder = try shapedDecoder()
    let value = try Value(from: decoder)
    position = try decoder.cursor.findEnd()
    return value
  }

  /// Decodes the ID of a record in the default coding, and checks the rest without decoding it.
  package mutating func decodeShapedID<ID: Decodable>(_ type: ID.Type) throws -> ID {
    let decoder = try shapedDecoder()
    let id = try decoder.decodeID(type)
    position = try decoder.cursor.findEnd()
    return id
  }

  /// Reads the marker, the shape, and the ID of a record, and returns a decoder of the rest.
  private mutating func shapedDecoder() throws -> ShapeDecoder {
    guard try byte() == RecordShape.marker else {
      throw damaged("A record isn't in the default coding")
    }
    let shape = try RecordShape.shape(try internedString())
    let idStart = position
    try skip(shape.id, of: shape)
    let node = try resolve(shape.root, of: shape, idStart: idStart)
    return ShapeDecoder(ShapeCursor(self, shape, node: node, idStart: idStart))
  }

  /// Reads a text of the default coding, which may be among the strings of the frame.
  @inline(__always)
  mutating func sharedText() throws -> String {
    let head = try uint()
    if head & 1 == 1 {
      guard head >> 1 < UInt64(strings.count) else {
        throw damaged("A string isn't in the string table")
      }
      return strings[Int(head >> 1)]
    }
    guard head >> 1 <= UInt64(end - position) else { throw cut() }
    let start = position
    position += Int(head >> 1)
    return try text(in: start..<position)
  }

  private mutating func skipSharedText() throws {
    let head = try uint()
    if head & 1 == 1 {
      guard head >> 1 < UInt64(strings.count) else {
        throw damaged("A string isn't in the string table")
      }
    } else {
      guard head >> 1 <= UInt64(end - position) else { throw cut() }
      let start = position
      position += Int(head >> 1)
      guard isUTF8(start..<position) else { throw damaged("A string isn't UTF-8") }
    }
  }

  /// Reads the alternative or the tag of a value if it has one, and returns the node of its kind.
  ///
  /// - Parameter idStart: The position of the ID, to which the reader moves if the value is the ID.
  @inline(__always)
  mutating func resolve(_ node: Int, of shape: RecordShape, idStart: Int) throws -> Int {
    let part = shape.nodes[node]
    switch part.kind {
    case .union, .any, .id, .unknown: return try resolve(part, of: shape, idStart: idStart)
    default: return node
    }
  }

  private mutating func resolve(
    _ part: RecordShape.Node, of shape: RecordShape, idStart: Int
  ) throws -> Int {
    switch part.kind {
    case .union:
      let place = Int(try byte())
      guard place < part.count else { throw damaged("A value has an unknown alternative") }
      // Alternatives have no alternatives.
      return try resolve(shape.children[part.first + place], of: shape, idStart: idStart)
    case .any:
      let tag = try byte()
      guard tag < RecordShape.Kind.tagCount else { throw damaged("A value has an unknown kind") }
      return Int(tag)
    case .id:
      position = idStart
      return try resolve(shape.id, of: shape, idStart: idStart)
    default: throw damaged("A value has no known kind")
    }
  }

  /// Checks a value without decoding it, and moves behind it.
  mutating func skip(_ node: Int, of shape: RecordShape, depth: Int = 0) throws {
    let part = shape.nodes[node]
    guard depth <= 2 * RecordShape.depthLimit else {
      throw damaged("A record is nested too deeply")
    }
    switch part.kind {
    case .null, .absent, .id: break
    case .bool: _ = try bool()
    case .int, .uint: _ = try uint()
    case .double: try skip(bytes: 8)
    case .float: try skip(bytes: 4)
    case .text: try skipSharedText()
    case .bytes: _ = try lengthPrefixed()
    case .decimal: try skipString()
    case .uuid, .int128, .uint128: try skip(bytes: 16)
    case .array:
      for _ in 0..<(try count()) {
        try skip(shape.children[part.first], of: shape, depth: depth + 1)
      }
    case .map:
      for _ in 0..<(try count()) {
        try skipSharedText()
        try skip(shape.children[part.first], of: shape, depth: depth + 1)
      }
    case .record:
      for edge in part.first..<part.first + part.count {
        try skip(shape.children[edge], of: shape, depth: depth + 1)
      }
    case .union, .any, .unknown:
      let resolved = try resolve(part, of: shape, idStart: position)
      try skip(resolved, of: shape, depth: depth + 1)
    }
  }

  private mutating func skip(bytes count: Int) throws {
    guard end - position >= count else { throw cut() }
    position += count
  }
}
