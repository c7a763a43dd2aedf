public import FieldCore
public import FieldFoundation

/// A photo of a walk that is not saved yet; its bytes are among the drafts.
public struct DraftPhoto: Identifiable, Sendable, Hashable, Codable {
  /// What the photo will be known by in its walk.
  public var id: WalkPhoto.ID
  /// The bytes among the drafts.
  public var blob: BlobID
  /// When it was taken.
  public var takenAt: Date
  /// Where the last good fix was then; nil before the first.
  public var coordinate: Coordinate?

  /// Makes a photo.
  public init(id: WalkPhoto.ID, blob: BlobID, takenAt: Date, coordinate: Coordinate? = nil) {
    self.id = id
    self.blob = blob
    self.takenAt = takenAt
    self.coordinate = coordinate
  }
}
