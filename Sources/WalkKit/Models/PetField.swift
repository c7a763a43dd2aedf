/// A thing that is told about a pet.
public struct PetField: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The word for it.
  public var rawValue: String
  /// Makes a field from its word.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The word for it.
  public var description: String { rawValue }

  /// The name.
  public static var name: PetField { PetField(rawValue: "name") }
  /// The breed.
  public static var breed: PetField { PetField(rawValue: "breed") }
  /// The gender.
  public static var gender: PetField { PetField(rawValue: "gender") }
  /// The day of birth.
  public static var birth: PetField { PetField(rawValue: "birth") }
  /// The weight.
  public static var weight: PetField { PetField(rawValue: "weight") }
  /// The portrait.
  public static var photo: PetField { PetField(rawValue: "photo") }

  /// The six that the old app asks for, in its order.
  public static var all: [PetField] { [.name, .breed, .gender, .photo, .birth, .weight] }
}
