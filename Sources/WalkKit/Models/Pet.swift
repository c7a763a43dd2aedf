public import FieldCore
public import FieldFoundation

/// A dog, or another animal that is taken for walks.
///
/// A pet is known by its ``id`` for ever: its name can be changed, and may hold any sign, `/` too,
/// since it is never a key or a part of a path. What the owner has not told is nil.
public struct Pet: Identifiable, Hashable, Codable, Sendable {
  /// What the pet is known by.
  public var id: ID
  /// The name, without blanks around it; no two pets of a diary have the same, see ``nameKey``.
  public var name: String
  /// The breed.
  public var breed: Breed
  /// The gender; nil when it is not known.
  public var gender: Gender?
  /// The day of birth; nil when it is not known.
  public var birth: CalendarDay?
  /// The weight; nil when it is not known.
  public var weight: Weight?
  /// The portrait; nil when there is none.
  public var photo: WalkPhoto?
  /// Whether the pet is put aside: its walks stay, and it is not offered for new ones.
  public var isArchived: Bool
  /// When the pet came into the diary.
  public var registered: Date

  /// Makes a pet as it is; ``WalkDiary`` checks what a person enters.
  public init(
    id: ID, name: String, breed: Breed, gender: Gender? = nil, birth: CalendarDay? = nil,
    weight: Weight? = nil, photo: WalkPhoto? = nil, isArchived: Bool = false, registered: Date
  ) {
    self.id = id
    self.name = name
    self.breed = breed
    self.gender = gender
    self.birth = birth
    self.weight = weight
    self.photo = photo
    self.isArchived = isArchived
    self.registered = registered
  }

  /// The identifier of a pet: random, and never derived from its name.
  public typealias ID = RecordID<Pet>

  /// What two names have in common that are the same to a reader: capitals and small letters, composed
  /// and decomposed letters (`é`, or Hangul as macOS writes it in file names), and runs of blanks are
  /// not told apart, and what cannot be seen does not count. Accents do: `Bär` and `Bar` are two dogs.
  public var nameKey: String { Self.nameKey(of: name) }

  /// The ``nameKey`` of a name.
  public static func nameKey(of name: String) -> String {
    // Equal strings are canonically equivalent ones, so composition needs no care.
    var visible = String.UnicodeScalarView()
    visible.append(
      contentsOf: name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
    return String(visible).lowercased().split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }
}

extension Pet: CustomStringConvertible {
  /// The name, with the breed in parentheses.
  public var description: String { "\(name) (\(breed))".printable }
}
