public import FieldCore

/// What has to be known about a pet, and within which bounds.
///
/// By default all six fields of the old app are required, the photo as well. An app that asks for less
/// says so:
///
/// ```swift
/// let diary = WalkDiary(
///   storage: storage, transport: transport, rules: PetRules(required: [.name, .breed]))
/// ```
public struct PetRules: Hashable, Sendable, Codable {
  /// What must not be missing; the name never may.
  public var required: Set<PetField>
  /// How many characters a name has, without the blanks around it.
  public var nameLength: ClosedRange<Int>
  /// How old a pet may be, in years; the oldest dog on record was 29 or 31.
  public var oldestAge: Int
  /// What a pet weighs: from a young Chihuahua to the heaviest dog on record.
  public var weights: ClosedRange<Double>
  /// How many bytes a portrait may have.
  public var largestPhoto: Int

  /// Makes rules.
  ///
  /// - Parameters:
  ///   - required: What must not be missing; by default all of ``PetField/all``.
  ///   - nameLength: 1 to 50 characters.
  ///   - oldestAge: 35 years.
  ///   - weights: 0.1 to 155 kilograms.
  ///   - largestPhoto: 20 megabytes.
  public init(
    required: Set<PetField> = Set(PetField.all), nameLength: ClosedRange<Int> = 1...50,
    oldestAge: Int = 35, weights: ClosedRange<Double> = 0.1...155, largestPhoto: Int = 20_000_000
  ) {
    self.required = required
    self.nameLength = nameLength
    self.oldestAge = oldestAge
    self.weights = weights
    self.largestPhoto = largestPhoto
  }

  /// All that is wrong with a registration, in the order of the form; empty when nothing is.
  ///
  /// - Parameters:
  ///   - registration: What the owner has filled in.
  ///   - today: The day that it is, where the owner is: nobody is born later.
  public func problems(of registration: PetRegistration, today: CalendarDay) -> [PetProblem] {
    var problems = registration.unreadable
    let unreadable = Set(problems.map(\.field))
    func require(_ field: PetField, _ isThere: Bool) {
      if required.contains(field), !isThere, !unreadable.contains(field) {
        problems.append(PetProblem(field, "is missing"))
      }
    }
    problems += nameProblems(registration.name)
    let breed = registration.breed
    require(.breed, breed.map { !$0.rawValue.isEmpty } ?? false)
    require(.gender, registration.gender.map { !$0.rawValue.isEmpty } ?? false)
    require(.photo, registration.photo != nil)
    require(.birth, registration.birth != nil)
    require(.weight, registration.weight != nil)
    problems += boundProblems(
      breed: breed, birth: registration.birth, weight: registration.weight,
      photoBytes: registration.photo?.count, today: today)
    let order = PetField.all
    return problems.enumerated().sorted {
      let left = order.firstIndex(of: $0.element.field) ?? order.count
      let right = order.firstIndex(of: $1.element.field) ?? order.count
      return (left, $0.offset) < (right, $1.offset)
    }.map(\.element)
  }

  /// What is wrong with a change of single fields; what it leaves as it is, is not looked at.
  public func problems(of changes: PetChanges, today: CalendarDay) -> [PetProblem] {
    var problems = changes.name.map(nameProblems) ?? []
    if changes.breed?.rawValue.isEmpty == true { problems.append(PetProblem(.breed, "is missing")) }
    problems += boundProblems(
      breed: changes.breed, birth: changes.birth, weight: changes.weight,
      photoBytes: changes.photo?.count, today: today)
    for field in PetField.all where changes.cleared.contains(field) {
      if field == .name || field == .breed || required.contains(field) {
        problems.append(PetProblem(field, "is required and cannot be taken away"))
      }
    }
    return problems
  }

  private func nameProblems(_ name: String) -> [PetProblem] {
    let name = Self.trimmed(name)
    // Joiners and fillers alone are a name that nobody can see.
    guard !Pet.nameKey(of: name).isEmpty else { return [PetProblem(.name, "is missing")] }
    var problems: [PetProblem] = []
    if !nameLength.contains(name.count) {
      problems.append(
        PetProblem(
          .name,
          "has \(nameLength.lowerBound) to \(nameLength.upperBound) characters, not \(name.count)"))
    }
    // A single character can hold thousands of marks.
    if name.utf8.count > 4_000 {
      problems.append(PetProblem(.name, "has too many marks on its letters"))
    }
    if name.unicodeScalars.contains(where: Self.isControl) {
      problems.append(PetProblem(.name, "has control characters or line breaks in it"))
    }
    return problems
  }

  private func boundProblems(
    breed: Breed?, birth: CalendarDay?, weight: Weight?, photoBytes: Int?, today: CalendarDay
  ) -> [PetProblem] {
    var problems: [PetProblem] = []
    if let breed, breed.rawValue.count > 100 {
      problems.append(PetProblem(.breed, "has more than 100 characters"))
    }
    if let birth {
      if birth > today {
        problems.append(PetProblem(.birth, "\(birth) is in the future"))
      } else if birth < Self.years(oldestAge, before: today) {
        problems.append(PetProblem(.birth, "\(birth) is more than \(oldestAge) years ago"))
      }
    }
    // A number that is none is in no range.
    if let weight, !weights.contains(weight.kilograms) {
      problems.append(
        PetProblem(
          .weight,
          "is \(weights.lowerBound) to \(weights.upperBound) kg, not \(weight.kilograms)"))
    }
    if let photoBytes, photoBytes == 0 {
      problems.append(PetProblem(.photo, "is empty"))
    } else if let photoBytes, photoBytes > largestPhoto {
      problems.append(
        PetProblem(.photo, "has \(photoBytes) bytes, more than \(largestPhoto)"))
    }
    return problems
  }

  /// The text without blanks and line breaks around it.
  static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// The same day so many years ago; 29 February is taken for 1 March.
  private static func years(_ count: Int, before day: CalendarDay) -> CalendarDay {
    let year = max(day.year - max(count, 0), 0)
    if let same = CalendarDay(validYear: year, month: day.month, day: day.day) { return same }
    return CalendarDay(validYear: year, month: 3, day: 1) ?? .first
  }
}
