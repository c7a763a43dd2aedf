public import FieldCore
public import FieldFoundation

/// A change to individual fields of a pet.
///
/// ```swift
/// try await diary.update(mesh.id, PetChanges(weight: .kilograms(11.5)))
/// try await diary.update(mesh.id, PetChanges(clearing: [.gender]))
/// ```
///
/// Fields that are `nil` stay as they are.
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
  /// The fields to clear; a new value in the same change takes precedence.
  public var cleared: Set<PetField>

  /// Creates a change.
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

  /// The fields that are empty afterward, in the order of the form.
  var emptied: [PetField] {
    let hasValue: [PetField: Bool] = [
      .name: name != nil, .breed: breed != nil, .gender: gender != nil, .photo: photo != nil,
      .birth: birth != nil, .weight: weight != nil,
    ]
    return PetField.all.filter { cleared.contains($0) && hasValue[$0] != true }
  }

  /// Returns the pet with the change applied, except for the portrait, whose bytes must be stored
  /// first.
  func applied(to pet: Pet) -> Pet {
    var pet = pet
    if cleared.contains(.gender) { pet.gender = nil }
    if cleared.contains(.birth) { pet.birth = nil }
    if cleared.contains(.weight) { pet.weight = nil }
    if cleared.contains(.photo) { pet.photo = nil }
    if let name { pet.name = PetRules.trimmed(name) }
    if let breed { pet.breed = breed }
    if let gender { pet.gender = gender }
    if let birth { pet.birth = birth }
    if let weight { pet.weight = weight }
    return pet
  }
}
