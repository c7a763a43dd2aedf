internal import FieldCore

/// An entry of the list: a sighting of the user's, or an animal of the zoo's.
public struct ZooEntry: Sendable, Hashable, Identifiable, Codable {
  /// What the entry is known by, which does not change when others come and go.
  public enum ID: Sendable, Hashable, Codable {
    /// A sighting of the user's.
    case sighting(Sighting.ID)
    /// An animal of the zoo's.
    case animal(Animal.ID)

    private enum SightingCodingKeys: String, CodingKey { case _0 = "id" }
    private enum AnimalCodingKeys: String, CodingKey { case _0 = "id" }
  }

  /// What the entry stands for: apart from the entry itself, whose copies then share it.
  public indirect enum Content: Sendable, Hashable, Codable {
    /// A sighting of the user's.
    case sighting(Sighting)
    /// An animal of the zoo's.
    case animal(Animal)

    private enum SightingCodingKeys: String, CodingKey { case _0 = "record" }
    private enum AnimalCodingKeys: String, CodingKey { case _0 = "record" }
  }

  /// The number that the old app showed, which is for people and never a key: that of a sighting is its
  /// own, those of the animals begin where the sightings' counter stands, and so shift with it.
  public let sequence: Int
  /// What the entry stands for.
  public let content: Content
  /// Where its picture can be had; nil when it has none, or none that can be shown.
  public let picture: ZooPicture?
  /// What is wrong with what is stored of a sighting; nil when nothing is.
  public let problem: SightingProblem?

  /// Makes an entry.
  public init(
    sequence: Int, content: Content, picture: ZooPicture?, problem: SightingProblem? = nil
  ) {
    self.sequence = sequence
    self.content = content
    self.picture = picture
    self.problem = problem
  }

  /// What the entry is known by.
  public var id: ID {
    switch content {
    case .sighting(let sighting): .sighting(sighting.id)
    case .animal(let animal): .animal(animal.id)
    }
  }

  /// The name; empty for a sighting whose record cannot be read.
  public var name: String {
    switch content {
    case .sighting(let sighting): sighting.name
    case .animal(let animal): animal.name
    }
  }

  /// Whether it is the user's own.
  public var isLocal: Bool { sighting != nil }

  /// The sighting; nil for an animal.
  public var sighting: Sighting? {
    if case .sighting(let sighting) = content { sighting } else { nil }
  }

  /// The animal; nil for a sighting.
  public var animal: Animal? {
    if case .animal(let animal) = content { animal } else { nil }
  }
}

extension ZooEntry: CustomStringConvertible {
  /// The sequence number and the name, such as `3. 石虎`.
  public var description: String { "\(sequence). \(name)".printable }
}
