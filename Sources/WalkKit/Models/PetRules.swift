public import FieldCore

/// The required fields of a pet and the bounds of their values.
///
/// By default, all six fields of the old app are required, including the photo. If your app needs
/// fewer, pass them:
///
/// ```swift
/// let diary = WalkDiary(
///   storage: storage, transport: transport, rules: PetRules(required: [.name, .breed]))
/// ```
public struct PetRules: Hashable, Sendable, Codable {
  /// The required fields, in addition to the name, which is always required.
  public var required: Set<PetField>
  /// The permitted number of characters in a name, without the blanks around it.
  public var nameLength: ClosedRange<Int>
  /// The maximum age of a pet, in years; the oldest dog on record was 29 or 31.
  public var oldestAge: Int
  /// The permitted weights in kilograms: from a young Chihuahua to the heaviest dog on record.
  public var weights: ClosedRange<Double>
  /// The largest portrait to accept, in bytes.
  public var largestPhoto: Int

  /// Creates rules.
  ///
  /// - Parameters:
  ///   - required: The required fields. Defaults to all of ``PetField/all``. A name is always
  ///     required.
  ///   - nameLength: The permitted number of characters in a name. Defaults to 1 through 50.
  ///   - oldestAge: The maximum age, in years. Defaults to 35.
  ///   - weights: The permitted weights, in kilograms. Defaults to 0.1 through 155.
  ///   - largestPhoto: The largest portrait to accept, in bytes. Defaults to 20 megabytes.
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

  /// Returns the problems with a registration, in the order of the form; empty if there are none.
  ///
  /// - Parameters:
  ///   - registration: The values that the owner has entered.
  ///   - today: The current day where the owner is; a day of birth can't be later.
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
    return PetField.all.flatMap { field in problems.filter { $0.field == field } }
      + problems.filter { !PetField.all.contains($0.field) }
  }

  /// Returns the problems with a change of individual fields; unchanged fields aren't checked.
  public func problems(of changes: PetChanges, today: CalendarDay) -> [PetProblem] {
    var problems = changes.name.map(nameProblems) ?? []
    if changes.breed?.rawValue.isEmpty == true { problems.append(PetProblem(.breed, "is missing")) }
    problems += boundProblems(
      breed: changes.breed, birth: changes.birth, weight: changes.weight,
      photoBytes: changes.photo?.count, today: today)
    for field in changes.emptied {
      if field == .name || field == .breed || required.contains(field) {
        problems.append(PetProblem(field, "is required and can't be cleared"))
      }
    }
    return problems
  }

  private func nameProblems(_ name: String) -> [PetProblem] {
    let name = Self.trimmed(name)
    // A name that consists only of joiners and fillers is invisible.
    guard !Pet.nameKey(of: name).isEmpty else { return [PetProblem(.name, "is missing")] }
    var problems: [PetProblem] = []
    if !nameLength.contains(name.count) {
      problems.append(
        PetProblem(
          .name,
          "needs \(nameLength.lowerBound) to \(nameLength.upperBound) characters, not "
            + "\(name.count)"))
    }
    // A single character can contain thousands of combining marks.
    if name.utf8.count > 4_000 {
      problems.append(PetProblem(.name, "has too many combining marks"))
    }
    if name.unicodeScalars.contains(where: Self.isControl) {
      problems.append(PetProblem(.name, "contains control characters or line breaks"))
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
    // NaN isn't in any range.
    if let weight, !weights.contains(weight.kilograms) {
      problems.append(
        PetProblem(
          .weight,
          "must be \(weights.lowerBound) to \(weights.upperBound) kg, not \(weight.kilograms)"))
    }
    if let photoBytes, photoBytes == 0 {
      problems.append(PetProblem(.photo, "is empty"))
    } else if let photoBytes, photoBytes > largestPhoto {
      problems.append(PetProblem(.photo, "has \(photoBytes) bytes, more than \(largestPhoto)"))
    }
    return problems
  }

  /// Returns the text without blanks and line breaks around it.
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

  /// Returns the same day a number of years ago, with February 29 replaced by March 1.
  private static func years(_ count: Int, before day: CalendarDay) -> CalendarDay {
    let year = max(day.year - max(count, 0), 0)
    if let same = CalendarDay(validYear: year, month: day.month, day: day.day) { return same }
    return CalendarDay(validYear: year, month: 3, day: 1) ?? .first
  }
}
