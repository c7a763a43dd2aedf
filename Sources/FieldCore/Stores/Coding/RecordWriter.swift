internal import FieldFoundation

/// A writer of a record's stored form, value by value.
///
/// A type with its own coding writes its values in any order, and reads them from a
/// ``RecordReader`` in the same order:
///
/// ```swift
/// func write(to writer: inout RecordWriter) throws {
///   writer.write(id)
///   writer.write(name)
///   writer.write(interned: recordClass)
///   writer.write(mass)
/// }
/// ```
///
/// The bytes don't describe themselves, so every change of the order or of a type requires a new
/// ``StoredRecord/formatVersion``. Numbers are little-endian; see `Docs/store-format.md` for the
/// rest.
public struct RecordWriter {
  @usableFromInline
  package private(set) var bytes: [UInt8]
  private var places: [String: Int] = [:]
  private var strings: [String] = []
  private var shaped: ShapedWriter?

  @inlinable
  package var count: Int { bytes.count }

  package mutating func reserve(_ more: Int) { bytes.reserveCapacity(bytes.count + more) }

  /// Creates a writer that leaves `prefix` bytes free at the start.
  package init(prefix: Int = 0, capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(prefix + capacity)
    bytes.append(contentsOf: repeatElement(0, count: prefix))
  }

  /// Writes a Boolean value in one byte.
  @inlinable
  public mutating func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

  /// Writes one byte.
  @inlinable
  public mutating func write(byte: UInt8) { bytes.append(byte) }

  /// Writes a nonnegative number in as few bytes as possible, with seven bits in each.
  @inlinable
  @inline(__always)
  public mutating func write(_ value: UInt64) {
    if value < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: value)) }
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Writes a number in as few bytes as possible; numbers near zero take the fewest.
  @inlinable
  public mutating func write(_ value: Int64) {
    write(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Writes a number in as few bytes as possible; numbers near zero take the fewest.
  @inlinable
  public mutating func write(_ value: Int) { write(Int64(value)) }

  /// Writes a floating-point number exactly, in eight bytes.
  @inlinable
  public mutating func write(_ value: Double) { append(fixed: value.bitPattern) }

  /// Writes text as its length and its UTF-8 bytes.
  @inlinable
  public mutating func write(_ value: String) {
    var value = value
    value.withUTF8 { utf8 in
      write(UInt64(utf8.count))
      unsafe bytes.append(contentsOf: utf8)
    }
  }

  /// Writes bytes, preceded by their count.
  @inlinable
  public mutating func write(_ value: [UInt8]) {
    write(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Writes text that many records of a batch share: the number of the text, which is stored once.
  public mutating func write(interned value: String) {
    write(UInt64(number(of: value, guess: -1)))
  }

  /// Writes whether there is a value, and then the value with `body`.
  @inlinable
  public mutating func write<Value>(
    optional value: Value?, _ body: (inout RecordWriter, Value) throws -> Void
  ) rethrows {
    write(value != nil)
    if let value { try body(&self, value) }
  }

  /// Writes a number or its absence.
  @inlinable
  public mutating func write(_ value: Int?) { write(optional: value) { $0.write($1) } }

  /// Writes a number or its absence.
  @inlinable
  public mutating func write(_ value: Double?) { write(optional: value) { $0.write($1) } }

  /// Writes text or its absence.
  @inlinable
  public mutating func write(_ value: String?) { write(optional: value) { $0.write($1) } }

  /// Writes text that many records share, or its absence.
  public mutating func write(interned value: String?) {
    write(optional: value) { $0.write(interned: $1) }
  }

  /// Writes a `Codable` value as JSON, preserving numbers that aren't finite.
  public mutating func encode(_ value: some Encodable) throws {
    bytes.append(contentsOf: try StoredJSON.encode(value))
  }
}

extension RecordWriter {
  @inlinable
  package mutating func append(fixed value: UInt64) {
    let little = value.littleEndian
    unsafe withUnsafeBytes(of: little) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Writes the length of `body`'s output, followed by that output.
  @inlinable
  package mutating func writePrefixed(_ body: (inout RecordWriter) throws -> Void) rethrows {
    let start = bytes.count
    bytes.append(0)
    try body(&self)
    let length = bytes.count - start - 1
    if length < 0x80 {
      bytes[start] = UInt8(truncatingIfNeeded: length)
    } else {
      widen(start, to: UInt64(length))
    }
  }

  /// Replaces the reserved byte with a length of several bytes.
  @usableFromInline
  package mutating func widen(_ place: Int, to length: UInt64) {
    var prefix = RecordWriter()
    prefix.write(length)
    bytes.replaceSubrange(place...place, with: prefix.bytes)
  }

  /// Writes a record in the default coding.
  package mutating func write<Record: StoredRecord>(shaped record: Record) throws {
    let shaped = shaped ?? ShapedWriter()
    self.shaped = nil
    defer { self.shaped = shaped }
    try shaped.write(record, to: &self)
  }

  /// A Boolean value that indicates whether a record was written in the default coding.
  var hasShapes: Bool { shaped != nil }

  /// Writes a text of the default coding, as twice its length and its UTF-8 bytes.
  mutating func write(unshared value: String) {
    var value = value
    value.withUTF8 { utf8 in
      write(UInt64(utf8.count) << 1)
      unsafe bytes.append(contentsOf: utf8)
    }
  }

  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  /// Returns the number of an interned text, which is added if it's new.
  ///
  /// - Parameter guess: The number that it probably has.
  mutating func number(of value: String, guess: Int) -> Int {
    if strings.indices.contains(guess), strings[guess] == value { return guess }
    if let place = places[value] { return place }
    places[value] = strings.count
    strings.append(value)
    return strings.count - 1
  }

  /// Returns the number of an interned text with these bytes.
  func number(of value: String) -> Int? {
    guard let place = places[value], strings[place].hasBytes(of: value) else {
      return nil
    }
    return place
  }

  /// Appends the interned strings, and returns the bytes and the offset of the strings.
  package consuming func finish() -> (bytes: [UInt8], strings: Int) {
    let place = bytes.count
    write(UInt64(strings.count))
    for string in strings { write(string) }
    return (bytes, place)
  }
}
