/// A page of IDs.
public struct KeyPage<ID: Hashable & Sendable>: Sendable {
  /// The IDs.
  public var ids: [ID]
  /// A Boolean value that indicates whether the IDs of some rows couldn't be read, so that nothing
  /// may count as deleted.
  public var hasUnreadableIDs: Bool
  /// The facts about the page besides its IDs.
  public var facts: PageMetadata

  /// Creates a page.
  public init(ids: [ID], hasUnreadableIDs: Bool = false, facts: PageMetadata) {
    self.ids = ids
    self.hasUnreadableIDs = hasUnreadableIDs
    self.facts = facts
  }
}

extension KeyPage: Encodable where ID: Encodable {}
extension KeyPage: Decodable where ID: Decodable {}
