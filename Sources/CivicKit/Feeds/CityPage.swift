public import FieldCore
public import FieldFoundation

/// News or activities as a visit found them, newest first, and how old they are.
///
/// ```swift
/// let news = try await field.civic.news()
/// for item in news { print(item.title) }
/// if let failure = news.failure { print("as of", news.date as Any, failure.message) }
/// ```
///
/// What has no date stands where it would if it had been published when it was first seen.
public struct CityPage<Item: Identifiable & Sendable>: RandomAccessCollection, Sendable,
  CustomStringConvertible
{
  /// The items.
  public let items: [Item]
  /// When the feeds last gave or confirmed the items, that of the feed that is furthest behind; nil when
  /// one of them never has.
  public let date: Date?
  /// When the page was made.
  public let asOf: Date
  /// The feeds that could not be read on this visit, and why; their items are those of an earlier one.
  public let failures: [CityFeed.ID: FieldError]

  /// Creates a page, for previews and tests.
  public init(
    _ items: [Item], date: Date?, asOf: Date, failures: [CityFeed.ID: FieldError] = [:]
  ) {
    self.items = items
    self.date = date
    self.asOf = asOf
    self.failures = failures
  }

  /// How old the items are; nil when a feed has never been read.
  public var age: Duration? {
    date.map { .milliseconds(Int64(Swift.max(0, asOf.timeIntervalSince($0) * 1000).rounded())) }
  }

  /// Why a feed could not be read on this visit; nil when all were.
  public var failure: FieldError? {
    failures.min { $0.key.rawValue < $1.key.rawValue }?.value
  }

  /// The item of this id; nil when there is none.
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
