internal import FieldCore

/// A page of the app's guide, with its read status.
///
/// Source: the table `instruction`, which is local to the app and never synchronized.
public struct InstructionPage: Identifiable, Sendable, Hashable, Codable {
  /// The number of the page.
  public var id: Int
  /// The name of the page, such as `welcome`; empty if there is none.
  public var name: String
  /// A Boolean value that indicates whether the page was read.
  public var isRead: Bool

  /// Creates a page.
  public init(id: Int, name: String, isRead: Bool = false) {
    self.id = id
    self.name = name
    self.isRead = isRead
  }
}
