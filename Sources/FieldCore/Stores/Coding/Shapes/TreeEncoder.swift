internal import FieldFoundation

/// The encoders of a record and its ID, which collect values in one ``ValueTree``.
final class TreeEncoding {
  // Encoders run on one thread, and the tree calls nothing of a record's. Checking that in each access took an eighth of the
  // time of storing records.
  @safe @exclusivity(unchecked) var tree = ValueTree()

  /// Encodes a value that isn't in a container, and returns the number of its entry.
  func encodeRoot(_ value: some Encodable) throws -> Int {
    if let plain = PlainValue(value) { return tree.addRoot(plain) }
    let entry = tree.addRoot(.nothing)
    try encode(parts: value, into: entry)
    return entry
  }

  /// Encodes a value into an entry.
  @inline(__always)
  func encode<Value: Encodable>(_ value: Value, into entry: Int) throws {
    if let plain = PlainValue(value) { return tree.set(entry, plain) }
    try encode(parts: value, into: entry)
  }

  /// Encodes a value into a new entry of a container.
  @inline(__always)
  func encode<Value: Encodable>(_ value: Value, key: String, in parent: Int) throws {
    if let plain = PlainValue(value) {
      _ = tree.add(plain, key: key, to: parent)
    } else {
      try encode(parts: value, into: tree.add(.nothing, key: key, to: parent))
    }
  }

  /// Encodes a value that may be absent into a new entry of a container.
  @inline(__always)
  func encode<Value: Encodable>(optional value: Value?, key: String, in parent: Int) throws {
    let hint = RecordShape.Kind.ofValues(Value.self)
    guard let value else {
      _ = tree.add(optional: .absent, hint, key: key, to: parent)
      return
    }
    if let plain = PlainValue(value) {
      _ = tree.add(optional: plain, hint, key: key, to: parent)
    } else {
      try encode(parts: value, into: tree.add(optional: .nothing, hint, key: key, to: parent))
    }
  }

  /// Encodes a value that has parts into an entry.
  private func encode<Value: Encodable>(parts value: Value, into entry: Int) throws {
    if Value.self == Data.self, let value = value as? Data {
      tree.set(entry, value)
    } else if !tree.isTooDeep {
      try value.encode(to: TreeEncoder(encoding: self, entry: entry))
      tree.close(entry)
    }
  }
}

/// An encoder of a value into an entry of a tree.
private struct TreeEncoder: Encoder {
  let encoding: TreeEncoding
  let entry: Int

  var codingPath: [any CodingKey] { encoding.tree.path(to: entry) }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    encoding.tree.open(entry, TreeKeys<Key>.kind)
    return KeyedEncodingContainer(TreeKeys<Key>(encoding: encoding, entry: entry))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    encoding.tree.open(entry, .array)
    return TreeElements(encoding: encoding, entry: entry)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    TreeValue(encoding: encoding, entry: entry)
  }
}

// The standard library's defaults for numbers of 128 bits and optionals of its types take precedence over a generic
// method, so each has a method of its own.

private struct TreeKeys<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoding: TreeEncoding
  let entry: Int

  /// The kind of containers with these keys.
  ///
  /// An enumeration has a few keys, in the same order for most values. Other types, such as that of a dictionary's
  /// keys, are larger than the number of a case, and may have any keys.
  static var kind: RecordShape.Kind { MemoryLayout<Key>.size <= 2 ? .record : .map }

  var codingPath: [any CodingKey] { encoding.tree.path(to: entry) }

  func encodeNil(forKey key: Key) { _ = encoding.tree.add(.null, key: key.stringValue, to: entry) }

  @inline(__always)
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoding.encode(value, key: key.stringValue, in: entry)
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try encode(optional: value, key)
  }

  @inline(__always)
  private func encode<Value: Encodable>(optional value: Value?, _ key: Key) throws {
    try encoding.encode(optional: value, key: key.stringValue, in: entry)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(key.stringValue).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder(key.stringValue).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder("super") }

  func superEncoder(forKey key: Key) -> any Encoder { encoder(key.stringValue) }

  private func encoder(_ key: String) -> TreeEncoder {
    TreeEncoder(encoding: encoding, entry: encoding.tree.nested(key, in: entry))
  }
}

extension TreeKeys {
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encode(optional: value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    try encode(optional: value, key)
  }
  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    try encode(optional: value, key)
  }

  func encode(_ value: Int128, forKey key: Key) throws {
    try encoding.encode(value, key: key.stringValue, in: entry)
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    try encoding.encode(value, key: key.stringValue, in: entry)
  }
}

private struct TreeElements: UnkeyedEncodingContainer {
  let encoding: TreeEncoding
  let entry: Int

  var codingPath: [any CodingKey] { encoding.tree.path(to: entry) }
  var count: Int { encoding.tree.children(of: entry).count }

  func encodeNil() { _ = encoding.tree.add(.null, key: "", to: entry) }

  @inline(__always)
  func encode<Value: Encodable>(_ value: Value) throws {
    try encoding.encode(value, key: "", in: entry)
  }

  func encode(_ value: Int128) throws { try encoding.encode(value, key: "", in: entry) }

  func encode(_ value: UInt128) throws { try encoding.encode(value, key: "", in: entry) }

  func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    encoder().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

  func superEncoder() -> any Encoder { encoder() }

  private func encoder() -> TreeEncoder {
    TreeEncoder(encoding: encoding, entry: encoding.tree.add(.nothing, key: "", to: entry))
  }
}

private struct TreeValue: SingleValueEncodingContainer {
  let encoding: TreeEncoding
  let entry: Int

  var codingPath: [any CodingKey] { encoding.tree.path(to: entry) }

  func encodeNil() { encoding.tree.set(entry, .null) }

  @inline(__always)
  func encode<Value: Encodable>(_ value: Value) throws {
    try encoding.encode(value, into: entry)
  }

  func encode(_ value: Int128) throws { try encoding.encode(value, into: entry) }

  func encode(_ value: UInt128) throws { try encoding.encode(value, into: entry) }
}
