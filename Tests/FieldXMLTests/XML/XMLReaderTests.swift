import FieldCore
@testable import FieldXML
import TestSupport
import Testing

@Suite("An XML document", .timeLimit(.minutes(60)))
struct XMLReaderTests {
  @Test(
    "an XML document is reported element by element, with the text between two tags in one piece")
  func events() throws {
    let (log, fault) = try EventLog.read(
      "<a>one &amp; two &#x4E2D;<![CDATA[<three>]]> four<b/>five</a>")
    #expect(log.events == ["<a>", "one & two 中<three> four", "<b>", "</b>", "five", "</a>"])
    #expect(fault == nil)
  }

  @Test("an XML document distinguishes names from prefixes, and attributes by their whole name")
  func names() throws {
    let (log, _) = try EventLog.read(
      "<f xmlns='urn:f' xmlns:d='urn:d' xml:base='b'><d:date d:x='1' y='2'/></f>")
    #expect(
      log.tags == [
        XMLTag(name: "f", namespace: "urn:f", attributes: ["xml:base": "b"]),
        XMLTag(
          name: "date", prefix: "d", namespace: "urn:d", attributes: ["d:x": "1", "y": "2"]),
      ])
    #expect(log.tags[1]["y"] == "2")
  }

  @Test("an XML document is read despite an undeclared prefix, as in many feeds")
  func undeclaredPrefix() throws {
    let (log, fault) = try EventLog.read("<a><dc:date>d</dc:date><b q:x='1'/></a>")
    #expect(fault == nil)
    #expect(log.text == "<a><date>d</date><b></b></a>")
    #expect(log.tags[1].prefix == "dc" && log.tags[1].namespace.isEmpty)
  }

  @Test("an XML document keeps long texts and CDATA whole, however the parser splits them")
  func longTexts() throws {
    let long = String(repeating: "中文😀a&", count: 20_000)
    let escaped = long.split(separator: "&", omittingEmptySubsequences: false)
      .joined(separator: "&amp;")
    let (log, fault) = try EventLog.read("<a>\(escaped)</a>")
    #expect(fault == nil && log.events == ["<a>", long, "</a>"])
    let (data, dataFault) = try EventLog.read("<a><![CDATA[\(long)]]></a>")
    #expect(dataFault == nil && data.events == ["<a>", long, "</a>"])
  }

  @Test("an XML document ends when its handler stops, without a fault")
  func stopsEarly() throws {
    let log = EventLog()
    log.last = "b"
    let fault = try XMLReader().read(Array("<a>x<b/>y<c></wrong>".utf8), into: log)
    #expect(fault == nil)
    #expect(log.events == ["<a>", "x", "<b>"])
  }

  @Test("an XML document ends with the error that its handler throws")
  func handlerThrows() throws {
    let log = EventLog()
    log.refused = "b"
    let error = #expect(throws: FieldError.self) {
      try XMLReader().read(Array("<a>x<b/></a>".utf8), into: log)
    }
    #expect(error?.code == .invalidInput)
    #expect(log.events == ["<a>", "x"])
  }

  @Test(
    "an XML document is reported up to the first fault, with its line and description",
    arguments: [
      ("<a>\n<b>one</b>\n<c>two</a>", "<a>\n<b>one</b>\n<c>", 3, "end tag"),
      ("<a>\n<b>x?y=1&z=2</b></a>", "<a>\n<b>", 2, "ampersand"),
      ("<a>x&nbsp;y</a>", "<a>", 1, "entity"),
      ("<a>\n\n<b>\u{1}</b></a>", "<a>\n\n<b>", 3, "character"),
      ("<a><b x='1' x='2'/></a>", "<a>", 1, "twice"),
      ("<a><b x=1/></a>", "<a>", 1, "quotation"),
      ("<a/><b/>", "<a></a>", 1, "after the end"),
      ("<a>x ]]> y</a>", "<a>", 1, "CDATA"),
    ])
  func faults(text: String, told: String, line: Int, word: String) throws {
    let (log, fault) = try EventLog.read(text)
    let found = try #require(fault)
    #expect(log.text == told)
    #expect(found.line == line)
    #expect(found.message.contains(word), "\(found)")
  }

  @Test("an XML document keeps its line numbers although declaration and document type are hidden")
  func linesStay() throws {
    let (_, fault) = try EventLog.read(
      "<?xml version='1.0'\n encoding='utf-8'?>\n<!DOCTYPE a\n SYSTEM 'a.dtd'>\n<a>\n</b>")
    #expect(fault?.line == 6)
  }

  @Test(
    "an XML document may begin with blanks and byte-order marks before its declaration",
    arguments: [
      " \r\n", "\u{FEFF}\r\n", "\r\n\u{FEFF}", "\u{FEFF}\u{FEFF}", "\n\u{FEFF} \u{FEFF}\n",
    ])
  func blanksFirst(beginning: String) throws {
    let (log, fault) = try EventLog.read(
      beginning + "<?xml version='1.0' encoding='utf-8'?>\n<a>中</a>")
    #expect(fault == nil)
    #expect(log.events == ["<a>", "中", "</a>"])
  }

  @Test("an XML document truncated at any byte reports a prefix, and that it is truncated")
  func cutAnywhere() throws {
    let whole = Array(
      "<?xml version='1.0' encoding='utf-8'?><!-- c --><a x='1'><b>一&amp;二</b><![CDATA[三]]><c/>四</a>"
        .utf8)
    let all = try EventLog.read(whole).log.text
    for length in 1..<whole.count {
      do {
        let (log, fault) = try EventLog.read(Array(whole[..<length]))
        #expect(fault?.isCut == true, "cut at \(length): \(fault?.description ?? "no fault")")
        // The last text may be cut as well, and then misses its end and nothing else.
        let told = log.text.filter { $0 != "\u{FFFD}" }
        #expect(all.hasPrefix(told), "cut at \(length): \(told)")
      } catch let error as FieldError {
        #expect(error.code == .notData || error.code == .emptyBody, "cut at \(length): \(error)")
      }
    }
  }

  @Test(
    "an XML document with a fault and truncation has the fault",
    arguments: [
      "<a>\n<b>x & y</b><c d='e", "<a>&nbsp;<b>一</b><!-- no end", "<a><b x=1/><c", "<a></b><c>&am",
    ])
  func faultAndCut(text: String) throws {
    let (_, fault) = try EventLog.read(text)
    #expect(fault?.isCut == false, "\(text)")
    #expect(fault?.message != "the document is cut off")
  }

  @Test("an XML document truncated after its root element has all its elements, and is truncated")
  func cutBehindRoot() throws {
    let (log, fault) = try EventLog.read("<a><b/></a>\n<!-- generated")
    #expect(log.text == "<a><b></b></a>\n" || log.text == "<a><b></b></a>")
    #expect(fault?.isCut == true)
  }

  @Test("an XML document of any size is read; Foundation's parser fails over 10 MB of data", .heavy)
  func large() throws {
    let count = Sample.rounds(250_000, 25_000, inDebug: 12_500)
    let item = "<item><title>標題 &amp; more</title></item>"
    let text = "<a>" + String(repeating: item, count: count) + "</a>"
    let counter = TitleCounter()
    let fault = try XMLReader().read(Array(text.utf8), into: counter)
    #expect(text.utf8.count > count * 42)
    #expect(fault == nil)
    #expect(counter.count == count)
  }

  @Test("an XML document is read on several threads at once")
  func threads() async throws {
    let text = Array("<a>\(String(repeating: "<b>中&amp;</b>", count: 500))</a>".utf8)
    let broken = Array("<a>\(String(repeating: "<b>中&amp;</b>", count: 500))</b>".utf8)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask { @concurrent in
          for _ in 0..<Sample.rounds(20, 4) {
            let (log, fault) = try EventLog.read(number.isMultiple(of: 2) ? text : broken)
            #expect(log.tags.count == 501)
            #expect((fault == nil) == number.isMultiple(of: 2))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(
    "an XML document with random changes never crashes the process",
    arguments: [1, 2, 3, 4] as [UInt64])
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let whole = Array(
      """
      <?xml version="1.0" encoding="utf-8"?><!DOCTYPE a [<!ELEMENT a ANY>]><a xmlns:x="u" \
      x:y="1"><b>一&amp;&#20013;</b><![CDATA[三]]><!-- c --><?p i?><c d='e'/>四</a>
      """.utf8)
    let words = ["<!ENTITY", "<![CDATA[", "]]>", "&#", "<!DOCTYPE", "xmlns:", "<?xml", "\0", "&x;"]
    for _ in 0..<500 {
      var text = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: text[at] = UInt8.random(in: 0...255, using: &random)
        case 1: text.remove(at: at)
        case 2: text.insert(contentsOf: words.randomElement(using: &random)!.utf8, at: at)
        default: text.removeSubrange(at..<min(text.count, at + 9))
        }
        if text.isEmpty { text = whole }
      }
      do {
        let (log, fault) = try EventLog.read(text)
        #expect(fault != nil || log.events.count { $0.hasPrefix("</") } == log.tags.count)
      } catch is FieldError {
      }
    }
  }
}

private final class TitleCounter: XMLHandler {
  var count = 0
  func start(_ tag: XMLTag) {}
  func text(_ text: String) { if text == "標題 & more" { count += 1 } }
  func end(_ name: String) {}
}
