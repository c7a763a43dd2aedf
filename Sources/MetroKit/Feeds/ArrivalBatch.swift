public import FieldCore
public import FieldFoundation

/// What a source gives.
public struct ArrivalBatch: Sendable, Hashable, Codable {
  /// The rows; nil when the source confirms that nothing has changed.
  public var rows: ArrivalRows?
  /// The address that answered, after redirects.
  public var origin: URL?
  /// The time on the server's clock when it answered; nil when it does not say.
  public var serverDate: Date?
  /// What this answer can be confirmed by later, for the exact address that was asked.
  public var validators: [String: HTTPValidators]

  /// Makes a delivery; without rows it says that nothing has changed.
  public init(
    rows: ArrivalRows?, origin: URL? = nil, serverDate: Date? = nil,
    validators: [String: HTTPValidators] = [:]
  ) {
    self.rows = rows
    self.origin = origin
    self.serverDate = serverDate
    self.validators = validators
  }

  /// Whether the source confirms that nothing has changed.
  public var isNotModified: Bool { rows == nil }
  /// The arrivals in the source's order; empty when nothing has changed.
  public var arrivals: [Arrival] { rows?.arrivals ?? [] }
  /// The rows that could not be used.
  public var failures: [RowFailure] { rows?.failures ?? [] }
}
