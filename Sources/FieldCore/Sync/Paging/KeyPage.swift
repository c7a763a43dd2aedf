/// A page of ids.
public struct KeyPage<ID: Hashable & Sendable>: Sendable {
  /// The ids.
  public var ids: [ID]
  /// Whether there are rows whose id could not be read; nothing counts as gone then.
  public var hasUnreadableIDs: Bool
  /// What is known of the page besides its ids.
  public var facts: PageMetadata

  /// Makes a page.
  public init(ids: [ID], hasUnreadableIDs: Bool = false, facts: PageMetadata) {
    self.ids = ids
    self.hasUnreadableIDs = hasUnreadableIDs
    self.facts = facts
  }
}
