public import FieldCore
public import FieldFoundation

/// A photo of a walk or a pet, with the location of its bytes and when and where it was taken.
///
/// The bytes of a photo that was taken on this device are a ``blob`` of the diary. Photos of the
/// old app have only a ``url``.
public struct WalkPhoto: Identifiable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The identifier of the photo within its walk.
  public var id: ID
  /// The date on which the photo was taken, if known.
  public var takenAt: Date?
  /// The location where the photo was taken, if known.
  public var coordinate: Coordinate?
  /// The bytes among the diary's blobs; `nil` for a remote photo.
  public var blob: BlobID?
  /// The address of a remote photo; `nil` for one in the diary.
  public var url: URL?

  /// Creates a photo.
  public init(
    id: ID, takenAt: Date? = nil, coordinate: Coordinate? = nil, blob: BlobID? = nil,
    url: URL? = nil
  ) {
    self.id = id
    self.takenAt = takenAt
    self.coordinate = coordinate
    self.blob = blob
    self.url = url
  }

  /// The identifier of a photo.
  public typealias ID = RecordID<WalkPhoto>

  /// The ID; the address may contain a token.
  public var description: String { id.description.printable }
}
