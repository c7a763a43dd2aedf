internal import FieldFoundation

/// The values that a record and its ID encode, with their keys, before it is known in which shape they are written.
///
/// Containers may be opened, filled, and opened again in any order.
struct ValueTree {
  typealias Kind = RecordShape.Kind

  /// A value, or a container of others.
  struct Entry {
    var key: String
    /// The value; its kind is that of a container, or `unknown` if nothing has been encoded yet.
    var value: PlainValue
    /// For the absence of a value, its kind if it were present.
    var hint = Kind.unknown
    /// A Boolean value that indicates whether the value's absence is encoded too.
    var isOptional = false
    var depth: Int32
    // The numbers of other entries, or -1.
    var parent: Int32
    var first: Int32 = -1
    var last: Int32 = -1
    var next: Int32 = -1
  }

  private(set) var entries: [Entry] = []
  private(set) var data: [Data] = []
  /// A Boolean value that indicates whether values are nested more deeply than the coding allows.
  private(set) var isTooDeep = false

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    data.removeAll()
    isTooDeep = false
  }

  /// Adds a value that isn't in a container, and returns its number.
  mutating func addRoot(_ value: PlainValue) -> Int {
    entries.append(Entry(key: "", value: value, depth: 0, parent: -1))
    return entries.count - 1
  }

  /// Adds a value to a container, and returns its number.
  mutating func add(_ value: PlainValue, key: String, to parent: Int) -> Int {
    let number = Int32(truncatingIfNeeded: entries.count)
    let depth = entries[parent].depth + 1
    if depth > Int32(RecordShape.depthLimit) { isTooDeep = true }
    entries.append(Entry(key: key, value: value, depth: depth, parent: Int32(parent)))
    let last = entries[parent].last
    if last < 0 {
      entries[parent].first = number
    } else {
      entries[Int(last)].next = number
    }
    entries[parent].last = number
    return Int(number)
  }

  /// Adds a value that may be absent.
  mutating func add(optional value: PlainValue, _ hint: Kind, key: String, to parent: Int) -> Int {
    let number = add(value, key: key, to: parent)
    entries[number].isOptional = true
    entries[number].hint = hint
    return number
  }

  mutating func set(_ entry: Int, _ value: PlainValue) { entries[entry].value = value }

  mutating func set(_ entry: Int, _ bytes: Data) {
    entries[entry].value = .bytes(UInt64(data.count))
    data.append(bytes)
  }

  /// Makes an entry a container, unless it is one already.
  mutating func open(_ entry: Int, _ kind: Kind) {
    if entries[entry].value.kind != .map { entries[entry].value.kind = kind }
  }

  /// Ends an entry; one that has encoded nothing is an empty container, as in JSON.
  mutating func close(_ entry: Int) {
    if entries[entry].value.kind == .unknown { entries[entry].value.kind = .record }
  }

  /// Returns the entry of a nested container, which may have been opened before.
  mutating func nested(_ key: String, in parent: Int) -> Int {
    let opened = children(of: parent).last { child in
      entries[child].key == key
        && [.unknown, .array, .map, .record].contains(entries[child].value.kind)
    }
    return opened ?? add(.nothing, key: key, to: parent)
  }

  func kind(_ entry: Int) -> Kind {
    // An encoder that was given to a value may have been left without one.
    let kind = entries[entry].value.kind
    return kind == .unknown ? .record : kind
  }

  func bytes(of entry: Int) -> Data { data[Int(entries[entry].value.bits.low)] }

  /// Returns the number of the next entry in the same container, or -1.
  func next(after entry: Int) -> Int { Int(entries[entry].next) }

  /// The entries of a container, in the order in which they were added.
  func children(of entry: Int) -> [Int] {
    var children: [Int] = []
    var child = Int(entries[entry].first)
    while child >= 0 {
      children.append(child)
      child = next(after: child)
    }
    return children
  }

  /// Returns the present values of a container by key, sorted; the last one of those with the same key.
  func sortedFields(of entry: Int) -> [Int] {
    var last: [String: Int] = [:]
    for child in children(of: entry) where kind(child) != .absent {
      last[entries[child].key] = child
    }
    return last.values.sorted { entries[$0].key < entries[$1].key }
  }

  /// Returns whether two values without parts are the same.
  func isSame(_ one: Int, _ other: Int) -> Bool {
    entries[one].value.isSame(as: entries[other].value)
  }

  /// Returns the keys that lead to an entry; elements of arrays have their position.
  func path(to entry: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var entry = entry
    while case let parent = Int(entries[entry].parent), parent >= 0 {
      let place = kind(parent) == .array ? children(of: parent).firstIndex(of: entry) : nil
      path.append(PathKey(stringValue: entries[entry].key, intValue: place))
      entry = parent
    }
    return path.reversed()
  }
}

/// A key or a position in the path to a value, for errors.
struct PathKey: CodingKey {
  var stringValue: String
  var intValue: Int?

  init(stringValue: String, intValue: Int?) {
    self.stringValue = intValue.map { "Index \($0)" } ?? stringValue
    self.intValue = intValue
  }

  init(stringValue: String) { self.init(stringValue: stringValue, intValue: nil) }

  init(intValue: Int) { self.init(stringValue: "", intValue: intValue) }
}

extension ValueTree {
  /// Returns the kind of an entry's value and its parts.
  func shapeKind(of entry: Int) -> ShapeKind {
    let kind = presentKind(of: entry)
    return entries[entry].isOptional ? kind.orAbsent : kind
  }

  private func presentKind(of entry: Int) -> ShapeKind {
    switch kind(entry) {
    case .absent: return .plain(entries[entry].hint)
    case .array:
      let elements = children(of: entry).lazy.map { shapeKind(of: $0) }
      return .array(of: elements.reduce(.plain(.unknown)) { $0.merged(with: $1) })
    case .map:
      let values = sortedFields(of: entry).lazy.map { presentKind(of: $0) }
      return .map(values.reduce(.plain(.unknown)) { $0.merged(with: $1) })
    case .record:
      let children = children(of: entry)
      // Without an order of its own, a container is self-described.
      guard Set(children.map { entries[$0].key }).count == children.count else {
        return .plain(.any)
      }
      return .record(children.map { .init(key: entries[$0].key, kind: shapeKind(of: $0)) })
    case let kind: return .plain(kind)
    }
  }
}
