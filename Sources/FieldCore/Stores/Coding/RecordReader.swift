/// A reader of a record's stored form, value by value.
///
/// Values are read in the order in which ``RecordWriter`` wrote them. Reading past the end of the
/// record, or bytes that no writer produces, throws ``FieldError`` with the code
/// ``FieldError/Code/damaged``.
public struct RecordReader: Sendable {
  /// The knowledge about the records that an opening reads.
  @usableFromInline
  package enum Trust: Sendable {
    /// They are checked if their type can do that, and otherwise decoded.
    case checked
    /// This program has decoded all of them.
    case proven
    /// One couldn't be decoded when it was used, so all are decoded.
    case doubted
  }

  @usableFromInline
  package let bytes: [UInt8]
  @usableFromInline
  package var position: Int
  @usableFromInline
  package var end: Int
  @usableFromInline
  package let strings: [String]
  @usableFromInline
  package var trust = Trust.checked
  /// A Boolean value that indicates whether a ``CodedRecord`` is checked, and not created.
  @usableFromInline
  var isChecking = false
  /// The source to which to report a record that can't be decoded when it is used.
  @usableFromInline
  package var source: StoredSource?

  /// The records that follow these bytes, if they are in the file.
  @usableFromInline
  var distant: DistantRecords?

  @usableFromInline
  package init(_ bytes: [UInt8], _ range: Range<Int>, strings: [String] = []) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
    self.strings = strings
  }

  /// The number of unread bytes in the record.
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

  /// Reads a Boolean value.
  @inlinable
  @inline(__always)
  public mutating func bool() throws -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    default: throw damaged("A Boolean value is neither true nor false")
    }
  }

  /// Reads a nonnegative number.
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
      guard shift < 63 || byte <= 1 else { throw damaged("A number is too large") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  /// Reads a 64-bit number.
  @inlinable
  @inline(__always)
  public mutating func int64() throws -> Int64 {
    let raw = try uint()
    return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
  }

  /// Reads a number.
  @inlinable
  public mutating func int() throws -> Int {
    guard let value = Int(exactly: try int64()) else { throw damaged("A number is too large") }
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
  public mutating func string() throws -> String { try text(in: try lengthPrefixed()) }

  @inlinable
  @inline(__always)
  func text(in range: Range<Int>) throws -> String {
    try unsafe bytes.withUnsafeBufferPointer { bytes in
      let utf8 = unsafe UnsafeBufferPointer(rebasing: bytes[range])
      let text = unsafe String(decoding: utf8, as: UTF8.self)
      // Text that isn't UTF-8 wasn't written by a `RecordWriter`, and isn't silently repaired.
      // `String(validating:)` would detect that itself, but is several times slower.
      guard unsafe isASCII(utf8) || hasBytes(text, utf8) else {
        throw damaged("A string isn't UTF-8")
      }
      return text
    }
  }

  @inlinable
  func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    guard raw.count >= 8 else { return unsafe raw.allSatisfy { $0 < 0x80 } }
    // The last eight bytes overlap those before, which is faster than reading single bytes.
    let last = raw.count - 8
    for place in stride(from: 0, to: last, by: 8) {
      let word = unsafe raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { return false }
    }
    let word = unsafe raw.loadUnaligned(fromByteOffset: last, as: UInt64.self)
    return word & 0x8080_8080_8080_8080 == 0
  }

  /// Whether a text equals these bytes, compared eight at a time.
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
    guard place < UInt64(strings.count) else { throw damaged("A string isn't in the string table") }
    return strings[Int(place)]
  }

  /// Checks text without creating it.
  @inlinable
  @inline(__always)
  public mutating func skipString() throws {
    let range = try lengthPrefixed()
    let isASCII = unsafe bytes.withUnsafeBufferPointer {
      unsafe self.isASCII(UnsafeBufferPointer(rebasing: $0[range]))
    }
    guard isASCII || isUTF8(range) else { throw damaged("A string isn't UTF-8") }
  }

  @usableFromInline
  func isUTF8(_ range: Range<Int>) -> Bool { bytes.withByteSpan { UTF8Check.isValid($0, range) } }

  /// Checks text that was written with `write(interned:)`, without creating it.
  @inlinable
  @inline(__always)
  public mutating func skipInternedString() throws {
    guard try uint() < UInt64(strings.count) else {
      throw damaged("A string isn't in the string table")
    }
  }

  /// Reads bytes.
  @inlinable
  public mutating func byteArray() throws -> [UInt8] { Array(bytes[try lengthPrefixed()]) }

  /// Reads a value with `body` if there is one.
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

  /// A Boolean value that indicates whether the rest of the record begins like one in the default coding.
  var isShaped: Bool { position < end && bytes[position] == RecordShape.marker }

  /// Decodes a `Codable` value from the rest of the record, which is JSON or in the default coding of records.
  public mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if isShaped { return try decodeShaped(type) }
    defer { position = end }
    return try StoredJSON.decode(type, from: bytes[position..<end])
  }
}

extension RecordReader {
  /// Reads a length, skips that many bytes, and returns their range.
  @inlinable
  @inline(__always)
  package mutating func lengthPrefixed() throws -> Range<Int> {
    let length = try uint()
    guard length <= UInt64(end - position) else { throw cut() }
    defer { position += Int(length) }
    return position..<position + Int(length)
  }

  /// The number of unread bytes, here and in the file.
  @inlinable
  var availableCount: Int { remainingCount + (distant?.byteCount ?? 0) }

  /// Reads a count of things that take at least one byte each.
  @inlinable
  package mutating func count() throws -> Int {
    let count = try uint()
    guard count <= UInt64(availableCount) else { throw cut() }
    return Int(count)
  }

  /// Reads the table of the strings that records refer to, which is all of the rest.
  mutating func stringTable() throws -> [String] {
    let count = try count()
    var strings: [String] = []
    strings.reserveCapacity(count)
    for _ in 0..<count { strings.append(try string()) }
    guard remainingCount == 0 else { throw damaged("A frame has bytes after its end") }
    return strings
  }

  @usableFromInline
  package func cut() -> FieldError {
    FieldError(.damaged, "A stored value is cut off at byte \(position).")
  }

  @usableFromInline
  package func damaged(_ what: String) -> FieldError {
    FieldError(.damaged, "\(what) (at byte \(position)).")
  }
}
