public import FieldCore
public import FieldFoundation

/// A photo of a walk or a pet: where its bytes are, and when and where it was taken.
///
/// The bytes of a photo that was taken here are a ``blob`` of the diary. Data of the old app have a
/// ``url`` alone.
public struct WalkPhoto: Identifiable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// What the photo is known by, in its walk.
  public var id: ID
  /// When it was taken; nil when that is not known.
  public var takenAt: Date?
  /// Where it was taken; nil when that is not known.
  public var coordinate: Coordinate?
  /// The bytes among the diary's blobs; nil for a photo that is elsewhere.
  public var blob: BlobID?
  /// The address of a photo that is elsewhere; nil for the diary's own.
  public var url: URL?

  /// Makes a photo.
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
