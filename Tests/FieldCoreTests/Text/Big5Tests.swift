import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Big5")
struct Big5Tests {
  @Test(
    "becomes the text that it is",
    arguments: [
      ([0xA5, 0x78, 0xA5, 0x5F, 0xA8, 0xAE, 0xAF, 0xB8], "台北車站"),
      ([0xA5, 0x5C, 0x22, 0xB3, 0x5C], "功\"許"), ([0x7B, 0x41, 0x7D], "{A}"), ([], ""),
      ([0xA1, 0x40, 0xF9, 0xFE], "　▓"),
    ] as [([UInt8], String)])
  func decoding(bytes: [UInt8], text: String) throws {
    #expect(String(decoding: try #require(Big5.utf8(bytes)), as: UTF8.self) == text)
    #expect(Big5.bytes(text) == bytes)
  }

  @Test(
    "is not made up of bytes that are none",
    arguments: [
      [0xA5], [0x80, 0x40], [0xFF, 0x40], [0xA5, 0x20], [0xC8, 0x40], [0xE5, 0x8F, 0xB0],
    ]
      as [[UInt8]])
  func refused(bytes: [UInt8]) {
    #expect(Big5.utf8(bytes) == nil)
  }

  @Test("does not have every character", arguments: ["é", "한", "😀"])
  func missing(text: String) {
    #expect(Big5.bytes(text) == nil)
  }

  @Test(
    "is read as Python reads code page 950, every pair of bytes",
    .enabled(if: Tool.isThere("python3"), "python3 is not here"))
  func sameAsPython() throws {
    let script = """
      import sys
      for lead in range(0xA1, 0xFA):
          for trail in range(0x40, 0xFF):
              try:
                  text = bytes([lead, trail]).decode('cp950')
                  if len(text) != 1 or 0xE000 <= ord(text) <= 0xF8FF: text = ''
              except UnicodeDecodeError: text = ''
              sys.stdout.buffer.write(text.encode() + b'\\n')
      """
    let answer = try Tool.run("python3", "-c", script)
    let expected = answer.split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
    var place = 0
    var differing: [String] = []
    for lead in UInt8(0xA1)...0xF9 {
      for trail in UInt8(0x40)..<0xFF {
        let own = Data((trail < 0x80 || trail > 0xA0 ? Big5.utf8([lead, trail]) : nil) ?? [])
        if own != expected[place] { differing.append("\(lead) \(trail)") }
        place += 1
      }
    }
    #expect(place == 89 * 191)
    #expect(differing.isEmpty, "\(differing.prefix(5))")
  }

  @Test(
    "of the exits' file has the rows that Python reads",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func exits() throws {
    let bytes = try #require(Big5.utf8(try SharedData.bytes("metro/exits-2015-big5.csv")))
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    #expect(lines.count == 382)
    #expect(lines[0] == "大臺北地區捷運車站出入口,,,,")
    #expect(lines[2] == "1,七張站出口1,1,304822.2785,2763116.181")
  }
}
