/// A position in the values of a record.
///
/// It is one value, so that a decoder, which is an object, accesses it once for each field.
struct ShapeCursor {
  var reader: RecordReader
  let shape: RecordShape
  /// The position of the record's ID.
  let idStart: Int
  /// The node of the container.
  let node: Int
  /// The position of the container.
  let start: Int

  /// The place of the next field to read, and its position.
  private var next = 0
  private var nextStart: Int
  /// All fields, if they have any keys or aren't read in order.
  private var fields: Fields?
  /// The position after the value, if it has been read as a whole.
  var end: Int?

  private struct Fields {
    var keys: [String] = []
    var starts: [Int] = []
    /// The places of keys, once one was searched for.
    var places: [String: Int]?
    var end = 0
  }

  /// A field whose value is at the reader's position.
  struct Field {
    var place: Int
    /// The node of the value.
    var node: Int
    /// The position of the next field if the value is elsewhere.
    var nextStart: Int?
  }

  /// Creates a cursor before the value of a node at the reader's position.
  init(_ reader: RecordReader, _ shape: RecordShape, node: Int, idStart: Int) {
    (self.reader, self.shape, self.node, self.idStart) = (reader, shape, node, idStart)
    start = reader.position
    nextStart = start
  }

  // MARK: Values

  /// Reads the alternative or the tag of a value, and returns the node of its kind.
  mutating func resolve(_ node: Int) throws -> Int {
    try reader.resolve(node, of: shape, idStart: idStart)
  }

  /// Reads a value that is of the kind in which a type is usually written, or returns `nil` and reads nothing.
  ///
  /// The comparisons are resolved when the function is compiled for one of these types.
  @inline(__always)
  mutating func readUsual<Value>(_ type: Value.Type, _ node: Int) throws -> Value? {
    let kind = shape.nodes[node].kind
    if type == String.self, kind == .text { return try reader.sharedText() as? Value }
    if type == Double.self, kind == .double { return try reader.double() as? Value }
    if type == Bool.self, kind == .bool { return try reader.bool() as? Value }
    if type == Int.self, kind == .int {
      let start = reader.position
      if let number = Int(exactly: try reader.int64()) { return number as? Value }
      reader.position = start
    }
    return nil
  }

  /// Returns the position after the value.
  mutating func findEnd() throws -> Int {
    if let end = end ?? fields?.end { return end }
    let part = shape.nodes[node]
    if part.kind == .record, next == part.count { return nextStart }
    reader.position = start
    try reader.skip(node, of: shape)
    return reader.position
  }

  // MARK: Fields

  /// Reads the field with a key if its value is of the kind in which a type is usually written.
  ///
  /// - Returns: The field, or `nil` if there is none, and the value, or `nil` if it hasn't been read.
  @inline(__always)
  mutating func readUsualField<Value>(
    _ type: Value.Type, _ key: String
  ) throws -> (field: Field?, value: Value?) {
    guard let field = try find(key) else { return (nil, nil) }
    let value = try readUsual(type, field.node)
    if value != nil { advance(after: field) }
    return (field, value)
  }

  /// Moves the reader to the value of the field with a key, which is usually the next one; returns `nil` if there
  /// is none.
  mutating func find(_ key: String) throws -> Field? {
    let part = shape.nodes[node]
    guard fields == nil, next < part.count, shape.keys[part.first + next] == key else {
      return try search(key)
    }
    reader.position = nextStart
    return try field(at: next, shape.children[part.first + next])
  }

  /// Returns the field at the reader's position.
  @inline(__always)
  private mutating func field(at place: Int, _ child: Int) throws -> Field? {
    let start = reader.position
    let resolved = try resolve(child)
    if resolved == Int(RecordShape.Kind.absent.rawValue) {
      advance(after: Field(place: place, node: resolved))
      return nil
    }
    let isID = child == Int(RecordShape.Kind.id.rawValue)
    return Field(place: place, node: resolved, nextStart: isID ? start : nil)
  }

  /// Continues after a field, behind whose value the reader is.
  @inline(__always)
  mutating func advance(after field: Field) {
    next = field.place + 1
    nextStart = field.nextStart ?? reader.position
  }

  private mutating func search(_ key: String) throws -> Field? {
    let part = shape.nodes[node]
    if part.kind == .record {
      guard shape.keys[part.first..<part.first + part.count].contains(key) else { return nil }
    }
    guard let place = try place(of: key), let start = fields?.starts[place] else { return nil }
    reader.position = start
    let edge = part.kind == .map ? part.first : part.first + place
    return try field(at: place, shape.children[edge])
  }

  private mutating func place(of key: String) throws -> Int? {
    let keys = try allFields()
    if next < keys.count, keys[next] == key { return next }
    if fields?.places == nil {
      // Of values with the same key, which only damage produces, the last one is used.
      fields?.places = Dictionary(zip(keys, keys.indices)) { $1 }
    }
    return fields?.places?[key]
  }

  /// Finds all fields by skipping their values, and returns their keys.
  mutating func allFields() throws -> [String] {
    if let fields { return fields.keys }
    let part = shape.nodes[node]
    var found = Fields()
    reader.position = start
    if part.kind == .map {
      for _ in 0..<(try reader.count()) {
        found.keys.append(try reader.sharedText())
        found.starts.append(reader.position)
        try reader.skip(shape.children[part.first], of: shape)
      }
    } else {
      for edge in part.first..<part.first + part.count {
        found.keys.append(shape.keys[edge])
        found.starts.append(reader.position)
        try reader.skip(shape.children[edge], of: shape)
      }
    }
    found.end = reader.position
    fields = found
    return found.keys
  }

  /// Returns the keys of the fields that aren't absent.
  mutating func presentKeys() throws -> [String] {
    let keys = try allFields()
    return shape.nodes[node].kind == .map ? keys : try keys.filter { try find($0) != nil }
  }

  /// The key of a field, for errors.
  func key(at place: Int) -> String {
    let part = shape.nodes[node]
    guard part.kind == .record else { return fields?.keys[place] ?? "" }
    return shape.keys[part.first + place]
  }
}
