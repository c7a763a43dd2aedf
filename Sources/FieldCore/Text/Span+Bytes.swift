extension Span<UInt8> {
  /// Eight bytes from an offset on, the first one lowest; the offset is checked.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Any eight bytes are a number, so the only thing to get wrong is the range, which is checked.
    UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The text of a range; bytes that are no UTF-8 become U+FFFD.
  @inline(__always)
  func text(_ range: Range<Int>) -> String {
    unsafe extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The beginning of a range, at most 200 characters.
  func excerpt(_ range: Range<Int>) -> String {
    var at = range.lowerBound
    var characters = 0
    while at < range.upperBound {
      if self[at] & 0xC0 != 0x80 {
        if characters == 200 { break }
        characters += 1
      }
      // Bytes of another encoding can go on without ever beginning a character.
      if at - range.lowerBound == 800 { break }
      at += 1
    }
    return text(range.lowerBound..<at)
  }

  /// How many bytes from an offset on agree with the text.
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

  /// The first offset at or after `start` that holds the byte, or the length.
  func firstOffset(of byte: UInt8, from start: Int) -> Int {
    var at = start
    let wanted = ByteTest.spread(byte)
    while at &+ 8 <= count {
      let hits = ByteTest.zeros(word(at: at) ^ wanted)
      if hits != 0 { return at &+ ByteTest.first(hits) }
      at &+= 8
    }
    while at < count, self[at] != byte { at &+= 1 }
    return at
  }
}

extension [UInt8] {
  /// Lends the bytes. `Array.span` would do, but it is newer than the package's oldest Apple systems.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
      try body(unsafe buffer.span)
    }
  }
}

/// Tests on eight bytes at once, held in a number.
///
/// A result has the top bit of a byte set where the test holds. Above the lowest such byte there may
/// be false hits (borrows run upwards), so only the lowest may be believed, by ``first(_:)``.
enum ByteTest {
  /// The byte in all eight places.
  @inline(__always)
  static func spread(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// The bytes that are zero.
  @inline(__always)
  static func zeros(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// The bytes that are control characters, below 0x20.
  @inline(__always)
  static func controls(_ word: UInt64) -> UInt64 {
    (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
  }

  /// The bytes that are not ASCII.
  @inline(__always)
  static func high(_ word: UInt64) -> UInt64 { word & 0x8080_8080_8080_8080 }

  /// The number of the lowest byte that a test found.
  @inline(__always)
  static func first(_ hits: UInt64) -> Int { hits.trailingZeroBitCount &>> 3 }
}
