import FieldCore
@testable import FieldXML
import Foundation
import TestSupport
import Testing

@Suite("A hostile document", .timeLimit(.minutes(60)))
struct XMLSafetyTests {
  private static let billionLaughs: String = {
    let levels = (1...9).map { level in
      "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    return "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY l0 'lol'>\(levels.joined())]><r>&l9;</r>"
  }()

  @Test(
    "a hostile document that declares an entity is rejected before anything is expanded",
    arguments: [
      billionLaughs,
      "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/hostname'>]><r>&x;</r>",
      "<!DOCTYPE r [<!ENTITY % p SYSTEM 'http://127.0.0.1:1/x'> %p;]><r/>",
      "<!DOCTYPE r [ <!-- > ]> --> <!entity x 'y'>]><r>&x;</r>",
      "<!DOCTYPE r PUBLIC \"]>\" '[' [<?p ]> ?><!ELEMENT r ANY><!ENTITY x \">\">]><r>&x;</r>",
      "<!-- <r> --><?p <r>?><!DOCTYPE r [<!ENTITY x 'y'>]><r>&x;</r>",
    ])
  func entities(text: String) throws {
    let log = EventLog()
    let error = #expect(throws: FieldError.self) {
      try XMLReader().read(Array(text.utf8), into: log)
    }
    #expect(error?.code == .xmlEntities)
    #expect(log.events.isEmpty)
  }

  @Test("a hostile document in UTF-16 that declares an entity is rejected as well")
  func entitiesInUTF16() throws {
    let text = "<!DOCTYPE r [<!ENTITY x 'y'>]><r>&x;</r>"
    var bytes: [UInt8] = [0xFE, 0xFF]
    for unit in text.utf16 { bytes += [UInt8(unit >> 8), UInt8(unit & 255)] }
    let error = #expect(throws: FieldError.self) { try EventLog.read(bytes) }
    #expect(error?.code == .xmlEntities)
  }

  @Test("a hostile document with an external document type is read without fetching it")
  func externalDocumentType() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "r.dtd")
    try Data("<!ENTITY x 'from the file'><!ATTLIST r y CDATA 'from the file'>".utf8)
      .write(to: file)
    let (log, fault) = try EventLog.read(
      "<!DOCTYPE r SYSTEM '\(file.absoluteString)'><r>a</r>")
    #expect(log.tags == [XMLTag(name: "r")])
    #expect(fault == nil)
    let (used, entityFault) = try EventLog.read(
      "<!DOCTYPE r SYSTEM '\(file.absoluteString)'><r>&x;</r>")
    #expect(!used.text.contains("from the file"))
    #expect(entityFault?.message.contains("entity") == true)
  }

  @Test(
    "a hostile document with an external type has HTML's references, which such a type declares")
  func netscape() throws {
    let type =
      "<!DOCTYPE rss PUBLIC \"-//Netscape Communications//DTD RSS 0.91//EN\" \"http://127.0.0.1:1/rss.dtd\">"
    let body =
      "<r a='&eacute;&quot;'>&mdash;&NotEqualTilde;&amp;lt;&Tab;&LT;<![CDATA[&mdash;]]><!--&x;--></r>"
    let (log, fault) = try EventLog.read(type + body)
    #expect(fault == nil)
    #expect(log.events == ["<r>", "—≂̸&lt;\t<&mdash;", "</r>"])
    #expect(log.tags[0]["a"] == "é\"")
    let (_, unknown) = try EventLog.read(type + "<r>&nosuch;</r>")
    #expect(unknown?.message.contains("entity") == true)
    let (_, bare) = try EventLog.read("<!DOCTYPE r>" + body)
    #expect(bare?.message.contains("entity") == true)
  }

  @Test(
    "a hostile document with instructions without data doesn't crash the process",
    arguments: [
      "<?xml?><a/>", "<?p?><a/>", "<a><?p?></a>", "<a/><?p?>", "<a b='<?p?>'/>",
      "<a><!--><?p?></a>",
      "<a><b c='><?p?></a>", "<a><![CDATA[<?p?>]]><?p?></a>", "<a><b<?p?>/></a>",
      "<a><!x><?p?></a>",
      "<a>]]><?p?></a>", "<a>&x;<?p?></a>", "<a></b><?p?></a>", "<a><!-- -- --><?p?></a>",
      "<a><?p?",
      "<!x><?p?><a/>", "<a>\u{1}<?p?></a>", "<a b=<?p?>></a>", "<a/><!DOCTYPE b><?p?>",
      "<a>&#<?p?>",
    ])
  func instructions(text: String) throws {
    let log = EventLog()
    _ = try? XMLReader().read(Array(text.utf8), into: log)
    #expect(!log.text.contains("<p"))
  }

  @Test("a hostile document keeps CDATA that looks like an instruction")
  func instructionInCDATA() throws {
    let (log, fault) = try EventLog.read("<a><?p d?>x<![CDATA[<?p?>]]><!-- <?p?> --></a>")
    #expect(fault == nil)
    #expect(log.events == ["<a>", "x<?p?>", "</a>"])
  }

  @Test("a hostile document that is too large is rejected before it is read")
  func tooLarge() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "<"), count: 1_001)
    let error = #expect(throws: FieldError.self) {
      try EventLog.read(bytes, limits: XMLLimits(byteCount: 1_000))
    }
    #expect(error?.code == .xmlLimit)
    let exact = Array("<a>\(String(repeating: "x", count: 993))</a>".utf8)
    #expect(try EventLog.read(exact, limits: XMLLimits(byteCount: 1_000)).fault == nil)
  }

  @Test(
    "a hostile document that is nested too deeply is rejected", arguments: [64, 65, 300, 100_000])
  func tooDeep(levels: Int) throws {
    let text = String(repeating: "<d>", count: levels) + String(repeating: "</d>", count: levels)
    if levels <= 64 {
      #expect(try EventLog.read(text).fault == nil)
    } else {
      let error = #expect(throws: FieldError.self) { try EventLog.read(text) }
      #expect(error?.code == .xmlLimit)
    }
  }

  @Test(
    "a hostile document with overlong text is rejected, in any kind of text or in pieces",
    arguments: [
      "<a>\(String(repeating: "x", count: 2_000))</a>",
      "<a><![CDATA[\(String(repeating: "x", count: 2_000))]]></a>",
      "<a>\(String(repeating: "x&amp;", count: 600))</a>",
      "<a b='\(String(repeating: "x", count: 2_000))'/>",
    ])
  func tooLong(text: String) throws {
    let error = #expect(throws: FieldError.self) {
      try EventLog.read(Array(text.utf8), limits: XMLLimits(textByteCount: 1_000))
    }
    #expect(error?.code == .xmlLimit)
  }

  @Test("a hostile document has texts of up to the limit", arguments: [999, 1_000, 1_001])
  func longest(count: Int) throws {
    let bytes = Array("<a>\(String(repeating: "x", count: count - 1))&amp;</a>".utf8)
    let limits = XMLLimits(textByteCount: 1_000)
    guard count > 1_000 else {
      #expect(try EventLog.read(bytes, limits: limits).fault == nil)
      return
    }
    let error = #expect(throws: FieldError.self) { try EventLog.read(bytes, limits: limits) }
    #expect(error?.code == .xmlLimit)
  }

  @Test("a hostile document has stream-safe names, attributes and texts, which are hashed in time")
  func marks() throws {
    let marks = String(repeating: "\u{35A}\u{345}", count: 1_000)
    let text = "<a><n\(marks) a\(marks)='\(marks)'>x\(marks)</n\(marks)></a>"
    let log = try EventLog.read(text).log
    let tag = try #require(log.tags.last)
    let attribute = try #require(tag.attributes.first)
    for part in log.events + [tag.name, attribute.key, attribute.value] {
      #expect(part.utf8.elementsEqual(part.streamSafe.utf8))
    }
    #expect(log.events[1].utf8.count > text.utf8.count / 5)
    #expect(attribute.value.unicodeScalars.contains("\u{34F}"))
  }

  @Test(
    "a hostile document compares the names of entities and of processing instructions in time",
    arguments: ["<a>&x@;</a>", "<a b='&x@;'/>", "<a><?x@?></a>"])
  func manyMarks(text: String) throws {
    let marks = String(repeating: "\u{35A}\u{345}", count: 100_000)
    let log = EventLog()
    _ = try XMLReader().repair(Array(text.replacing("@", with: marks).utf8), into: log)
    #expect(log.tags.map(\.name) == ["a"])
  }

  @Test(
    "a document that isn't XML is described by what it is",
    arguments: [
      ("", FieldError.Code.emptyBody, "empty"), (" \n ", .emptyBody, "empty"),
      ("<!DOCTYPE html><html><head><title>維護中</title></head></html>", .notData, "維護中"),
      ("<?xml version='1.0'?>\n<!-- x --><html xmlns='u'><title>登入</title></html>", .notData, "登入"),
      ("<HTML>\n<body>404</body></HTML>", .notData, "HTML page"),
      ("{\"result\":0}", .notData, "begins with"),
      ("404 page not found", .notData, "404"),
      ("\u{1F}\u{8B}", .notData, "isn't XML"),
    ])
  func foreign(text: String, code: FieldError.Code, word: String) throws {
    let error = #expect(throws: FieldError.self) { try EventLog.read(text) }
    #expect(error?.code == code)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test(
    "a document that is an archive is called one",
    arguments: [[0x1F, 0x8B, 8, 0], [0x50, 0x4B, 3, 4, 9]])
  func archives(bytes: [UInt8]) throws {
    let error = #expect(throws: FieldError.self) { try EventLog.read(bytes) }
    #expect(error?.code == .unknownFormat)
  }
}
