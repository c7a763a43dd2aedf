extension Span<UInt8> {
  /// Returns eight bytes from an offset, the first one lowest; the offset is checked.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Any eight bytes are a valid number, so only the range can be wrong, and it is checked.
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns eight bytes from an offset, the first one lowest, or `nil` if fewer are left.
  @inline(__always)
  func wholeWord(at offset: Int) -> UInt64? {
    // One comparison, as unsigned numbers, refuses negative offsets, too.
    guard UInt(bitPattern: offset) < UInt(bitPattern: Swift.max(count &- 7, 0)) else { return nil }
    return UInt64(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// Returns 64 bytes from an offset, or `nil` if fewer are left.
  @inline(__always)
  func wholeBlock(at offset: Int) -> SIMD8<UInt64>? {
    guard UInt(bitPattern: offset) < UInt(bitPattern: Swift.max(count &- 63, 0)) else { return nil }
    return unsafe bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset, as: SIMD8<UInt64>.self)
  }

  /// Returns the text of a range, made stream-safe; invalid UTF-8 becomes
  /// U+FFFD.
  @inline(__always)
  func text(_ range: Range<Int>) -> String {
    let text = unsafe extracting(range).withUnsafeBufferPointer { text in
      // This creates short texts in half the time of `String(decoding:as:)`, with the same result.
      unsafe String(unsafeUninitializedCapacity: text.count) {
        unsafe $0.initialize(fromContentsOf: text)
      }
    }
    return text.streamSafe
  }

  /// Returns the beginning of a range, at most 200 characters.
  func excerpt(_ range: Range<Int>) -> String {
    var at = range.lowerBound
    var characters = 0
    while at < range.upperBound {
      if self[at] & 0xC0 != 0x80 {
        if characters == 200 { break }
        characters += 1
      }
      // Bytes in another encoding may never begin a character.
      if at - range.lowerBound == 800 { break }
      at += 1
    }
    return text(range.lowerBound..<at)
  }

  /// Returns the number of bytes from an offset that agree with a text.
  func agreement(with text: StaticString, at offset: Int) -> Int {
    text.withUTF8Buffer { buffer in
      let wanted = unsafe buffer.span
      var length = 0
      while length < wanted.count, offset &+ length < count,
        self[offset &+ length] == wanted[length]
      {
        length &+= 1
      }
      return length
    }
  }

  /// Returns whether a text is next, comparing eight bytes at a time.
  @inline(__always)
  package func begins(with text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, offset <= count &- length else { return false }
    return text.withUTF8Buffer { buffer in
      let wanted = unsafe buffer.span
      var done = 0
      while done &+ 8 <= length {
        guard word(at: offset &+ done) == wanted.word(at: done) else { return false }
        done &+= 8
      }
      while done < length {
        guard self[offset &+ done] == wanted[done] else { return false }
        done &+= 1
      }
      return true
    }
  }

  /// Returns the first offset at or after `start` that contains a byte, or the length.
  package func firstOffset(of byte: UInt8, from start: Int) -> Int {
    var at = start
    let wanted = ByteTest.spread(byte)
    while let word = wholeWord(at: at) {
      let hits = ByteTest.zeros(word ^ wanted)
      if hits != 0 { return at &+ ByteTest.first(hits) }
      at &+= 8
    }
    while at < count, self[at] != byte { at &+= 1 }
    return at
  }
}

/// Tests on eight bytes at once, stored in an integer.
///
/// A result has the top bit of a byte set if the test holds for it. Above the lowest such byte,
/// there may be false hits (borrows propagate upward), so use only the lowest, with ``first(_:)``.
enum ByteTest {
  /// Returns the byte in all eight positions.
  @inline(__always)
  static func spread(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Returns the bytes that are zero.
  @inline(__always)
  static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Returns the bytes that are zero.
  @inline(__always)
  static func zeros(_ block: SIMD8<UInt64>) -> SIMD8<UInt64> {
    (block &- SIMD8(repeating: spread(1))) & ~block & SIMD8(repeating: spread(0x80))
  }

  /// Returns the bytes that are control characters, below 0x20.
  @inline(__always)
  static func controls(_ word: UInt64) -> UInt64 {
    (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
  }

  /// Returns the bytes that aren't ASCII.
  @inline(__always)
  static func high(_ word: UInt64) -> UInt64 { word & 0x8080_8080_8080_8080 }

  /// Returns the index of the lowest byte that a test found.
  @inline(__always)
  static func first(_ hits: UInt64) -> Int { hits.trailingZeroBitCount &>> 3 }
}
