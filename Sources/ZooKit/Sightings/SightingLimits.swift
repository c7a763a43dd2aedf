public import FieldCore
internal import FieldFoundation

/// The limits of a sighting's name and photo.
public struct SightingLimits: Sendable, Hashable, Codable {
  /// The maximum length of a name in Unicode scalars, after trimming.
  ///
  /// Defaults to 200.
  public var nameLength: Int
  /// The maximum size of a photo, in bytes.
  ///
  /// Defaults to 32 MiB.
  ///
  /// The old app stored photos at full size.
  public var photoBytes: Int
  /// The accepted photo formats, detected from the bytes.
  ///
  /// By default, these are all picture formats except SVG, which no camera produces.
  public var photoFormats: Set<AssetFormat>

  /// Creates limits.
  public init(
    nameLength: Int = 200, photoBytes: Int = 32 << 20,
    photoFormats: Set<AssetFormat> = AssetFormat.images.subtracting([.svg])
  ) {
    self.nameLength = nameLength
    self.photoBytes = photoBytes
    self.photoFormats = photoFormats
  }

  /// Validates a sighting, and reports all of its problems at once.
  ///
  /// - Parameters:
  ///   - needsBoth: Pass `true` to report a missing name or photo.
  func check(name: String?, photo: Data?, needsBoth: Bool) throws(FieldError) -> CheckedSighting {
    let checked = checked(name: name, photo: photo, needsBoth: needsBoth)
    guard checked.faults.isEmpty else {
      throw FieldError(
        .sightingRefused, "The sighting wasn't saved.", problems: checked.faults.map(\.message),
        underlying: SightingRefusal(problems: checked.problems))
    }
    return checked
  }

  /// Validates a sighting without throwing its problems.
  func checked(name: String?, photo: Data?, needsBoth: Bool = false) -> CheckedSighting {
    var checked = CheckedSighting()
    if needsBoth || name != nil {
      let trimmed = Self.trimmed(name ?? "")
      if Self.isBlank(trimmed) {
        checked.faults.append((.nameMissing, "the name is missing or blank"))
      } else if trimmed.unicodeScalars.count > nameLength {
        let count = trimmed.unicodeScalars.count
        checked.faults.append(
          (.nameTooLong, "the name has \(count) characters, but only \(nameLength) are allowed"))
      } else {
        checked.name = trimmed
      }
    }
    if needsBoth || photo != nil {
      let photo = photo ?? Data()
      let format = AssetFormat(sniffing: photo)
      if photo.isEmpty {
        checked.faults.append((.photoMissing, "the photo is missing"))
      } else if photo.count > photoBytes {
        checked.faults.append(
          (.photoTooLarge, "the photo has \(photo.count) bytes, but \(photoBytes) is the limit"))
      } else if let format, photoFormats.contains(format) {
        checked.photo = ([UInt8](photo), format)
      } else {
        let found = format.map { "it is \($0)" } ?? "it isn't a picture"
        checked.faults.append((.photoFormat, "the photo can't be used: \(found)"))
      }
    }
    return checked
  }

  /// Returns the name without surrounding spaces of any width, including zero.
  static func trimmed(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(scalars[first...last])
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isWhitespace { return true }
    switch scalar.value {
    // A byte-order mark, zero-width characters that Unicode doesn't classify as white space, and
    // blank placeholders for a Hangul letter or a Braille cell.
    case 0xFEFF, 0x200B, 0x2060, 0x180E, 0x00AD, 0x2800, 0x3164, 0x115F, 0x1160, 0xFFA0: return true
    default: return scalar.properties.generalCategory == .control
    }
  }

  /// Whether the name has no visible characters.
  private static func isBlank(_ name: String) -> Bool {
    name.unicodeScalars.allSatisfy { isSpace($0) || $0.properties.generalCategory == .format }
  }
}

/// A user's input after validation.
struct CheckedSighting: Sendable {
  var name: String?
  var photo: (bytes: [UInt8], format: AssetFormat)?
  var faults: [(problem: SightingProblem, message: String)] = []

  var problems: [SightingProblem] { faults.map(\.problem) }
}
