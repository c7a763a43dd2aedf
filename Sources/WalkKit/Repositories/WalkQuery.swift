public import FieldFoundation

/// Which walks are wanted: a page of those of a pet and a period.
public struct WalkQuery: Hashable, Sendable, Codable {
  /// The pet that went along; nil for all walks.
  public var pet: Pet.ID?
  /// When the walk began, the lower end included; nil for any time.
  public var period: Range<Date>?
  /// How many walks a page has at most; at least 1.
  public var limit: Int
  /// Where the page before ended; nil for the first.
  public var after: WalkPage.Cursor?

  /// Makes a query for the newest walks.
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
