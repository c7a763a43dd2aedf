public import FieldCore
public import FieldFoundation

/// The rows and validators that a source returns.
public struct ArrivalBatch: Sendable, Hashable, Codable {
  /// The rows; `nil` if the source confirms that nothing has changed.
  public var rows: ArrivalRows?
  /// The URL that answered, after redirects.
  public var origin: URL?
  /// The date of the response by the server's clock; `nil` if the response doesn't give one.
  public var serverDate: Date?
  /// The validators of this response for later requests, keyed by the exact URL of the request.
  public var validators: [String: HTTPValidators]

  /// Creates a batch; pass `nil` for `rows` if nothing has changed.
  public init(
    rows: ArrivalRows?, origin: URL? = nil, serverDate: Date? = nil,
    validators: [String: HTTPValidators] = [:]
  ) {
    self.rows = rows
    self.origin = origin
    self.serverDate = serverDate
    self.validators = validators
  }

  /// A Boolean value that indicates whether the source confirms that nothing has changed.
  public var isNotModified: Bool { rows == nil }
  /// The arrivals, in source order; empty if nothing has changed.
  public var arrivals: [Arrival] { rows?.arrivals ?? [] }
  /// The rows that couldn't be used.
  public var failures: [RowFailure] { rows?.failures ?? [] }
}
