internal import FieldCore
public import FieldFoundation

/// The health of a feed: its last success, its last failure, and how often it has failed since.
public struct FeedHealth: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The feed.
  public var id: CityFeed.ID
  /// The date of the last successful request; `nil` if there was none.
  public var lastSuccess: Date?
  /// The last failure; `nil` if there was none.
  public var lastFailure: Failure?
  /// The number of failures since the last success.
  public var failuresInARow: Int
  /// The number of items when the feed last returned any.
  public var itemCount: Int
  /// The publication date of the newest item; a slow feed can be in good health.
  public var newest: Date?

  /// Creates a record of a feed's health.
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

  /// A Boolean value that indicates whether the last response was good.
  public var isHealthy: Bool { failuresInARow == 0 && lastSuccess != nil }

  /// A failure in a form that can be stored.
  public struct Failure: Sendable, Hashable, Codable {
    /// The date of the failure.
    public var date: Date
    /// The dotted name of the error's code, such as `transport.offline`.
    public var code: String
    /// A message that says what happened and what to do about it.
    public var message: String

    /// Creates a failure.
    public init(date: Date, code: String, message: String) {
      self.date = date
      self.code = code
      self.message = message
    }

    init(_ error: FieldError, at date: Date) {
      self.init(date: date, code: error.code.rawValue, message: error.message)
    }
  }

  /// The feed's ID and its number of consecutive failures.
  public var description: String { "\(id): \(failuresInARow) failures in a row".printable }
}
