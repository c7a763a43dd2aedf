public import FieldFoundation

/// A query for a page of the walks of a pet in a period.
public struct WalkQuery: Hashable, Sendable, Codable {
  /// The pet on the walks; `nil` for all walks.
  public var pet: Pet.ID?
  /// The range of the walks' starts; `nil` for any time.
  public var period: Range<Date>?
  /// The maximum number of walks on a page, which is at least 1.
  public var limit: Int
  /// The cursor at the end of the previous page; `nil` for the first page.
  public var after: WalkPage.Cursor?

  /// Creates a query, which by default returns the newest walks.
  public init(
    pet: Pet.ID? = nil, period: Range<Date>? = nil, limit: Int = 50,
    after: WalkPage.Cursor? = nil
  ) {
    self.pet = pet
    self.period = period
    self.limit = limit
    self.after = after
  }
}
