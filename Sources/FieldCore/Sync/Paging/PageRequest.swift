/// What a run asks a ``PagedSource`` for.
public struct PageRequest: Sendable, Hashable {
  /// The order of the rows.
  public enum Order: Sendable, Hashable {
    /// By the time of their last change, and by key where that is the same.
    case byChange
    /// By key alone, of the rows that were changed at this time or later; nil for all rows.
    case byKey(changedFrom: String?)
  }

  /// The order.
  public var order: Order
  /// The position that the rows lie behind; nil for the beginning.
  public var position: SyncPosition?
  /// How many rows at the most.
  public var size: Int
  /// What earlier answers can be confirmed by, for each exact address.
  public var validators: [String: HTTPValidators]

  /// Makes a request.
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
