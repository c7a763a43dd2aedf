import FieldKit
import Foundation

/// The output of `day-out feed --json`: the items of all feeds, and what couldn't be read.
struct FeedReport: Encodable {
  private let hiddenIDs: Set<CityActivity.ID>
  var items: [Item] = []
  var failures: [String] = []

  init(hidden: Set<CityActivity.ID>) { hiddenIDs = hidden }

  private enum CodingKeys: String, CodingKey { case items, failures }

  /// An item; what the feed lacks is null.
  struct Item: Encodable {
    let title: String
    let link: String?
    /// In UTC, as ISO 8601 has it.
    let date: String?
    /// A Boolean value that indicates whether the user has hidden the item.
    let hidden: Bool

    private enum CodingKeys: String, CodingKey { case title, link, date, hidden }

    /// As synthesized, but that what is missing is null and not left out.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(title, forKey: .title)
      try container.encode(link, forKey: .link)
      try container.encode(date, forKey: .date)
      try container.encode(hidden, forKey: .hidden)
    }
  }

  mutating func add(_ feed: FeedDocument, of source: String) {
    items += feed.items.map { item in
      Item(
        title: item.plainTitle, link: item.link?.absoluteString,
        date: item.published?.formatted(.iso8601),
        hidden: CityActivity.ID(of: item).map(hiddenIDs.contains) ?? false)
    }
    failures += feed.failures.map { "\(source): \($0)" }
  }

  /// The items as a table, and then the failures.
  func print() {
    if !items.isEmpty {
      var table = Table("date", "title", "link")
      for item in items {
        let title = item.hidden ? "\(item.title) (hidden)" : item.title
        table.add(item.date ?? "-", title, item.link ?? "-")
      }
      table.print()
    }
    for failure in failures.prefix(20) { Swift.print("  \(failure)") }
  }
}
