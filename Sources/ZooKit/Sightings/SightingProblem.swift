/// Something that is wrong with a sighting: with one that shall be added or edited, or with one that
/// is stored.
public struct SightingProblem: RawRepresentable, Sendable, Hashable, Codable,
  CustomStringConvertible
{
  /// The name of the problem.
  public var rawValue: String
  /// Makes a problem from its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The name of the problem.
  public var description: String { rawValue }

  // MARK: what is refused

  /// There is no name, or nothing but space and signs that cannot be seen.
  public static var nameMissing: Self { Self(rawValue: "nameMissing") }
  /// The name is longer than ``SightingLimits/nameLength``.
  public static var nameTooLong: Self { Self(rawValue: "nameTooLong") }
  /// There is no photo, or one of no bytes.
  public static var photoMissing: Self { Self(rawValue: "photoMissing") }
  /// The photo has more bytes than ``SightingLimits/photoBytes``.
  public static var photoTooLarge: Self { Self(rawValue: "photoTooLarge") }
  /// The bytes of the photo are those of no picture, or of a format that is not wanted.
  public static var photoFormat: Self { Self(rawValue: "photoFormat") }

  // MARK: what is found in what is stored

  /// The file of the photo is not there any more.
  public static var photoLost: Self { Self(rawValue: "photoLost") }
  /// The bytes of the photo are not those that were stored.
  public static var photoDamaged: Self { Self(rawValue: "photoDamaged") }
  /// The file of the photo cannot be looked at just now.
  public static var photoUnreadable: Self { Self(rawValue: "photoUnreadable") }
  /// The record cannot be read; its number and its id are all that is left of it.
  public static var recordDamaged: Self { Self(rawValue: "recordDamaged") }
}
