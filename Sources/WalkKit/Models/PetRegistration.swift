public import FieldCore
public import FieldFoundation

/// The values that an owner enters about a new pet.
///
/// ```swift
/// let form = PetRegistration(name: "mesh", breed: .welshCorgi, gender: .male,
///   birth: try CalendarDay("2020-01-01"), weight: .kilograms(10), photo: jpeg)
/// let pet = try await diary.register(form)
/// ```
///
/// ``PetRules`` checks a registration as a whole, so that the owner sees all problems at once. If a
/// form's texts may not be parsable, pass them to the initializer that takes strings.
public struct PetRegistration: Hashable, Sendable, Codable {
  /// The name, which may have blanks around it.
  public var name: String
  /// The breed; `nil` if none is selected.
  public var breed: Breed?
  /// The gender; `nil` if none is selected.
  public var gender: Gender?
  /// The day of birth, if known.
  public var birth: CalendarDay?
  /// The weight, if known.
  public var weight: Weight?
  /// The bytes of a portrait, if there is one.
  public var photo: Data?
  /// The problems with texts of a form that couldn't be parsed.
  public private(set) var unreadable: [PetProblem] = []

  /// Creates a registration.
  public init(
    name: String, breed: Breed? = nil, gender: Gender? = nil, birth: CalendarDay? = nil,
    weight: Weight? = nil, photo: Data? = nil
  ) {
    self.name = name
    self.breed = breed
    self.gender = gender
    self.birth = birth
    self.weight = weight
    self.photo = photo
  }

  /// Creates a registration from the texts of a form.
  ///
  /// Texts that can't be parsed are reported together with the other problems.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - breed: The breed; `nil` if none is selected.
  ///   - gender: The gender; `nil` if none is selected.
  ///   - birth: The day of birth as `yyyy-MM-dd`; blank if it isn't known.
  ///   - weight: The weight in kilograms, in the form that ``Weight/init(_:)`` accepts; blank if it
  ///     isn't known.
  ///   - photo: The bytes of a portrait. Defaults to `nil`.
  public init(
    name: String, breed: Breed?, gender: Gender?, birth: String, weight: String, photo: Data? = nil
  ) {
    self.init(name: name, breed: breed, gender: gender, photo: photo)
    func read<Value>(_ text: String, _ field: PetField, _ make: (String) throws -> Value) -> Value?
    {
      let text = PetRules.trimmed(text)
      guard !text.isEmpty else { return nil }
      do {
        return try make(text)
      } catch {
        unreadable.append(PetProblem(field, (error as? FieldError)?.message ?? "\(error)"))
        return nil
      }
    }
    self.birth = read(birth, .birth) { try CalendarDay($0) }
    self.weight = read(weight, .weight) { try Weight($0) }
  }
}
