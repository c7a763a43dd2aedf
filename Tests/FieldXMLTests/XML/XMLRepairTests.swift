import FieldCore
@testable import FieldXML
import TestSupport
import Testing

@Suite("A document that is not well-formed", .timeLimit(.minutes(60)))
struct XMLRepairTests {
  private static func repair(_ text: String) throws -> (log: EventLog, faults: [XMLFault]) {
    let log = EventLog()
    return (log, try XMLReader().repair(Array(text.utf8), into: log))
  }

  @Test(
    "a malformed document is read as intended, and reports where it was repaired",
    arguments: [
      ("<a>x?y=1&z=2</a>", "<a>x?y=1&z=2</a>"), ("<a>x & y</a>", "<a>x & y</a>"),
      ("<a>x&nbsp;y&mdash;z</a>", "<a>x\u{A0}y—z</a>"), ("<a>&nosuch;</a>", "<a>&nosuch;</a>"),
      ("<a>AT&T &</a>", "<a>AT&T &</a>"), ("<a>1 < 2 <3</a>", "<a>1 < 2 <3</a>"),
      ("<a>Me <me@x.tw></a>", "<a>Me <me@x.tw></a>"), ("<a>x ]]> y</a>", "<a>x ]]> y</a>"),
      ("<a>x\u{1}\u{0}y</a>", "<a>xy</a>"),
      ("<a>&#0;x&#39 y&#xD800;</a>", "<a>\u{FFFD}x' y\u{FFFD}</a>"),
      ("<a><!-- x -- y -->z</a>", "<a>z</a>"), ("<a><!x>z</a>", "<a>z</a>"),
      ("<a>x</ a>", "<a>x</a>"), ("<A>x</a>", "<A>x</A>"), ("<a>x<p>y</a>", "<a>x<p>y</p></a>"),
      ("<a>x</p>y</a>", "<a>xy</a>"), ("<a>x</>y</a >", "<a>xy</a>"),
    ])
  func texts(text: String, told: String) throws {
    let (log, faults) = try Self.repair(text)
    #expect(log.text.replacing("xy", with: "x" + "y") == told)
    #expect(!faults.isEmpty)
    #expect(faults.allSatisfy { $0.line == 1 && $0.column > 1 })
  }

  @Test(
    "a malformed document has its attributes as intended",
    arguments: [
      ("b=1 c='2'", ["b": "1", "c": "2"]), ("b c='2'", ["b": "", "c": "2"]),
      ("b='1' b='2'", ["b": "1"]), ("b='1'c='2'", ["b": "1", "c": "2"]),
      ("b='x?y=1&z=2'", ["b": "x?y=1&z=2"]), ("b='1 < 2' c='3'", ["b": "1 < 2", "c": "3"]),
      ("b='\u{1}x' \" c='2'", ["b": "x", "c": "2"]), ("b='&eacute;'", ["b": "é"]),
    ])
  func attributes(written: String, attributes: [String: String]) throws {
    let (log, faults) = try Self.repair("<a \(written)>x</a>")
    #expect(log.tags.map(\.attributes) == [attributes])
    #expect(log.events.last == "</a>")
    #expect(!faults.isEmpty && faults.allSatisfy(\.isRepaired))
  }

  @Test(
    "a malformed document has the content after the fault",
    arguments: [
      "<b>1<c></b>", "<b>1</c></b>", "<b x='1>1</b>", "<b x='1><c y='2'>1</c></b>",
      "<b>1<!-- c</b>",
      "<b>1<![CDATA[c</b>", "<b>1<?p </b>", "<b <c>1</c></b>", "<b>1</x>", "<b>1</b></x>",
      "<b>\u{1}1</b>", "<b>&1</b>",
    ])
  func behind(broken: String) throws {
    let (log, faults) = try Self.repair("<a>\n\(broken)\n<d>2</d></a>")
    #expect(log.text.contains("<d>2</d>"), "\(log.text)")
    #expect(log.text.contains("1"), "\(log.text)")
    #expect(faults.first?.line == 2)
  }

  @Test("a malformed document has replacement characters for invalid UTF-8")
  func bytes() throws {
    let log = EventLog()
    let faults = try XMLReader().repair(
      Array("<a>x".utf8) + [0xE8, 0x87, 0x3C, 0x62, 0x2F, 0x3E, 0xFF] + Array("y</a>".utf8),
      into: log)
    #expect(log.text == "<a>x\u{FFFD}<b></b>\u{FFFD}y</a>")
    #expect(faults.count == 2)
  }

  @Test("a malformed document is incomplete wherever it is cut off")
  func cuts() throws {
    let text = Array(
      "<?xml version='1.0'?><!DOCTYPE a><a b='c' \"d e='&#65;'>]]>&#x41;<![CDATA[x]]><!--y--><f/></A >"
        .utf8)
    for count in text.indices.dropFirst() {
      let cut = Array(text[..<count])
      let faults = try? XMLReader().repair(cut, into: EventLog())
      #expect(faults?.isEmpty != true, "\(count)")
      let read = Result { try XMLReader().read(cut, into: EventLog()) }
      if case .success(nil) = read {
        Issue.record("nothing is missing from the first \(count) bytes")
      }
    }
  }

  @Test(
    "a malformed document has no names with invalid UTF-8",
    arguments: [[0xFF], [0xE8, 0x87], [0xC3]] as [[UInt8]])
  func names(bytes: [UInt8]) throws {
    for end in ["", ">x</a>", "='1'>x</a>"] {
      let log = EventLog()
      let faults = try XMLReader().repair(
        [0xEF, 0xBB, 0xBF] + Array("<a b".utf8) + bytes + Array(end.utf8), into: log)
      #expect(!faults.isEmpty)
      #expect(log.tags.allSatisfy { $0.name == "a" })
    }
  }

  @Test("a malformed document reports at most 100 faults, and always one that loses something")
  func manyFaults() throws {
    let text = "<a>\(String(repeating: "& ", count: 5_000))<b><c></b></a>"
    let (log, faults) = try Self.repair(text)
    #expect(faults.count == 99)
    #expect(faults.filter { !$0.isRepaired }.count == 1)
    #expect(log.text.hasSuffix("</a>"))
    let cut = try Self.repair(String(text.dropLast(4))).faults
    #expect(cut.count == 100)
    #expect(cut.last?.isCut == true)
  }

  /// There is no clock in this test: the limit of the suite ends what does not end.
  @Test(
    "a malformed document designed to slow down its reader is read in one pass",
    arguments: Sample.of(
      [
        "<!--", "<![CDATA[", "<?p ", "<!x", "&#", "&a", "<b x='", "<b x=\"<", "<b x=", "</b", "<b ",
        "<", "]]>", "\u{1}", "&#x110000;", "<b x='>", "<b></c>", "<!--><b>", "<br>", "<p>",
        "<b><![CDATA[</b>",
      ], 5))
  func cost(part: String) throws {
    let text =
      "<a>" + String(repeating: part, count: Sample.rounds(400_000, 40_000, inDebug: 20_000))
    for end in ["", "</a>", "]]></a>"] {
      do {
        _ = try XMLReader().repair(Array((text + end).utf8), into: EventLog())
      } catch let error as FieldError {
        #expect(error.code == .xmlLimit)
      }
    }
  }

  @Test("a malformed document with many undeclared namespaces and prefixes is read in one pass")
  func namespaces() throws {
    let declarations = (0..<250).map { "xmlns:p\($0)='u'" }.joined(separator: " ")
    let deep = String(repeating: "<a \(declarations)>", count: 60)
    let text =
      deep + String(repeating: "<q:b/>", count: Sample.rounds(500_000, 40_000, inDebug: 15_000))
    let faults = try XMLReader().repair(Array(text.utf8), into: EventLog())
    #expect(faults.first?.isCut == true)
  }
}
