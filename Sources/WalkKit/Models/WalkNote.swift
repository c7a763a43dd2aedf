public import FieldCore
public import FieldFoundation

/// Something that happened on a walk: words, or one of the things that dogs do.
public struct WalkNote: Identifiable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// What happened.
  public var kind: Kind
  /// What the owner says about it; empty for nothing.
  public var text: String
  /// When it happened.
  public var time: Date
  /// Where it happened; nil when that is not known.
  public var coordinate: Coordinate?
  /// Which pet it is about; nil for no particular one.
  public var pet: Pet.ID?

  /// The note itself.
  public var id: WalkNote { self }

  /// Makes a note.
  public init(
    _ kind: Kind = .note, text: String = "", time: Date, coordinate: Coordinate? = nil,
    pet: Pet.ID? = nil
  ) {
    self.kind = kind
    self.text = text
    self.time = time
    self.coordinate = coordinate
    self.pet = pet
  }

  /// What a note is about: an open set.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The word for it.
    public var rawValue: String
    /// Makes a kind from its word.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The word for it.
    public var description: String { rawValue }

    /// Words alone.
    public static var note: Kind { Kind(rawValue: "note") }
    /// Number one.
    public static var pee: Kind { Kind(rawValue: "pee") }
    /// Number two.
    public static var poo: Kind { Kind(rawValue: "poo") }
    /// Something to drink.
    public static var water: Kind { Kind(rawValue: "water") }
    /// Something to eat.
    public static var treat: Kind { Kind(rawValue: "treat") }
  }

  /// The kind and the text.
  public var description: String { "\(kind): \(text)".printable }
}
