public import FieldCore

/// The reasons why a sighting was rejected: the underlying error of a `FieldError` with the code
/// `zoo.sightingRefused`.
///
/// All problems are reported at once:
///
/// ```swift
/// do {
///   try await zoo.addSighting(name: field.text, photo: photo)
/// } catch let error as FieldError where error.code == .sightingRefused {
///   if error.sightingProblems.contains(.photoMissing) { askForPhoto() }
/// }
/// ```
public struct SightingRefusal: Error, Sendable, Hashable, Codable {
  /// The problems, with the name's problems first.
  public var problems: [SightingProblem]

  /// Creates an error with problems.
  public init(problems: [SightingProblem]) { self.problems = problems }
}

extension FieldError {
  /// The reasons why a sighting was rejected, or an empty array for any other error.
  public var sightingProblems: [SightingProblem] {
    (underlying as? SightingRefusal)?.problems ?? []
  }
}
