public import FieldCore
public import FieldFoundation

/// An animal that the user has seen: a name and a photo, with when and where that was.
///
/// ```swift
/// let sighting = try await zoo.addSighting(name: "石虎", photo: jpeg)
/// print(sighting.number, sighting.name)
/// ```
///
/// A sighting is stored in one step, together with its photo and its number: it is there with all of
/// them, or it is not there.
public struct Sighting: Sendable, Hashable, Codable, Identifiable {
  /// What the sighting is known by, for ever.
  public let id: ID
  /// Its number, from 0 on: the one that the old app showed. A number is never given twice, not even
  /// when its sighting has been removed.
  public let number: Int
  /// The name that the user gave, without space around it; empty when ``problem`` says that the record
  /// cannot be read.
  public var name: String
  /// The photo; nil when ``problem`` says that the record cannot be read.
  public var photo: Photo?
  /// When the animal was seen.
  public var date: Date
  /// Where it was seen, when that is known.
  public var place: Coordinate?
  /// What is wrong with what is stored; nil when all is in order, as it is with every sighting that
  /// was just added or edited.
  public internal(set) var problem: SightingProblem?

  /// Makes a sighting, for previews and tests; a zoo makes its own.
  public init(
    id: ID, number: Int, name: String, photo: Photo?, date: Date, place: Coordinate? = nil
  ) {
    self.id = id
    self.number = number
    self.name = name
    self.photo = photo
    self.date = date
    self.place = place
  }

  /// The identifier of a sighting.
  public typealias ID = RecordID<Sighting>

  /// The photo of a sighting, whose bytes are kept apart from it.
  public struct Photo: Sendable, Hashable, Codable {
    /// The name of its content: equal bytes have equal ids.
    public let blob: BlobID
    /// What the bytes are, as they say themselves.
    public let format: AssetFormat
    /// How many bytes there are.
    public let byteCount: Int

    /// Makes a description of a photo.
    public init(blob: BlobID, format: AssetFormat, byteCount: Int) {
      self.blob = blob
      self.format = format
      self.byteCount = byteCount
    }
  }
}

extension Sighting: CustomStringConvertible {
  /// The number and the name, such as `#3 石虎`.
  public var description: String { "#\(number) \(name)".printable }
}
