public import FieldCore
public import FieldFoundation

/// A dog, or another animal that is taken for walks.
///
/// A pet is permanently identified by its ``id``. Its name can change and may contain any visible
/// character, even `/`, because it is never a key or a part of a path. Properties that the owner
/// hasn't entered are `nil`.
public struct Pet: Identifiable, Hashable, Codable, Sendable, CustomStringConvertible {
  /// The identifier of the pet.
  public var id: ID
  /// The name, without blanks around it, which is unique in a diary; see ``nameKey``.
  public var name: String
  /// The breed.
  public var breed: Breed
  /// The gender, if known.
  public var gender: Gender?
  /// The day of birth, if known.
  public var birth: CalendarDay?
  /// The weight, if known.
  public var weight: Weight?
  /// The portrait, if there is one.
  public var photo: WalkPhoto?
  /// A Boolean value that indicates whether the pet is archived.
  ///
  /// The walks of an archived pet are kept, but it isn't offered for new ones.
  public var isArchived: Bool
  /// The date on which the pet was added to the diary.
  public var registered: Date

  /// Creates a pet without checking its properties; ``WalkDiary`` checks what the owner enters.
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

  /// A key that is equal for names that look the same to a reader.
  ///
  /// The key ignores case, composition (`é`, or Hangul as macOS writes it in file names), runs of
  /// blanks, and invisible characters. Accents matter: `Bär` and `Bar` are two dogs.
  public var nameKey: String { Self.nameKey(of: name) }

  /// Returns the ``nameKey`` of a name.
  public static func nameKey(of name: String) -> String {
    // Canonically equivalent strings are equal, so composition needs no handling.
    var visible = String.UnicodeScalarView()
    visible.append(
      contentsOf: name.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
    return String(visible).lowercased().split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// The name, with the breed in parentheses.
  public var description: String { "\(name) (\(breed))".printable }

  /// The blobs that the pet refers to: its portrait, unless that is remote.
  public var blobs: [BlobID] { [photo?.blob].compactMap { $0 } }
}
