/// Something that is wrong with what was entered about a pet.
public struct PetProblem: Hashable, Sendable, CustomStringConvertible, Codable {
  /// The field, to mark it in a form.
  public var field: PetField
  /// What is wrong with it, in English.
  public var message: String

  /// Makes a problem.
  public init(_ field: PetField, _ message: String) {
    self.field = field
    self.message = message
  }

  /// The field and what is wrong with it, on one line: what `FieldError.problems` holds.
  public var description: String { "\(field): \(message)" }
}

extension PetProblem: Identifiable {
  /// The problem itself.
  public var id: PetProblem { self }
}
