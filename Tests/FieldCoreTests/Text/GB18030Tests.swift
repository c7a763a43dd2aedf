import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("GB 18030")
struct GB18030Tests {
  @Test(
    "GB 18030 is decoded to its text",
    arguments: [
      ([0xB1, 0xB1, 0xBE, 0xA9], "北京"), ([0x81, 0x5C, 0x22, 0x7B], "乗\"{"), ([], ""),
      ([0xA2, 0xE3], "€"), ([0x81, 0x30, 0x81, 0x30], "\u{80}"), ([0x81, 0x39, 0xEF, 0x30], "㐁"),
      ([0x90, 0x30, 0x81, 0x30], "\u{10000}"), ([0xE3, 0x32, 0x9A, 0x35], "\u{10FFFF}"),
    ] as [([UInt8], String)])
  func decoding(bytes: [UInt8], text: String) throws {
    #expect(String(decoding: try #require(GB18030.utf8(bytes)), as: UTF8.self) == text)
  }

  @Test(
    "a text in GB 18030 isn't invented for bytes that are invalid",
    arguments: [
      ([0xB1], "?"), ([0x80, 0x40], "?@"), ([0xFF, 0x40], "?@"), ([0xB1, 0x22], "?\""),
      ([0x81, 0x30], "?0"), ([0x81, 0x30, 0x81], "?0?"), ([0x84, 0x31, 0xA5, 0x30], "?1?0"),
      ([0xE3, 0x32, 0x9A, 0x36], "?2?6"), ([0xB1, 0xFF, 0xB1, 0xB1], "?北"),
    ] as [([UInt8], String)])
  func refused(bytes: [UInt8], text: String) throws {
    #expect(GB18030.utf8(bytes) == nil)
    let damaged = try #require(GB18030.utf8(bytes, damage: UInt8(ascii: "?")))
    #expect(String(decoding: damaged, as: UTF8.self) == text)
  }

  @Test(
    "GB 18030 is decoded like Python's codec, every pair of bytes, and every code of four bytes",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func sameAsPython() throws {
    let script = """
      import sys
      for lead in range(0x81, 0xFF):
          for trail in range(0x40, 0xFF):
              try: text = bytes([lead, trail]).decode('gb18030')
              except UnicodeDecodeError: text = ''
              sys.stdout.buffer.write(text.encode() + b'\\n')
      for place in range(4 * 12600):
          code = bytes([0x81 + place // 12600, 0x30 + place // 1260 % 10,
                        0x81 + place // 10 % 126, 0x30 + place % 10])
          try: text = code.decode('gb18030')
          except UnicodeDecodeError: text = ''
          sys.stdout.buffer.write(text.replace('\\n', '').encode() + b'\\n')
      """
    let expected = try Tool.run("python3", "-c", script)
      .split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
    var codes: [[UInt8]] = []
    for lead in UInt8(0x81)...0xFE {
      for trail in UInt8(0x40)..<0xFF { codes.append([lead, trail]) }
    }
    for place in 0..<(4 * 12600) {
      codes.append([
        UInt8(0x81 + place / 12600), UInt8(0x30 + place / 1260 % 10),
        UInt8(0x81 + place / 10 % 126), UInt8(0x30 + place % 10),
      ])
    }
    try #require(expected.count == codes.count + 1)
    let differing = zip(codes, expected).filter { Data(GB18030.utf8($0) ?? []) != $1 }
    #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(5))")
  }
}
