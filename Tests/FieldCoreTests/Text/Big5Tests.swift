import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Big5")
struct Big5Tests {
  @Test(
    "Big5 is decoded to its text",
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
    "a text in Big5 isn't invented for bytes that are invalid",
    arguments: [
      [0xA5], [0x80, 0x40], [0xFF, 0x40], [0xA5, 0x20], [0xC8, 0x40], [0xE5, 0x8F, 0xB0],
    ]
      as [[UInt8]])
  func refused(bytes: [UInt8]) {
    #expect(Big5.utf8(bytes) == nil)
  }

  @Test(
    "Big5 of Hong Kong has its own characters, and damage is found as in Taiwan's",
    arguments: [
      ([0x87, 0x40, 0xA5, 0x78], "䏰台"), ([0x88, 0x62, 0x88, 0x66], "Ê\u{304}Ê"),
      ([0xFB, 0x22], "?\""), ([0xA3, 0xE1], "€"), ([0xC6, 0xCF, 0xA4, 0x40], "?一"),
      ([0x81, 0x40], "?@"), ([0xA5], "?"), ([0xFF, 0xA5, 0x78], "?台"), ([0x80, 0xA5, 0x78], "?台"),
    ] as [([UInt8], String)])
  func supplement(bytes: [UInt8], text: String) throws {
    let read = try #require(Big5.utf8(bytes, damage: UInt8(ascii: "?"), isHongKong: true))
    #expect(String(decoding: read, as: UTF8.self) == text)
  }

  @Test("Big5 doesn't have every character", arguments: ["é", "한", "😀"])
  func missing(text: String) {
    #expect(Big5.bytes(text) == nil)
  }

  @Test(
    "Big5 is decoded like Python's code page 950, every pair of bytes",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
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
    "Big5 of Hong Kong is decoded like Python's Big5-HKSCS, every pair of bytes, and the euro",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func hongKong() throws {
    let script = """
      import sys
      for lead in range(0x81, 0xFF):
          for trail in range(0x40, 0xFF):
              try: text = bytes([lead, trail]).decode('big5hkscs')
              except UnicodeDecodeError: text = '€' if (lead, trail) == (0xA3, 0xE1) else ''
              sys.stdout.buffer.write(text.encode() + b'\\n')
      """
    let expected = try Tool.run("python3", "-c", script)
      .split(separator: 0x0A, omittingEmptySubsequences: false).map { Data($0) }
    var (place, read, differing) = (0, 0, [] as [String])
    for lead in UInt8(0x81)...0xFE {
      for trail in UInt8(0x40)..<0xFF {
        let own = trail == 0x7F ? nil : Big5.utf8([lead, trail], isHongKong: true)
        // A pair that ends in ASCII is not read, so nothing here is two characters but four codes.
        if Data(own ?? []) != expected[place] { differing.append("\(lead) \(trail)") }
        if own != nil { read += 1 }
        place += 1
      }
    }
    #expect(place == 126 * 191)
    #expect(read == 18_403)
    #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(5))")
  }

  @Test(
    "Big5 is encoded with Python's code if a character has two",
    .enabled(if: Tool.isThere("python3"), "python3 isn't installed"))
  func canonicalCodes() throws {
    let script = """
      for scalar in range(0x80, 0x10000):
          if 0xD800 <= scalar <= 0xF8FF: continue
          try: code = chr(scalar).encode('cp950')
          except UnicodeEncodeError: continue
          # Python writes nine characters that look alike with the code of another.
          if code.decode('cp950') == chr(scalar): print(chr(scalar), code.hex())
      """
    let lines = String(decoding: try Tool.run("python3", "-c", script), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.count == 13_742)
    var differing: [Substring] = []
    for line in lines {
      let parts = line.split(separator: " ")
      let bytes = Big5.bytes(String(parts[0])).map { $0.map { String($0, radix: 16) }.joined() }
      if bytes.map({ Substring($0) }) != parts[1] { differing.append(line) }
    }
    #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(5))")
    #expect(Big5.bytes("十卅") == [0xA4, 0x51, 0xA4, 0xCA])
    #expect(
      Big5.utf8([0xA2, 0xCC, 0xA2, 0xCE]).map { String(decoding: $0, as: UTF8.self) } == "十卅")
  }

  @Test(
    "Big5 of the exits' file has the rows that Python reads",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func exits() throws {
    let bytes = try #require(Big5.utf8(try SharedData.bytes("metro/exits-2015-big5.csv")))
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    #expect(lines.count == 382)
    #expect(lines[0] == "大臺北地區捷運車站出入口,,,,")
    #expect(lines[2] == "1,七張站出口1,1,304822.2785,2763116.181")
  }
}
