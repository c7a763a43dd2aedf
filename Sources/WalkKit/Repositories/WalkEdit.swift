/// A change of one pet, walk, or place that a module such as `WalkFirestore` still has to send.
public struct WalkEdit: Codable, Hashable, Sendable {
  /// The record that was changed.
  public let subject: Subject
  /// The names of the fields that were changed, in order; empty if the record was removed.
  public let fields: [String]
  /// A Boolean value that indicates whether the record was removed.
  public let isRemoval: Bool
  /// The change as that module writes it.
  package let content: String

  package init(_ subject: Subject, fields: [String], isRemoval: Bool, content: String) {
    self.subject = subject
    self.fields = fields
    self.isRemoval = isRemoval
    self.content = content
  }

  /// A record of a diary.
  public enum Subject: Codable, Hashable, Sendable {
    /// A pet.
    case pet(Pet.ID)
    /// A walk.
    case walk(Walk.ID)
    /// A place.
    case place(Place.ID)
  }
}
