/// The pass in which the values of a record, which have been collected in a tree, are written in a shape.
struct ShapePass {
  let tree: ValueTree
  let shape: RecordShape
  /// The entry of the ID.
  let id: Int
  var out = RecordWriter()
  /// The places at which texts may repeat, by child of the shape.
  var texts: [RepeatedText] = []
  /// The texts that have been written once.
  var seen: Set<String> = []

  init(tree: ValueTree, shape: RecordShape, id: Int) {
    (self.tree, self.shape, self.id) = (tree, shape, id)
  }

  /// Writes a record, or returns `false` and writes nothing if it doesn't have this shape.
  mutating func write(_ root: Int, shapeNumber: Int) -> Bool {
    let start = out.count
    out.write(byte: RecordShape.marker)
    out.write(UInt64(shapeNumber))
    if write(id, shape.id, at: nil), write(root, shape.root, at: nil) { return true }
    out.truncate(to: start)
    return false
  }

  /// Writes a value, or returns `false` if it isn't of a node's kind.
  ///
  /// - Parameter edge: The child of the shape that is the node.
  private mutating func write(_ entry: Int, _ node: Int, at edge: Int?) -> Bool {
    let part = shape.nodes[node]
    let kind = tree.kind(entry)
    switch part.kind {
    case .union: return writeAlternative(entry, part)
    case .any: return writeTagged(entry, kind)
    case .id: return tree.isSame(entry, id)
    case .array where kind == .array:
      return writeArray(entry, shape.children[part.first], at: part.first)
    case .map where kind == .map:
      return writeMap(entry, shape.children[part.first], at: part.first)
    case .record where kind == .record: return writeRecord(entry, part)
    case kind: return writePlain(entry, kind, at: edge)
    default: return false
    }
  }

  private mutating func writePlain(_ entry: Int, _ kind: RecordShape.Kind, at edge: Int?) -> Bool {
    let (low, high) = tree.entries[entry].value.bits
    switch kind {
    case .null, .absent: break
    case .bool: out.write(low != 0)
    case .int: out.write(Int64(bitPattern: low))
    case .uint: out.write(low)
    case .double: out.append(fixed: low)
    case .float: for byte in 0..<4 { out.write(byte: UInt8(truncatingIfNeeded: low >> (8 * byte))) }
    case .text: write(tree.entries[entry].value.text, at: edge)
    case .decimal: out.write(tree.entries[entry].value.text)
    case .bytes: out.write([UInt8](tree.bytes(of: entry)))
    case .uuid, .int128, .uint128:
      out.append(fixed: low)
      out.append(fixed: high)
    case .array, .map, .any, .unknown, .id, .record, .union: return false
    }
    return true
  }

  private mutating func writeAlternative(_ entry: Int, _ union: RecordShape.Node) -> Bool {
    let start = out.count
    for place in 0..<union.count {
      out.write(byte: UInt8(place))
      let edge = union.first + place
      if write(entry, shape.children[edge], at: edge) { return true }
      out.truncate(to: start)
    }
    return false
  }

  private mutating func writeArray(_ entry: Int, _ node: Int, at edge: Int) -> Bool {
    let children = tree.children(of: entry)
    out.write(UInt64(children.count))
    for child in children where !write(child, node, at: edge) { return false }
    return true
  }

  /// Writes a container with any keys, in an order that depends on nothing else.
  private mutating func writeMap(_ entry: Int, _ node: Int, at edge: Int) -> Bool {
    let fields = tree.sortedFields(of: entry)
    out.write(UInt64(fields.count))
    for field in fields {
      write(tree.entries[field].key, at: edge)
      guard write(field, node, at: edge) else { return false }
    }
    return true
  }

  private mutating func writeRecord(_ entry: Int, _ record: RecordShape.Node) -> Bool {
    var child = Int(tree.entries[entry].first)
    for edge in record.first..<record.first + record.count {
      if child >= 0, tree.entries[child].key == shape.keys[edge] {
        guard write(child, shape.children[edge], at: edge) else { return false }
        child = tree.next(after: child)
      } else {
        guard let place = shape.absence(shape.children[edge]) else { return false }
        out.write(byte: place)
      }
    }
    return child < 0
  }

  /// Writes a value after its kind.
  private mutating func writeTagged(_ entry: Int, _ kind: RecordShape.Kind) -> Bool {
    let kind = kind == .record ? .map : kind
    guard kind.rawValue < RecordShape.Kind.tagCount else { return false }
    out.write(byte: kind.rawValue)
    let container = shape.nodes[Int(kind.rawValue)]
    switch kind {
    case .array: return writeArray(entry, shape.children[container.first], at: container.first)
    case .map: return writeMap(entry, shape.children[container.first], at: container.first)
    default: return writePlain(entry, kind, at: nil)
    }
  }

  // MARK: Texts

  /// Writes a text, or its number among the strings of the batch if it has occurred before.
  private mutating func write(_ text: String, at edge: Int?) {
    guard let edge, texts[edge].isWorthwhile, 3...64 ~= text.utf8.count else {
      return out.write(unshared: text)
    }
    let number = numberOfRepeated(text)
    texts[edge].note(isHit: number != nil)
    guard let number else { return out.write(unshared: text) }
    out.write(UInt64(number) << 1 | 1)
  }

  private mutating func numberOfRepeated(_ text: String) -> Int? {
    if let number = out.number(of: text) { return number }
    guard !seen.insert(text).inserted else { return nil }
    // A text that is canonically equivalent to another has other bytes, which aren't lost.
    _ = out.number(of: text, guess: -1)
    return out.number(of: text)
  }
}

/// How often the texts in one place of a shape have been looked up, and how often they had occurred before.
struct RepeatedText {
  private var lookups = 0
  private var hits = 0

  /// A Boolean value that indicates whether looking up further texts is worth the time.
  var isWorthwhile: Bool { lookups < 64 || 4 * hits >= lookups }

  mutating func note(isHit: Bool) {
    lookups += 1
    hits += isHit ? 1 : 0
  }
}
