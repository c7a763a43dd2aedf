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

/// The gender of a pet: male, female, or any other word that a source uses.
///
/// The old app stores `M` and `W`. `F`, `male`, `female`, `boy`, `girl`, 수컷, 암컷, 남, 여, and similar
/// words are also recognized, ignoring case. Other texts are kept as they are.
public struct Gender: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The old app's letter, `M` or `W`, or the original text.
  public let rawValue: String

  /// Creates a gender from a word for it.
  public init(rawValue: String) {
    let text = rawValue.filter { !$0.isWhitespace }
    switch text.lowercased() {
    case "m", "male", "boy", "man", "수컷", "수", "남", "남아", "公": self.rawValue = "M"
    case "w", "f", "female", "girl", "woman", "암컷", "암", "여", "여아", "母": self.rawValue = "W"
    default: self.rawValue = rawValue
    }
  }

  /// Male, `M`.
  public static var male: Gender { Gender(rawValue: "M") }
  /// Female, `W` in the old data.
  public static var female: Gender { Gender(rawValue: "W") }

  /// The old app's letter, or the original text.
  public var description: String { rawValue }
}

/// A field of a pet, such as its name or weight.
public struct PetField: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The name of the field.
  public var rawValue: String
  /// Creates a field from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name of the field.
  public var description: String { rawValue }

  /// The pet's name.
  public static var name: PetField { PetField(rawValue: "name") }
  /// The pet's breed.
  public static var breed: PetField { PetField(rawValue: "breed") }
  /// The pet's gender.
  public static var gender: PetField { PetField(rawValue: "gender") }
  /// The pet's day of birth.
  public static var birth: PetField { PetField(rawValue: "birth") }
  /// The pet's weight.
  public static var weight: PetField { PetField(rawValue: "weight") }
  /// The pet's portrait.
  public static var photo: PetField { PetField(rawValue: "photo") }

  /// The six fields that the old app asks for, in its order.
  public static var all: [PetField] { [.name, .breed, .gender, .photo, .birth, .weight] }
}

/// A problem with a value that was entered about a pet.
public struct PetProblem: Hashable, Sendable, CustomStringConvertible, Codable, Identifiable {
  /// The field to mark in a form.
  public var field: PetField
  /// A description of the problem, in English.
  public var message: String

  /// Creates a problem.
  public init(_ field: PetField, _ message: String) {
    self.field = field
    self.message = message
  }

  /// The field and its problem on one line, as in `FieldError.problems`.
  public var description: String { "\(field): \(message)" }

  /// The problem itself.
  public var id: PetProblem { self }
}
