/// Gives a record's stored form back, value by value.
///
/// Values are read in the order in which ``RecordWriter`` took them. Reading past the end of the
/// record, and bytes that no writer writes, are a ``FieldError`` of the code
/// ``FieldError/Code/damaged``.
public struct RecordReader: Sendable {
  @usableFromInline
  package let bytes: [UInt8]
  @usableFromInline
  package var position: Int
  @usableFromInline
  package var end: Int
  @usableFromInline
  package let strings: [String]

  /// Makes a reader of a part of `bytes`.
  @usableFromInline
  package init(_ bytes: [UInt8], _ range: Range<Int>, strings: [String] = []) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
    self.strings = strings
  }

  /// How many bytes of the record have not been read.
  @inlinable
  public var remainingCount: Int { end - position }

  /// Reads one byte.
  @inlinable
  @inline(__always)
  public mutating func byte() throws -> UInt8 {
    guard position < end else { throw cut() }
    defer { position += 1 }
    return bytes[position]
  }

  /// Reads true or false.
  @inlinable
  @inline(__always)
  public mutating func bool() throws -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    default: throw damaged("a flag is neither true nor false")
    }
  }

  /// Reads a number that is not negative.
  @inlinable
  @inline(__always)
  public mutating func uint() throws -> UInt64 {
    guard position < end else { throw cut() }
    let first = bytes[position]
    if first < 0x80 {
      position += 1
      return UInt64(first)
    }
    if end - position > 1, bytes[position + 1] < 0x80 {
      defer { position += 2 }
      return UInt64(first & 0x7F) | UInt64(bytes[position + 1]) << 7
    }
    return try longUInt()
  }

  @usableFromInline
  mutating func longUInt() throws -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      guard shift < 63 || byte <= 1 else { throw damaged("a number is too large") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// Reads a number of 64 bits.
  @inlinable
  @inline(__always)
  public mutating func int64() throws -> Int64 {
    let raw = try uint()
    return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
  }

  /// Reads a number.
  @inlinable
  public mutating func int() throws -> Int {
    guard let value = Int(exactly: try int64()) else { throw damaged("a number is too large") }
    return value
  }

  /// Reads a floating-point number.
  @inlinable
  @inline(__always)
  public mutating func double() throws -> Double {
    guard end - position >= 8 else { throw cut() }
    defer { position += 8 }
    let pattern = unsafe bytes.withUnsafeBytes { [position] in
      unsafe $0.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    }
    return Double(bitPattern: UInt64(littleEndian: pattern))
  }

  /// Reads text.
  @inlinable
  @inline(__always)
  public mutating func string() throws -> String {
    let range = try lengthPrefixed()
    return try unsafe bytes.withUnsafeBufferPointer { bytes in
      let utf8 = unsafe UnsafeBufferPointer(rebasing: bytes[range])
      let text = unsafe String(decoding: utf8, as: UTF8.self)
      // Text that is not UTF-8 was not written by a `RecordWriter`, and is not repaired in silence.
      // `String(validating:)` would say so by itself, at several times the cost.
      guard unsafe isASCII(utf8) || hasBytes(text, utf8) else {
        throw damaged("a text is not UTF-8")
      }
      return text
    }
  }

  @inlinable
  func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    guard raw.count >= 8 else { return unsafe raw.allSatisfy { $0 < 0x80 } }
    // The last eight overlap those before, which costs less than single bytes do.
    let last = raw.count - 8
    for place in stride(from: 0, to: last, by: 8) {
      let word = unsafe raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
    }
    let word = unsafe raw.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    return word & 0x8080_8080_8080_8080 == 0
  }

  /// Whether a text stands in these bytes, eight of them at a time.
  @inlinable
  func hasBytes(_ text: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let isSame = unsafe text.utf8.withContiguousStorageIfAvailable { utf8 in
      let (left, right) = (UnsafeRawBufferPointer(utf8), UnsafeRawBufferPointer(bytes))
      guard left.count == right.count else { return false }
      guard left.count >= 8 else { return unsafe left.elementsEqual(right) }
      let last = left.count - 8
      var isApart =
        unsafe left.loadUnaligned(fromByteOffset: last, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: last, as: UInt64.self)
      for place in stride(from: 0, to: last, by: 8) {
        unsafe isApart |=
          left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          ^ right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      }
      return isApart == 0
    }
    if let isSame { return isSame }
    return unsafe text.utf8.elementsEqual(bytes)
  }

  /// Reads text that was written with `write(interned:)`.
  @inlinable
  @inline(__always)
  public mutating func internedString() throws -> String {
    let place = try uint()
    guard place < UInt64(strings.count) else { throw damaged("a text has no entry") }
    return strings[Int(place)]
  }

  /// Reads bytes.
  @inlinable
  public mutating func byteArray() throws -> [UInt8] { Array(bytes[try lengthPrefixed()]) }

  /// Reads a value with `body` when there is one.
  @inlinable
  public mutating func optional<Value>(
    _ body: (inout RecordReader) throws -> Value
  ) throws -> Value? {
    try bool() ? try body(&self) : nil
  }

  /// Reads a number or its absence.
  @inlinable
  public mutating func optionalInt() throws -> Int? { try bool() ? try int() : nil }

  /// Reads a number or its absence.
  @inlinable
  public mutating func optionalDouble() throws -> Double? { try bool() ? try double() : nil }

  /// Reads text or its absence.
  @inlinable
  public mutating func optionalString() throws -> String? { try bool() ? try string() : nil }

  /// Reads text that was written with `write(interned:)`, or its absence.
  @inlinable
  public mutating func optionalInternedString() throws -> String? {
    try bool() ? try internedString() : nil
  }

  /// Reads a `Codable` value from the JSON that makes up the rest of the record.
  public mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    defer { position = end }
    return try StoredJSON.decode(type, from: bytes[position..<end])
  }
}

extension RecordReader {
  /// The range of as many bytes as the number before them says, and moves past them.
  @inlinable
  @inline(__always)
  package mutating func lengthPrefixed() throws -> Range<Int> {
    let length = try uint()
    guard length <= UInt64(end - position) else { throw cut() }
    defer { position += Int(length) }
    return position..<position + Int(length)
  }

  /// A count of things of which each takes a byte at least.
  @inlinable
  package mutating func count() throws -> Int {
    let count = try uint()
    guard count <= UInt64(end - position) else { throw cut() }
    return Int(count)
  }

  @usableFromInline
  package func cut() -> FieldError {
    FieldError(.damaged, "a stored value ends in the middle, at byte \(position)")
  }

  @usableFromInline
  package func damaged(_ what: String) -> FieldError {
    FieldError(.damaged, "\(what), at byte \(position)")
  }
}
