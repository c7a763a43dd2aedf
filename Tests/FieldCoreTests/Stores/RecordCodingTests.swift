import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("The stored form of records")
struct RecordCodingTests {
  private static func reader(_ write: (inout RecordWriter) throws -> Void) rethrows -> RecordReader
  {
    var writer = RecordWriter()
    try write(&writer)
    return RecordReader(writer.bytes, 0..<writer.bytes.count)
  }

  @Test(
    "the stored form of records keeps whole numbers",
    arguments: [0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, 16_383, 16_384, .max, .min])
  func integers(number: Int) throws {
    var reader = Self.reader { writer in
      writer.write(number)
      writer.write(UInt64(bitPattern: Int64(number)))
      writer.write(Int?.some(number))
      writer.write(Int?.none)
    }
    #expect(try reader.int() == number)
    #expect(try reader.uint() == UInt64(bitPattern: Int64(number)))
    #expect(try reader.optionalInt() == number)
    #expect(try reader.optionalInt() == nil)
    #expect(reader.remainingCount == 0)
  }

  @Test("the stored form of records keeps every bit of floating-point numbers")
  func doubles() throws {
    let numbers = [0, -0.0, 0.1, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, .pi]
    var reader = Self.reader { writer in
      for number in numbers {
        writer.write(number)
        writer.write(Double?.some(number))
      }
      writer.write(Double?.none)
    }
    for number in numbers {
      #expect(try reader.double().bitPattern == number.bitPattern)
      #expect(try reader.optionalDouble()?.bitPattern == number.bitPattern)
    }
    #expect(try reader.optionalDouble() == nil)
  }

  @Test("the stored form of records keeps texts, flags and bytes")
  func texts() throws {
    let texts = ["", "a", "石虎", "e\u{301}", "é", "🐆👩‍👩‍👧", "\u{0}", String(repeating: "x", count: 300)]
    var reader = Self.reader { writer in
      for text in texts {
        writer.write(text)
        writer.write(String?.some(text))
        writer.write(Array(text.utf8))
        writer.write(text.isEmpty)
      }
      writer.write(String?.none)
    }
    for text in texts {
      #expect(Array(try reader.string().utf8) == Array(text.utf8))
      #expect(try reader.optionalString() == text)
      #expect(try reader.byteArray() == Array(text.utf8))
      #expect(try reader.bool() == text.isEmpty)
    }
    #expect(try reader.optionalString() == nil)
  }

  @Test("the stored form of records writes text that records share only once")
  func interning() throws {
    let long = String(repeating: "Northwest Africa ", count: 10)
    let bytes = try FrameCoding<Stone>.encode(
      [.upserts((0..<100).map { Stone("\($0)", kind: long) })], checkpoint: nil
    ).bytes
    #expect(bytes.count < 1500)
    var content = StoreContent<Stone>()
    _ = try FrameCoding<Stone>.replay(
      bytes, Frame.headerSize..<bytes.count, version: 1, noting: false, into: &content)
    #expect(content.record(id: "99")?.kind == long)
  }

  @Test("the stored form of records is an error if it ends in the middle, at every byte")
  func cut() throws {
    var writer = RecordWriter()
    try Stone("石虎", kind: "", mass: 1, year: 2000, found: true).write(to: &writer)
    for end in 0..<writer.bytes.count {
      var reader = RecordReader(writer.bytes, 0..<end, strings: [""])
      let error = #expect(throws: FieldError.self) { try Stone(reading: &reader) }
      #expect(error?.code == .damaged)
    }
  }

  @Test(
    "the stored form of records is an error if no writer produces the bytes",
    arguments: [
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02], "uint"),
      ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], "uint"),
      ([2], "bool"), ([2, 0xC3, 0x28], "text"), ([1, 0xFF], "text"),
      // Three bytes of four, for which a repair has three bytes too: first, around the eighth, last.
      ([12, 0xF0, 0x9F, 0x98] + Array("123456789".utf8), "text"),
      ([12] + Array("123456".utf8) + [0xF0, 0x9F, 0x98] + Array("123".utf8), "text"),
      ([12] + Array("123456789".utf8) + [0xF0, 0x9F, 0x98], "text"),
      ([3, 0xED, 0xA0, 0x80], "text"), ([3, 0xF0, 0x9F, 0x98], "text"), ([5, 0x41], "text"),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], "text"), ([3], "interned"),
    ] as [([UInt8], String)])
  func badBytes(bytes: [UInt8], kind: String) {
    var reader = RecordReader(bytes, 0..<bytes.count, strings: ["a", "b", "c"])
    let error = #expect(throws: FieldError.self) {
      switch kind {
      case "uint": _ = try reader.uint()
      case "bool": _ = try reader.bool()
      case "text": _ = try reader.string()
      default: _ = try reader.internedString()
      }
    }
    #expect(error?.code == .damaged)
  }

  @Test("the stored form of records keeps texts of every length, and is an error if one is cut")
  func textsOfEveryLength() throws {
    for count in 0..<40 {
      for letter in ["x", "é", "虎"] {
        let text = String(repeating: letter, count: count) + "."
        var whole = Self.reader { $0.write(text) }
        #expect(try whole.string() == text)
        for place in 0..<count {
          var bytes = Array(text.utf8)
          // Three bytes of four, for which a repair has three bytes too.
          let cut = place * letter.utf8.count..<(place + 1) * letter.utf8.count
          bytes.replaceSubrange(cut, with: [0xF0, 0x9F, 0x98])
          bytes.insert(UInt8(bytes.count), at: 0)
          guard bytes[0] < 0x80 else { continue }
          var reader = RecordReader(bytes, 0..<bytes.count)
          #expect(throws: FieldError.self) { try reader.string() }
        }
      }
    }
  }

  @Test("the stored form of records is an error if bytes are left over or missing")
  func recordBounds() throws {
    var writer = RecordWriter(prefix: Frame.headerSize + 8)
    writer.write(false)
    writer.write(byte: 1)
    writer.write(UInt64(1))
    writer.writePrefixed { writer in
      writer.write("id")
      writer.write(interned: "kind")
      writer.write(Double?.none)
      writer.write(Int?.none)
      writer.write(true)
      writer.write(true)
    }
    var (bytes, strings) = writer.finish()
    bytes.put(fixed: UInt64(strings - Frame.headerSize), at: Frame.headerSize)
    var content = StoreContent<Stone>()
    let payload = Frame.headerSize..<bytes.count
    let error = #expect(throws: FieldError.self) {
      try FrameCoding<Stone>.replay(bytes, payload, version: 1, noting: false, into: &content)
    }
    #expect(error?.message.contains("wasn't read to its end") == true)
  }

  @Test(
    "the stored form of records has a length of any size before a record",
    arguments: [0, 1, 127, 128, 129, 16_383, 16_384, 70_000])
  func lengths(count: Int) throws {
    var reader = Self.reader { writer in
      writer.writePrefixed {
        $0.write(byte: 7); for _ in 0..<count { $0.write(byte: 1) }
      }
      writer.write(byte: 9)
    }
    #expect(try reader.lengthPrefixed().count == count + 1)
    #expect(try reader.byte() == 9)
  }

  @Test(
    "the stored form of records reads checkpoints without a decoder, as a decoder would",
    arguments: [
      Checkpoint(), Checkpoint(lastSuccess: Date(timeIntervalSinceReferenceDate: -1.5e-9)),
      Checkpoint(
        lastSuccess: Date(timeIntervalSinceReferenceDate: 817_340_400.123_456_7),
        fingerprint: "meteorites/1",
        validators: [
          "https://data.nasa.gov/a?b=c": HTTPValidators(
            entityTag: #"W/"7é\""#, lastModified: "Wed, 25 Nov 2026 08:00:00 GMT"),
          "": HTTPValidators(),
        ],
        cursors: ["erasure": "7", "隕石 \n\t🌠": "\u{8}/"]),
    ])
  func checkpoint(_ checkpoint: Checkpoint) throws {
    let bytes = try StoredJSON.encode(checkpoint)
    #expect(CheckpointReader.read(bytes) == checkpoint)
    #expect(try StoredJSON.decode(Checkpoint.self, from: bytes[...]) == checkpoint)
    for end in bytes.indices { #expect(CheckpointReader.read(Array(bytes[..<end])) == nil) }
  }

  @Test("A checkpoint has the bytes that an encoder writes, whatever its texts and its date are")
  func writtenCheckpoints() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    let texts = [
      "", "a", "b", "A", "a1", "a10", "a2", "é", "e\u{301}", "隕石", "🌠", "\"", "\\", "/", "\n",
      "\u{8}",
      "\u{7F}", "\u{2028}", "https://data.nasa.gov/a?b=c", "W/\"7\"", "ﬀ", "\u{FEFF}", "\0",
    ]
    let dates = [0, -0.0, 1, -1, 1e16, 1e22, 1e-7, 0.1, 817_340_400.123_456_7, .infinity, .nan]
    var random = SeededGenerator(seed: Sample.seed())
    for _ in 0..<2_000 {
      func some<Value>(_ value: (inout SeededGenerator) -> Value) -> Value? {
        Bool.random(using: &random) ? value(&random) : nil
      }
      func text() -> String { texts[Int.random(in: 0..<texts.count, using: &random)] }
      var checkpoint = Checkpoint(
        lastSuccess: some {
          Date(timeIntervalSinceReferenceDate: dates[Int.random(in: 0..<dates.count, using: &$0)])
        }, fingerprint: some { texts[Int.random(in: 0..<texts.count, using: &$0)] })
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        checkpoint.cursors[text()] = text()
        checkpoint.validators[text()] = HTTPValidators(
          entityTag: Bool.random(using: &random) ? text() : nil,
          lastModified: Bool.random(using: &random) ? text() : nil)
      }
      let written = try StoredJSON.encode(checkpoint)
      #expect(written == [UInt8](try encoder.encode(checkpoint)), "\(checkpoint)")
    }
  }

  @Test(
    "the stored form of records leaves checkpoints in another form to a decoder",
    arguments: [
      (#"{"cursors":{"a":"\u0000"},"validators":{}}"#, true),
      (#"{"cursors":{},"next":1,"validators":{}}"#, true),
      (#"{"cursors":{},"lastSuccess":"nan","validators":{}}"#, true),
      (#"{ "cursors":{},"validators":{}}"#, true), (#"{"cursors":{}}"#, false),
      (#"{"validators":{}}"#, false), (#"{"cursors":{},"validators":{},"#, false),
      (#"{"cursors":{},"lastSuccess":--1,"validators":{}}"#, false), ("", false),
    ])
  func otherCheckpoint(_ text: String, isValid: Bool) {
    let bytes = Array(text.utf8)
    #expect(CheckpointReader.read(bytes) == nil)
    #expect(((try? StoredJSON.checkpoint(from: bytes[...])) != nil) == isValid)
  }

  @Test("the stored form of records has checksums that are CRC-32C")
  func checksum() {
    // The check values of RFC 3720, appendix B.4.
    func sum(_ bytes: [UInt8]) -> UInt32 { CRC32C.checksum(bytes, 0..<bytes.count) }
    #expect(sum(Array("123456789".utf8)) == 0xE306_9283)
    #expect(sum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(sum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(sum(Array(0..<32)) == 0x46DD_794E)
    #expect(sum(Array((0..<32).reversed())) == 0x113F_DB5C)
    #expect(sum([]) == 0)
  }

  @Test("the stored form of records has checksums that match a bit-by-bit computation")
  func checksumDifferential() {
    var chance = SeededGenerator(seed: 3)
    let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &chance) }
    /// The sums of the first bytes of an array: of none, of one, and so on.
    func sums(_ bytes: ArraySlice<UInt8>) -> [UInt32] {
      var sum = UInt32.max
      var sums = [~sum]
      for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0x82F6_3B78 : sum >> 1 }
        sums.append(~sum)
      }
      return sums
    }
    for start in 0..<20 {
      let slow = sums(bytes[start...])
      for end in stride(from: start, through: 300, by: 3) {
        #expect(CRC32C.checksum(bytes, start..<end) == slow[end - start])
        let middle = (start + end) / 2
        let first = CRC32C.checksum(bytes, start..<middle)
        #expect(CRC32C.checksum(bytes, middle..<end, after: first) == slow[end - start])
      }
    }
    // So long that they are folded, and around the lengths at which one step or block more is.
    let long = (0..<60_000).map { _ in UInt8.random(in: 0...255, using: &chance) }
    let lengths = [15_824, 15_825, 15_826, 21_658, 21_659, 21_660, 21_723, 38_043, 38_107, 59_999]
    let slow = [0, 1].map { sums(long[$0...]) }
    for count in lengths + (0..<20).map({ _ in Int.random(in: 15_800...60_000, using: &chance) }) {
      for start in [0, 1] {
        #expect(CRC32C.checksum(long, start..<count) == slow[start][count - start])
        let first = CRC32C.checksum(long, start..<7)
        #expect(CRC32C.checksum(long, 7..<count, after: first) == slow[start][count - start])
      }
    }
  }
}
