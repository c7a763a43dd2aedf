public import FieldCore
public import FieldFoundation

/// A note about an event on a walk, as text or as one of the things that dogs do.
public struct WalkNote: Identifiable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The kind of event.
  public var kind: Kind
  /// The owner's text; empty if there is none.
  public var text: String
  /// The date of the event.
  public var time: Date
  /// The location of the event, if known.
  public var coordinate: Coordinate?
  /// The pet that the note is about; `nil` if it isn't about a particular one.
  public var pet: Pet.ID?

  /// The note itself.
  public var id: WalkNote { self }

  /// Creates a note.
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

  /// The subject of a note, as an open set of names.
  public struct Kind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The name of the kind.
    public var rawValue: String
    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name of the kind.
    public var description: String { rawValue }

    /// A note that consists only of text.
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
