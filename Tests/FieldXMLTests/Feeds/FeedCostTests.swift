import FieldCore
import FieldXML
import Foundation
import TestSupport
import Testing

/// Feeds whose reading takes hours when any part of it costs the square of its size. There is no clock in
/// these tests: the limit of the suite ends what does not end.
@Suite("A feed designed to slow down its reader", .heavy, .timeLimit(.minutes(60)))
struct FeedCostTests {
  @Test("a feed with a long title before many parts of its channel is read once")
  func longTitle() throws {
    let count = Sample.rounds(100_000, 10_000, inDebug: 5_000)
    let title = String(repeating: "x &amp; y ", count: count * 2)
    let links = String(repeating: "<link>https://a.tw</link>", count: count)
    let feed = try FeedDocument(
      reading: Array("<rss><channel><title>\(title)</title>\(links)</channel></rss>".utf8))
    #expect(feed.title?.count == count * 12 - 1)
    #expect(feed.link == address("https://a.tw"))
  }

  @Test(
    "a feed with a tag of very many attributes is rejected, because comparing them takes long",
    arguments: ["a", "xmlns:a"])
  func manyAttributes(name: String) throws {
    let count = Sample.rounds(400_000, 80_000, inDebug: 40_000)
    let attributes = (0..<count).map { "\(name)\($0)='='" }.joined(separator: " ")
    let error = #expect(throws: FieldError.self) {
      try FeedDocument(reading: Array("<rss \(attributes)><channel/></rss>".utf8))
    }
    #expect(error?.code == .xmlLimit)
  }

  @Test("a feed with the maximum number of attributes, and similar characters elsewhere, is read")
  func allowedAttributes() throws {
    let attributes = (0..<256).map { "a\($0)=\"'==<\"".replacing("<", with: "&lt;") }
      .joined(separator: " ")
    let marks = String(repeating: "= ", count: 300)
    let feed = try FeedDocument(
      reading: Array(
        "<?p \(marks)?><rss \(attributes)><!-- <a \(marks)> --><channel><title>\(marks)<![CDATA[<a \(marks)>]]></title></channel></rss>"
          .utf8))
    #expect(feed.fault == nil)
    #expect(feed.title?.isEmpty == false)
  }

  @Test("a feed with a URL of blanks is read in one pass over them")
  func blankAddress() throws {
    let blanks = String(repeating: " ", count: Sample.rounds(1_000_000, 200_000, inDebug: 100_000))
    let feed = try FeedDocument(
      reading: Array(
        "<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='\(blanks)/x\(blanks)'/></entry></feed>"
          .utf8), from: address("https://a.tw/"))
    #expect(feed.items.first?.link?.absoluteString == "https://a.tw/x")
    let html = HTMLText("<a href='\(blanks)https://a.tw/y\(blanks)'>y</a>").safeHTML
    #expect(html == "<a href=\"https://a.tw/y\" rel=\"noopener noreferrer\">y</a>")
  }
}
