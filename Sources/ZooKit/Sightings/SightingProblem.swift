public import FieldCore

/// A problem with a new, edited, or stored sighting.
public struct SightingProblem: RawRepresentable, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The name of the problem.
  public var rawValue: String
  /// Creates a problem with a name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name of the problem.
  public var description: String { rawValue }

  // MARK: Problems with input

  /// The name is missing, or contains only spaces and invisible characters.
  public static var nameMissing: Self { Self(rawValue: "nameMissing") }
  /// The name is longer than ``SightingLimits/nameLength``.
  public static var nameTooLong: Self { Self(rawValue: "nameTooLong") }
  /// The photo is missing or empty.
  public static var photoMissing: Self { Self(rawValue: "photoMissing") }
  /// The photo is larger than ``SightingLimits/photoBytes``.
  public static var photoTooLarge: Self { Self(rawValue: "photoTooLarge") }
  /// The photo isn't a picture, or isn't in an accepted format.
  public static var photoFormat: Self { Self(rawValue: "photoFormat") }

  // MARK: Problems with stored sightings

  /// The file of the photo no longer exists.
  public static var photoLost: Self { Self(rawValue: "photoLost") }
  /// The bytes of the photo differ from those that were stored.
  public static var photoDamaged: Self { Self(rawValue: "photoDamaged") }
  /// The file of the photo can't currently be accessed.
  public static var photoUnreadable: Self { Self(rawValue: "photoUnreadable") }
  /// The record can't be read; only its number and its ID are left.
  public static var recordDamaged: Self { Self(rawValue: "recordDamaged") }
}

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
