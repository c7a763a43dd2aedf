import FieldCore
@testable import FieldXML
import Testing

@Suite("The encoding of a document")
struct XMLEncodingTests {
  private static func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    let units = (mark ? [0xFEFF] : []) + Array(text.utf16)
    return units.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
      return bigEndian ? bytes : bytes.reversed()
    }
  }

  private static let text = "<?xml version=\"1.0\" encoding=\"utf-16\"?><a b='臺'>臺南😀</a>"

  @Test(
    "the encoding of a document is detected for UTF-8 and UTF-16 with and without a mark",
    arguments: [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
      utf16(text, bigEndian: true, mark: true), utf16(text, bigEndian: false, mark: true),
      utf16(text, bigEndian: true, mark: false), utf16(text, bigEndian: false, mark: false),
    ])
  func unicode(bytes: [UInt8]) throws {
    let (log, fault) = try EventLog.read(bytes)
    #expect(fault == nil)
    #expect(log.events == ["<a>", "臺南😀", "</a>"])
    #expect(log.tags[0]["b"] == "臺")
  }

  @Test(
    "a document in a two-byte encoding, cut within a character, is cut and nothing worse",
    arguments: [true, false])
  func cutUTF16(isBigEndian: Bool) throws {
    let bytes = Self.utf16("<a>臺😀", bigEndian: isBigEndian, mark: true)
    for length in 2 + 8..<bytes.count {
      let (log, fault) = try EventLog.read(Array(bytes.prefix(length)))
      #expect(log.events.first == "<a>")
      #expect(fault?.isCut == true, "cut at \(length): \(fault?.description ?? "no fault")")
    }
  }

  @Test(
    "Big5 is decoded in a document that declares it by any of its names",
    arguments: ["Big5", "BIG5", "cp950", "big5-hkscs"])
  func big5(name: String) throws {
    let declaration = "<?xml version='1.0' encoding='\(name)'?>"
    // The second byte of 功 is a backslash, those of others are brackets.
    let body = try #require(Big5.bytes("<a>臺南市政府 功能 許蓋｜</a>"))
    let (log, fault) = try EventLog.read(Array(declaration.utf8) + body)
    #expect(fault == nil)
    #expect(log.events == ["<a>", "臺南市政府 功能 許蓋｜", "</a>"])
  }

  @Test(
    "the names Big5-HKSCS and Big5 include Hong Kong's characters, as in browsers",
    arguments: [
      ("big5-hkscs", "䏰㓤"), ("Big5-HKSCS", "䏰㓤"), ("big5hkscs", "䏰㓤"), ("big5-hkscs:2008", "䏰㓤"),
      ("big5", "䏰㓤"), ("csBig5", "䏰㓤"),
    ])
  func hongKong(name: String, text: String) throws {
    let head = Array("<?xml version='1.0' encoding='\(name)'?><a>".utf8)
    let (log, fault) = try EventLog.read(head + [0x87, 0x40, 0x9D, 0xAA] + Array("</a>".utf8))
    #expect(fault == nil)
    #expect(log.events == ["<a>", text, "</a>"])
  }

  @Test(
    "a document is UTF-8 if its bytes read as Chinese in it, whatever the server declares",
    arguments: ["big5", "ISO-8859-1", "windows-1252", "gb2312", "GBK", "iso-8859-15", "x-user"])
  func wrongName(name: String) throws {
    let body = Array("<a>臺南市政府</a>".utf8)
    #expect(try EventLog.read(body, charset: name).log.events == ["<a>", "臺南市政府", "</a>"])
    let declared = Array("<?xml version='1.0' encoding='\(name)'?>".utf8) + body
    #expect(try EventLog.read(declared).log.events == ["<a>", "臺南市政府", "</a>"])
  }

  @Test(
    "the encoding of a document is taken from the response's header if the document declares none")
  func fromHeader() throws {
    let body = try #require(Big5.bytes("<a>臺南</a>"))
    let (log, _) = try EventLog.read(body, charset: "big5")
    #expect(log.events == ["<a>", "臺南", "</a>"])
    let declared = Array("<?xml version='1.0' encoding='utf-8'?><a>臺南</a>".utf8)
    #expect(try EventLog.read(declared, charset: "big5").log.events == ["<a>", "臺南", "</a>"])
  }

  @Test("an XML document in Windows-1252 has its quotation marks, even if it is called ISO 8859-1")
  func western() throws {
    let head = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8)
    let (log, _) = try EventLog.read(head + [0x93, 0xE9, 0x94, 0x80] + Array("</a>".utf8))
    #expect(log.events == ["<a>", "“é”€", "</a>"])
  }

  @Test("the encoding of a document that isn't supported is named")
  func unknown() throws {
    let error = #expect(throws: FieldError.self) {
      try EventLog.read(
        Array("<?xml version=\"1.0\" encoding = \"EUC-JP\" ?><a>".utf8) + [0xC6, 0xFC]
          + Array("</a>".utf8))
    }
    #expect(error?.code == .encoding)
    #expect(error?.message.contains("EUC-JP") == true)
    let seven = #expect(throws: FieldError.self) {
      try EventLog.read("<?xml version='1.0' encoding='UTF-7'?><a>+ZeVnLA-</a>")
    }
    #expect(seven?.code == .encoding)
  }

  @Test(
    "the encoding of a document is Big5 if four characters look like it, up to the last byte",
    arguments: [("市府不", true), ("市府", false)])
  func undeclaredBig5(text: String, isRead: Bool) throws {
    let bytes = try #require(Big5.bytes("<a>\(text)</a>一"))
    let log = EventLog()
    _ = try XMLReader().repair(bytes, into: log)
    #expect((log.events.dropFirst().first == text) == isRead)
  }

  @Test("the encoding of a document doesn't matter if there is only ASCII")
  func plain() throws {
    let text = "<?xml version='1.0' encoding='EUC-JP'?><a>x</a>"
    #expect(try EventLog.read(text).log.events == ["<a>", "x", "</a>"])
  }

  @Test("a document that is falsely declared as UTF-8 has a fault where that shows")
  func notUTF8() throws {
    let (log, fault) = try EventLog.read(
      Array("<a><b>ok</b>\n<c>".utf8) + [0xA5, 0x78] + Array("</c></a>".utf8))
    #expect(log.text.hasPrefix("<a><b>ok</b>"))
    #expect(fault?.line == 2)
  }

  private static func bytes(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array("<?xml version='1.0' encoding='\(name)'?><a>".utf8) + content + Array("</a>".utf8)
  }

  @Test(
    "a document is UTF-8 if all its bytes are, even if a Western encoding is declared",
    arguments: ["ISO-8859-1", "iso_8859_1", "windows-1252"])
  func westernName(name: String) throws {
    #expect(try EventLog.read(Self.bytes(name, Array("é".utf8))).log.events[1] == "é")
    #expect(try EventLog.read(Self.bytes(name, [0xE9])).log.events[1] == "é")
    #expect(try EventLog.read(Self.bytes(name, [0xE9, 0xC3, 0xA9])).log.events[1] == "éÃ©")
  }

  @Test(
    "the name of an encoding may be written with underscores",
    arguments: ["utf_8", "UTF_8", "us_ascii", "big5_hkscs"])
  func underscores(name: String) throws {
    let (log, fault) = try EventLog.read(Self.bytes(name, Array("臺é".utf8)))
    #expect(fault == nil)
    #expect(log.events[1] == "臺é")
  }

  @Test(
    "the encoding of a document is the declared one or UTF-8 after the mark of another",
    arguments: [
      [0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF], [0xFF, 0xFE, 0xEF, 0xBB, 0xBF],
    ])
  func strayMark(mark: [UInt8]) throws {
    let chinese = try #require(Big5.bytes("臺南"))
    #expect(try EventLog.read(mark + Self.bytes("big5", chinese)).log.events[1] == "臺南")
    #expect(try EventLog.read(mark + Self.bytes("iso-8859-1", [0xE9])).log.events[1] == "é")
    #expect(try EventLog.read(mark + Self.bytes("utf-16", Array("é".utf8))).log.events[1] == "é")
    #expect(try EventLog.read(mark + Self.bytes("big5", Array("é".utf8))).log.events[1] == "é")
  }

  @Test(
    "the encoding of a document is UTF-8 after its mark, even if it is damaged",
    arguments: ["iso-8859-1", "big5", "utf-8"])
  func damaged(name: String) throws {
    let content = Array("臺南".utf8) + [0xFF] + Array("市".utf8)
    let log = EventLog()
    let faults = try XMLReader().repair(
      [0xEF, 0xBB, 0xBF] + Self.bytes(name, content), into: log)
    #expect(log.events[1] == "臺南\u{FFFD}市")
    #expect(faults.count == 1)
  }

  @Test(
    "the encoding of a document is UTF-16 after its mark, even if other text is next",
    arguments: [true, false])
  func wideJunk(isBigEndian: Bool) throws {
    let text = "\u{FEFF}功能\u{200B}<rss><channel><item><title>é</title></item></channel></rss>"
    let bytes = text.utf16.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isBigEndian ? pair : pair.reversed()
    }
    #expect(try FeedDocument(reading: bytes).items.map(\.title) == ["é"])
  }

  @Test("a document is Windows-1252, which is reported, if nothing beyond ASCII is UTF-8")
  func undeclaredWestern() throws {
    func read(_ bytes: [UInt8]) throws -> (String, Int) {
      let log = EventLog()
      let faults = try XMLReader().repair(Array("<a>".utf8) + bytes + Array("</a>".utf8), into: log)
      #expect(!faults.contains { !$0.isRepaired })
      return (log.events[1], faults.count)
    }
    #expect(try read([0x93, 0xE9, 0x94, 0x20, 0xFC]) == ("“é” ü", 4))
    #expect(try read([0xE8, 0x87] + Array("臺".utf8)) == ("\u{FFFD}臺", 1))
  }
}
