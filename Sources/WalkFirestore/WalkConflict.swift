public import FieldFoundation
public import WalkKit

/// An edit of this device that another device has overruled, in part or in whole, without having seen it.
///
/// The other edit is later, or removes the record. Whether this device's edit reached the server before or after it
/// doesn't matter. An edit that was made in knowledge of this device's edit is no conflict.
public struct WalkConflict: Identifiable, Codable, Hashable, Sendable {
  /// The ID of the conflict; that of the edit if the edit was overruled when it was sent.
  public let id: UUID
  /// The record.
  public let subject: WalkEdit.Subject
  /// The names of the fields whose values are those of the other device.
  public let fields: [String]
  /// The date of the edit.
  public let date: Date
}
