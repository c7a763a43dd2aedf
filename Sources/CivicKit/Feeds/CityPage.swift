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
  /// The feeds that couldn't be read this time, with the reasons; their items are from an earlier
  /// visit.
  public let failures: [CityFeed.ID: FieldError]

  /// Creates a page, for previews and tests.
  public init(_ items: [Item], date: Date?, asOf: Date, failures: [CityFeed.ID: FieldError] = [:]) {
    self.items = items
    self.date = date
    self.asOf = asOf
    self.failures = failures
  }

  /// The age of the items; `nil` if a feed has never been read.
  public var age: Duration? {
    date.map { .milliseconds(Int64(limiting: Swift.max(0, asOf.timeIntervalSince($0) * 1000))) }
  }

  /// The reason that a feed couldn't be read this time; `nil` if all could be.
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

extension CityPage: Codable where Item: Codable {}

/// A city's news, newest first.
public typealias NewsPage = CityPage<NewsItem>
/// A city's activities, newest first.
public typealias ActivityPage = CityPage<CityActivity>
