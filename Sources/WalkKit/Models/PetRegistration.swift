public import FieldCore
public import FieldFoundation

/// What an owner enters about a new pet.
///
/// ```swift
/// let form = PetRegistration(name: "mesh", breed: .welshCorgi, gender: .male,
///   birth: try CalendarDay("2020-01-01"), weight: .kilograms(10), photo: jpeg)
/// let pet = try await diary.register(form)
/// ```
///
/// It is checked as a whole, by ``PetRules``, so that a person sees all that is wrong at once. Texts of
/// a form that may be unreadable go through the initialiser that takes texts.
public struct PetRegistration: Hashable, Sendable, Codable {
  /// The name, with blanks around it or without.
  public var name: String
  /// The breed; nil when none is chosen.
  public var breed: Breed?
  /// The gender; nil when none is chosen.
  public var gender: Gender?
  /// The day of birth; nil when it is not known.
  public var birth: CalendarDay?
  /// The weight; nil when it is not known.
  public var weight: Weight?
  /// The bytes of a portrait; nil when there is none.
  public var photo: Data?
  /// What could not be read of the texts of a form.
  public private(set) var unreadable: [PetProblem] = []

  /// Makes a registration.
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

  /// Makes a registration from the texts of a form: what cannot be read is a problem of the whole, and
  /// told with the others.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - breed: The breed; nil when none is chosen.
  ///   - gender: The gender; nil when none is chosen.
  ///   - birth: `yyyy-MM-dd`; blank when it is not known.
  ///   - weight: Kilograms, as ``Weight/init(_:)`` reads them; blank when it is not known.
  ///   - photo: The bytes of a portrait; nil when there is none.
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
        unreadable.append(
          PetProblem(field, (error as? FieldError)?.message ?? "\(error)"))
        return nil
      }
    }
    self.birth = read(birth, .birth) { try CalendarDay($0) }
    self.weight = read(weight, .weight) { try Weight($0) }
  }
}
