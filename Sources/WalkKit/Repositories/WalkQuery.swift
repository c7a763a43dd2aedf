package import FieldFoundation

/// A query for a page of the walks of a pet in a period.
package struct WalkQuery: Hashable, Sendable, Codable {
  /// The pet on the walks; `nil` for all walks.
  package var pet: Pet.ID?
  /// The range of the walks' starts; `nil` for any time.
  package var period: Range<Date>?
  /// The maximum number of walks on a page, which is at least 1.
  package var limit: Int
  /// The cursor at the end of the previous page; `nil` for the first page.
  package var after: WalkPage.Cursor?

  /// Creates a query, which by default returns the newest walks.
  package init(
    pet: Pet.ID? = nil, period: Range<Date>? = nil, limit: Int = 50,
    after: WalkPage.Cursor? = nil
  ) {
    self.pet = pet
    self.period = period
    self.limit = limit
    self.after = after
  }
}
