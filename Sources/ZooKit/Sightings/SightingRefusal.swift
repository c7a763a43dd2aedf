public import FieldCore

/// Why a sighting was refused: the underlying error of a `FieldError` with the code
/// `zoo.sightingRefused`.
///
/// All that is wrong is told at once:
///
/// ```swift
/// do {
///   try await zoo.addSighting(name: field.text, photo: photo)
/// } catch let error as FieldError where error.code == .sightingRefused {
///   if error.sightingProblems.contains(.photoMissing) { askForPhoto() }
/// }
/// ```
public struct SightingRefusal: Error, Sendable, Hashable, Codable {
  /// What is wrong, the name's problems first.
  public var problems: [SightingProblem]

  /// Makes a refusal.
  public init(problems: [SightingProblem]) { self.problems = problems }
}

extension FieldError {
  /// Why a sighting was refused; empty for every other error.
  public var sightingProblems: [SightingProblem] {
    (underlying as? SightingRefusal)?.problems ?? []
  }
}
