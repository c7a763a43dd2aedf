public import FieldFoundation
public import WalkKit

/// An edit that was overruled, in part or in whole, by a later one of another device.
public struct WalkConflict: Identifiable, Codable, Hashable, Sendable {
  /// The ID of the edit.
  public let id: UUID
  /// The record.
  public let subject: WalkEdit.Subject
  /// The names of the fields whose values are those of the other device.
  public let fields: [String]
  /// The date of the edit.
  public let date: Date
}
