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
