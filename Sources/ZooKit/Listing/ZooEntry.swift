public import FieldCore
public import FieldFoundation

/// A list entry: one of the user's sightings, or one of the zoo's animals.
public struct ZooEntry: Sendable, Hashable, Identifiable, Codable, CustomStringConvertible {
  /// The identifier of an entry, which doesn't change when other entries come and go.
  public enum ID: Sendable, Hashable, Codable {
    /// A user's sighting.
    case sighting(Sighting.ID)
    /// An animal in the zoo.
    case animal(Animal.ID)

    private enum SightingCodingKeys: String, CodingKey { case _0 = "id" }
    private enum AnimalCodingKeys: String, CodingKey { case _0 = "id" }
  }

  /// The content of an entry, stored outside the entry and shared by its copies.
  public indirect enum Content: Sendable, Hashable, Codable {
    /// A user's sighting.
    case sighting(Sighting)
    /// An animal in the zoo.
    case animal(Animal)

    private enum SightingCodingKeys: String, CodingKey { case _0 = "record" }
    private enum AnimalCodingKeys: String, CodingKey { case _0 = "record" }
  }

  /// The number that the old app showed, for display only.
  ///
  /// A sighting's number never changes. The animals' numbers begin at the sightings' counter and
  /// shift with it, so don't use them as keys.
  public let sequence: Int
  /// The content of the entry.
  public let content: Content
  /// The location of the picture; `nil` if there is none, or none that can be shown.
  public let picture: ZooPicture?
  /// The problem with a stored sighting; `nil` if there is none.
  public let problem: SightingProblem?

  /// Creates an entry.
  public init(
    sequence: Int, content: Content, picture: ZooPicture?, problem: SightingProblem? = nil
  ) {
    self.sequence = sequence
    self.content = content
    self.picture = picture
    self.problem = problem
  }

  /// The identifier of the entry.
  public var id: ID {
    switch content {
    case .sighting(let sighting): .sighting(sighting.id)
    case .animal(let animal): .animal(animal.id)
    }
  }

  /// The name; empty for a sighting whose record can't be read.
  public var name: String {
    switch content {
    case .sighting(let sighting): sighting.name
    case .animal(let animal): animal.name
    }
  }

  /// A Boolean value that indicates whether the entry is a user's sighting.
  public var isLocal: Bool { sighting != nil }

  /// The sighting; `nil` for an animal.
  public var sighting: Sighting? {
    if case .sighting(let sighting) = content { sighting } else { nil }
  }

  /// The animal; `nil` for a sighting.
  public var animal: Animal? { if case .animal(let animal) = content { animal } else { nil } }

  /// A description with the sequence number and the name, such as `3. 石虎`.
  public var description: String { "\(sequence). \(name)".printable }
}

/// The location of a picture in the list.
///
/// A view can load a file or a web URL itself; `Zoo.image(for:)` returns the bytes in all three
/// cases.
public enum ZooPicture: Sendable, Hashable, Codable {
  /// A user's photo in a file, which you mustn't change.
  case file(URL)
  /// A user's photo in a storage without files, such as the one in memory.
  case stored(BlobID)
  /// A zoo's picture at its web URL, which is valid whatever the source has written.
  case remote(URL)

  private enum FileCodingKeys: String, CodingKey { case _0 = "url" }
  private enum StoredCodingKeys: String, CodingKey { case _0 = "blob" }
  private enum RemoteCodingKeys: String, CodingKey { case _0 = "url" }

  /// A Boolean value that indicates whether the picture is a user's photo.
  public var isLocal: Bool { if case .remote = self { false } else { true } }
}
