public import FieldCore
public import FieldFoundation

/// A photo of a walk that isn't saved yet.
public struct DraftPhoto: Identifiable, Sendable, Hashable, Codable {
  /// The ID that the photo will have in its walk.
  public var id: WalkPhoto.ID
  /// The ID of the photo's bytes among the drafts.
  public var blob: BlobID
  /// The time at which the photo was taken.
  public var takenAt: Date
  /// The location of the last good fix at that time, or `nil` before the first.
  public var coordinate: Coordinate?

  /// Creates a photo.
  public init(id: WalkPhoto.ID, blob: BlobID, takenAt: Date, coordinate: Coordinate? = nil) {
    self.id = id
    self.blob = blob
    self.takenAt = takenAt
    self.coordinate = coordinate
  }
}
