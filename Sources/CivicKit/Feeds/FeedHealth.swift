internal import FieldCore
public import FieldFoundation

/// How a feed is doing: whether it answers, and since when it does not.
public struct FeedHealth: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The feed.
  public var id: CityFeed.ID
  /// When the feed last gave or confirmed its items; nil when it never has.
  public var lastSuccess: Date?
  /// When it last failed; nil when it never has.
  public var lastFailure: Failure?
  /// How many times it has failed since its last success.
  public var failuresInARow: Int
  /// How many items it had when it last gave any.
  public var itemCount: Int
  /// When its newest item was published: a feed can be slow and in good health.
  public var newest: Date?

  /// Makes a record of a feed's health.
  public init(
    id: CityFeed.ID, lastSuccess: Date? = nil, lastFailure: Failure? = nil,
    failuresInARow: Int = 0, itemCount: Int = 0, newest: Date? = nil
  ) {
    self.id = id
    self.lastSuccess = lastSuccess
    self.lastFailure = lastFailure
    self.failuresInARow = failuresInARow
    self.itemCount = itemCount
    self.newest = newest
  }

  /// Whether the last answer was good.
  public var isHealthy: Bool { failuresInARow == 0 && lastSuccess != nil }

  /// A failure, as it can be kept.
  public struct Failure: Sendable, Hashable, Codable {
    /// When it happened.
    public var date: Date
    /// The dotted name of the error's code, such as `transport.offline`.
    public var code: String
    /// What happened and what to do about it.
    public var message: String

    /// Makes a failure.
    public init(date: Date, code: String, message: String) {
      self.date = date
      self.code = code
      self.message = message
    }

    init(_ error: FieldError, at date: Date) {
      self.init(date: date, code: error.code.rawValue, message: error.message)
    }
  }

  /// The feed and its recent failures.
  public var description: String { "\(id): \(failuresInARow) failures in a row".printable }
}
