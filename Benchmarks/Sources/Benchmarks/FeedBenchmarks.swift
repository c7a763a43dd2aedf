import FieldXML
import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// A feed of news to items with their addresses and dates.
struct FeedBenchmarks {
  static let feed = Synthetic.feed(count: 1_000)
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func run(into table: inout ResultTable) async throws {
    let bytes = Array(Self.feed.utf8)
    let data = Data(bytes)
    try await table.race(
      "a feed of 1,000 items", against: "XMLParser with DateFormatter", floor: 2, rounds: 25
    ) {
      try await measured { try FeedDocument(reading: bytes).items }
    } baseline: {
      try await measured { try NewsParser.items(of: data) }
    } check: { own, baseline in
      own.count == 1_000 && baseline.count == 1_000
        && zip(own, baseline).allSatisfy { $1.isSame(as: $0) }
    }
    guard let python = try Python(reading: workbench) else { return }
    try await table.race(
      "a feed of 1,000 items", against: "Python's ElementTree, texts only", floor: 0.6, rounds: 25
    ) {
      try await measured { try FeedDocument(reading: bytes).items }
    } baseline: {
      try python.run("ElementTree", Python.feed)
    } check: { own, baseline in
      baseline == Python.answer(own.map(\.id))
    }
    python.end()
  }
}

/// The feed as an app would read it with Foundation.
private final class NewsParser: NSObject, XMLParserDelegate {
  struct Item {
    var (title, link, guid, description) = ("", "", "", "")
    var published: Date?

    func isSame(as item: FeedItem) -> Bool {
      guard item.title == title, item.guid == guid, item.description == description else {
        return false
      }
      return item.link == URL(string: link) && item.published == published && published != nil
    }
  }

  private var items: [Item] = []
  private var text = ""
  private let formatter = DateFormatter()

  static func items(of data: Data) throws -> [Item] {
    let news = NewsParser()
    news.formatter.locale = Locale(identifier: "en_US_POSIX")
    news.formatter.dateFormat = "d MMM yyyy HH:mm:ss zzz"
    let parser = XMLParser(data: data)
    parser.delegate = news
    try require(parser.parse(), "XMLParser failed")
    return news.items
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    text = ""
    if name == "item" { items.append(Item()) }
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(_ parser: XMLParser, foundCDATA block: Data) {
    text += String(decoding: block, as: UTF8.self)
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    guard let last = items.indices.last else { return }
    switch name {
    case "title": items[last].title = text
    case "link": items[last].link = text
    case "guid": items[last].guid = text
    case "description": items[last].description = text
    case "pubDate": items[last].published = formatter.date(from: text)
    default: break
    }
  }
}
