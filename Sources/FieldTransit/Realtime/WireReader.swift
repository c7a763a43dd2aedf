internal import FieldCore

/// Reads the wire format of Protocol Buffers, one field of a message after another.
///
/// A field that the caller doesn't know needs no more than another turn of its loop, and so does one of another type than it
/// expects, as in Google's readers.
struct WireReader {
  /// The field's number, and what it contains.
  struct Field {
    let number: Int
    fileprivate let value: Value

    /// The whole number, in 64 bits; `nil` for other types.
    var number64: UInt64? { if case .varint(let number) = value { number } else { nil } }
    /// The signed number in 32 bits, cut off as in Google's readers.
    var int32: Int32? { number64.map { Int32(truncatingIfNeeded: $0) } }
    var int64: Int64? { number64.map { Int64(bitPattern: $0) } }
    var uint32: UInt32? { number64.map { UInt32(truncatingIfNeeded: $0) } }
    var bool: Bool? { number64.map { $0 != 0 } }
    /// The floating-point number in 32 bits, unless it isn't finite.
    var float: Float? {
      guard case .fixed32(let bits) = value else { return nil }
      let number = Float(bitPattern: bits)
      return number.isFinite ? number : nil
    }
    /// The range of a text or a message.
    var range: Range<Int>? { if case .bytes(let range) = value { range } else { nil } }
  }

  fileprivate enum Value {
    case varint(UInt64)
    case bytes(Range<Int>)
    case fixed32(UInt32)
    case other
  }

  private let bytes: [UInt8]
  private var at: Int
  private let end: Int

  /// The depth to which groups, which nobody writes any more, may be nested.
  private static let mostGroups = 64

  init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
    self.bytes = bytes
    (at, end) = (range?.lowerBound ?? 0, range?.upperBound ?? bytes.count)
  }

  /// Returns the next field, or `nil` at the end of the message.
  ///
  /// - Throws: ``/FieldCore/FieldError`` with the code ``/FieldCore/FieldError/Code/cut`` if the message ends within a field, and
  ///   ``/FieldCore/FieldError/Code/malformed`` if it violates the wire format.
  mutating func next() throws(FieldError) -> Field? {
    guard at < end else { return nil }
    let tag = try tag()
    switch tag.type {
    case 0: return Field(number: tag.number, value: .varint(try varint()))
    case 1:
      try skip(8)
      return Field(number: tag.number, value: .other)
    case 2: return Field(number: tag.number, value: .bytes(try delimited()))
    case 3:
      try skipGroup(tag.number)
      return Field(number: tag.number, value: .other)
    case 5:
      try skip(4)
      return Field(number: tag.number, value: .fixed32(bytes.fixed(at: at - 4)))
    default: throw malformed("has the wire type \(tag.type)")
    }
  }

  private mutating func tag() throws(FieldError) -> (number: Int, type: UInt8) {
    let tag = try varint()
    guard tag <= UInt64(UInt32.max), tag >> 3 > 0 else {
      throw malformed("has a field with the number \(tag >> 3)")
    }
    return (Int(tag >> 3), UInt8(tag & 7))
  }

  private mutating func varint() throws(FieldError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard at < end else { throw cut }
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
      guard shift < 70 else { throw malformed("has a number of more than 10 bytes") }
    }
  }

  private mutating func delimited() throws(FieldError) -> Range<Int> {
    let count = try varint()
    guard count <= UInt64(end - at) else { throw cut }
    at += Int(count)
    return at - Int(count)..<at
  }

  private mutating func skip(_ count: Int) throws(FieldError) {
    guard count <= end - at else { throw cut }
    at += count
  }

  /// Skips a group and the groups in it, up to its end.
  private mutating func skipGroup(_ number: Int) throws(FieldError) {
    var open = [number]
    while let last = open.last {
      guard at < end else { throw cut }
      let tag = try tag()
      switch tag.type {
      case 0: _ = try varint()
      case 1: try skip(8)
      case 2: _ = try delimited()
      case 3:
        guard open.count < Self.mostGroups else { throw malformed("nests groups too deeply") }
        open.append(tag.number)
      case 4:
        guard tag.number == last else { throw malformed("ends a group that it hasn't begun") }
        open.removeLast()
      case 5: try skip(4)
      default: throw malformed("has the wire type \(tag.type)")
      }
    }
  }

  private var cut: FieldError {
    FieldError(.cut, "The message is truncated at byte \(at). Download it again.")
  }

  private func malformed(_ reason: String) -> FieldError {
    FieldError(
      .malformed,
      "The message \(reason) before byte \(at), which Protocol Buffers don't allow. Check the URL.")
  }
}
