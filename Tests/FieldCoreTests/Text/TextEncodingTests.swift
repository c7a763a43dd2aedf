import FieldCore
import Testing

@Suite("The encoding of bytes that aren't UTF-8")
struct TextEncodingTests {
  private static func evident(_ bytes: [UInt8], isProse: Bool = false) -> TextEncoding? {
    bytes.withByteSpan { TextEncoding.evident(in: $0, isProse: isProse) }
  }

  @Test(
    "the encoding of bytes is evident from four characters of Big5 on",
    arguments: [("臺南市公", true), ("臺南市", false), ("臺南許功蓋，a é", false), ("車", false)])
  func big5(text: String, isEvident: Bool) throws {
    let bytes = Big5.bytes(text) ?? Array(text.utf8)
    #expect(Self.evident(bytes) == (isEvident ? .big5 : nil))
    #expect(Self.evident(bytes, isProse: true) == (isEvident ? .big5 : nil))
  }

  @Test("the encoding of bytes is evident despite one strange pair of twenty, and not despite two")
  func strange() throws {
    let bytes = try #require(Big5.bytes(String(repeating: "臺南市政", count: 5)))
    #expect(Self.evident(bytes.dropLast(2) + [0xFF, 0x61]) == .big5)
    #expect(Self.evident(bytes.dropLast(4) + [0xFF, 0x61, 0xFF, 0x61]) == nil)
  }

  @Test("the encoding is GB 18030 with common characters from D0 on, or others in sentences")
  func mainland() {
    // 台南市今天参加活动, and 心中 twice.
    let early: [UInt8] = [
      0xCC, 0xA8, 0xC4, 0xCF, 0xCA, 0xD0, 0xBD, 0xF1, 0xCC, 0xEC, 0xB2, 0xCE, 0xBC, 0xD3, 0xBB,
      0xEE, 0xB6, 0xAF,
    ]
    let late: [UInt8] = [0xD0, 0xC4, 0xD6, 0xD0]
    #expect(Self.evident(early) == nil)
    #expect(Self.evident(early, isProse: true) == .gb18030)
    #expect(Self.evident(early + late) == .gb18030)
    #expect(Self.evident(Array(early.prefix(14)), isProse: true) == nil)
    // 㐂 has four bytes, and か two that Japanese sentences are full of.
    #expect(Self.evident(early + late + [0x81, 0x39, 0xEF, 0x31]) == .gb18030)
    #expect(Self.evident(early + [0xA4, 0xAB], isProse: true) == nil)
  }
}
