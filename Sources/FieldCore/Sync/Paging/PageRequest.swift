/// A request for a page of a ``PagedSource``.
public struct PageRequest: Sendable, Hashable, Codable {
  /// The order of the rows.
  public enum Order: Sendable, Hashable, Codable {
    /// By the time of the last change, and by key within the same time.
    case byChange
    /// By key alone, of the rows that were changed at this time or later; `nil` for all rows.
    case byKey(changedFrom: String?)
  }

  /// The order.
  public var order: Order
  /// The position after which the page begins; `nil` for the beginning.
  public var position: SyncPosition?
  /// The maximum number of rows.
  public var size: Int
  /// The validators of earlier responses, by the exact URL.
  public var validators: [String: HTTPValidators]

  /// Creates a request.
  public init(
    order: Order = .byChange, position: SyncPosition? = nil, size: Int,
    validators: [String: HTTPValidators] = [:]
  ) {
    self.order = order
    self.position = position
    self.size = size
    self.validators = validators
  }
}
