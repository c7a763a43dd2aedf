public import FieldCore
public import FieldFoundation

/// A change of single fields of a pet.
///
/// ```swift
/// try await diary.update(mesh.id, PetChanges(weight: .kilograms(11.5)))
/// try await diary.update(mesh.id, PetChanges(clearing: [.gender]))
/// ```
///
/// A field that is nil stays as it is.
public struct PetChanges: Hashable, Sendable, Codable {
  /// A new name.
  public var name: String?
  /// A new breed.
  public var breed: Breed?
  /// A new gender.
  public var gender: Gender?
  /// A new day of birth.
  public var birth: CalendarDay?
  /// A new weight.
  public var weight: Weight?
  /// The bytes of a new portrait.
  public var photo: Data?
  /// What is not known any more; a new value of the same change wins.
  public var cleared: Set<PetField>

  /// Makes a change.
  public init(
    name: String? = nil, breed: Breed? = nil, gender: Gender? = nil, birth: CalendarDay? = nil,
    weight: Weight? = nil, photo: Data? = nil, clearing cleared: Set<PetField> = []
  ) {
    self.name = name
    self.breed = breed
    self.gender = gender
    self.birth = birth
    self.weight = weight
    self.photo = photo
    self.cleared = cleared
  }

  /// The pet with the change made, but for the portrait, whose bytes have to be stored first.
  func applied(to pet: Pet) -> Pet {
    var pet = pet
    for field in cleared {
      switch field {
      case .gender: pet.gender = nil
      case .birth: pet.birth = nil
      case .weight: pet.weight = nil
      case .photo: pet.photo = nil
      default: break
      }
    }
    if let name { pet.name = PetRules.trimmed(name) }
    if let breed { pet.breed = breed }
    if let gender { pet.gender = gender }
    if let birth { pet.birth = birth }
    if let weight { pet.weight = weight }
    return pet
  }
}
