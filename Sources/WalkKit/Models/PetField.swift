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
