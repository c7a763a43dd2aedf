public import FieldCore
public import FieldFoundation

/// News or activities, newest first, with their age.
///
/// ```swift
/// let news = try await field.civic.news()
/// for item in news { print(item.title) }
/// if let failure = news.failure { print("as of", news.date as Any, failure.message) }
/// ```
///
/// An item without a date is placed as if it had been published when it was first seen.
///
/// Time alone doesn't change a page: ``age`` is that at ``asOf``, and no update follows because it
/// grows. To show a growing age, format the dates where they are drawn, such as with SwiftUI's
/// `Text(date, style: .relative)` or in a `TimelineView`.
public struct CityPage<Item: Identifiable & Sendable>: RandomAccessCollection, Sendable,
  CustomStringConvertible
{
  /// The items.
  public let items: [Item]
  /// The date of the oldest of the feeds' last successful requests; `nil` if a feed never
  /// succeeded.
  public let date: Date?
  /// The date on which the page was created.
  public let asOf: Date
  /// The feeds that couldn't be read at their last request, with the reasons; their items are from
  /// an earlier one.
  public let failures: [CityFeed.ID: FieldError]
  /// The health of each feed, in the order of the feeds.
  public let health: [FeedHealth]
  /// The IDs of the items that the user hasn't read; see ``CivicDirectory/markItemRead(_:)``.
  public let unread: Set<NewsItem.ID>

  /// Creates a page, for previews and tests.
  public init(
    _ items: [Item], date: Date?, asOf: Date, failures: [CityFeed.ID: FieldError] = [:],
    health: [FeedHealth] = [], unread: Set<NewsItem.ID> = []
  ) {
    self.items = items
    self.date = date
    self.asOf = asOf
    self.failures = failures
    self.health = health
    self.unread = unread
  }

  /// The age of the items at ``asOf``; `nil` if a feed has never been read.
  public var age: Duration? {
    date.map { .milliseconds(Int64(limiting: Swift.max(0, asOf.timeIntervalSince($0) * 1000))) }
  }

  /// The reason that a feed couldn't be read at its last request; `nil` if all could be.
  public var failure: FieldError? { failures.min { $0.key.rawValue < $1.key.rawValue }?.value }

  /// Returns the item with an ID, or `nil` if there is none.
  public subscript(id id: Item.ID) -> Item? { items.first { $0.id == id } }

  /// The position of the first item.
  public var startIndex: Int { items.startIndex }
  /// The position after the last item.
  public var endIndex: Int { items.endIndex }
  /// The item at a position.
  public subscript(position: Int) -> Item { items[position] }

  /// The number of items.
  public var description: String { "\(items.count) items" }
}

extension CityPage: Codable where Item: Codable {
  private enum CodingKeys: String, CodingKey { case items, date, asOf, failures, health, unread }

  /// Creates a page from its encoded form; older versions had neither health nor unread items.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode([Item].self, forKey: .items),
      date: try container.decodeIfPresent(Date.self, forKey: .date),
      asOf: try container.decode(Date.self, forKey: .asOf),
      failures: try container.decode([CityFeed.ID: FieldError].self, forKey: .failures),
      health: try container.decodeIfPresent([FeedHealth].self, forKey: .health) ?? [],
      unread: Set(try container.decodeIfPresent([NewsItem.ID].self, forKey: .unread) ?? []))
  }

  /// Encodes the page, with the unread IDs in a fixed order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(items, forKey: .items)
    try container.encodeIfPresent(date, forKey: .date)
    try container.encode(asOf, forKey: .asOf)
    try container.encode(failures, forKey: .failures)
    if !health.isEmpty { try container.encode(health, forKey: .health) }
    let ids = unread.sorted { $0.rawValue < $1.rawValue }
    if !ids.isEmpty { try container.encode(ids, forKey: .unread) }
  }
}

/// A sequence of the stored page and the newest one after each change.
///
/// Slow consumers skip intermediate states, but never the newest one. See
/// ``CivicDirectory/newsUpdates()``.
public typealias CityPageUpdates<Item: Identifiable & Sendable> = FieldSequence<
  CityPage<Item>, any Error
>

extension FieldSequence where Failure == any Error {
  /// Returns the pages that a closure makes at each change, without those in which nothing differs.
  static func pages<Item: Identifiable & Hashable & Sendable>(
    of changes: [@Sendable (@Sendable () -> Void) async throws -> Void],
    _ page: @escaping @Sendable () async throws -> CityPage<Item>
  ) -> Self where Element == CityPage<Item> {
    Self(
      signals: changes,
      skipping: { $0.items == $1.items && $0.health == $1.health && $0.unread == $1.unread },
      value: page)
  }
}

/// A city's news, newest first.
public typealias NewsPage = CityPage<NewsItem>
/// A city's activities, newest first.
public typealias ActivityPage = CityPage<CityActivity>
