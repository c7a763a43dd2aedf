internal import FieldCore

/// A page of the app's guide, with whether it was read.
///
/// Source: the table `instruction`, which is local to the app and never synchronised.
public struct InstructionPage: Identifiable, Sendable, Hashable, Codable {
  /// The number of the page.
  public var id: Int
  /// The name of the page, such as `welcome`; empty when there is none.
  public var name: String
  /// Whether the page was read.
  public var isRead: Bool

  /// Makes a page.
  public init(id: Int, name: String, isRead: Bool = false) {
    self.id = id
    self.name = name
    self.isRead = isRead
  }
}
