public import FieldCore
internal import FieldFoundation

/// How large a sighting may be, and what its photo may be.
public struct SightingLimits: Sendable, Hashable, Codable {
  /// How many Unicode scalars a name may have, without the space around it; 200 by default.
  public var nameLength: Int
  /// How many bytes a photo may have; 32 MiB by default. The old app kept photos at full size.
  public var photoBytes: Int
  /// What a photo may be, told by its bytes; all pictures but SVG, which no camera makes.
  public var photoFormats: Set<AssetFormat>

  /// Makes limits.
  public init(
    nameLength: Int = 200, photoBytes: Int = 32 << 20,
    photoFormats: Set<AssetFormat> = AssetFormat.images.subtracting([.svg])
  ) {
    self.nameLength = nameLength
    self.photoBytes = photoBytes
    self.photoFormats = photoFormats
  }
}

/// What a user gave, checked.
struct CheckedSighting: Sendable {
  var name: String?
  var photo: (bytes: [UInt8], format: AssetFormat)?
}

extension SightingLimits {
  /// Checks what is to be stored, and tells all that is wrong with it at once.
  ///
  /// - Parameters:
  ///   - name: The name; nil is a problem only when the name is `needed`, as is a photo's.
  func check(
    name: String?, photo: Data?, needsBoth: Bool, operation: String
  ) throws(FieldError) -> CheckedSighting {
    var checked = CheckedSighting()
    var faults: [(SightingProblem, String)] = []
    if needsBoth || name != nil {
      let trimmed = Self.trimmed(name ?? "")
      if Self.isBlank(trimmed) {
        faults.append((.nameMissing, "the name is missing or blank"))
      } else if trimmed.unicodeScalars.count > nameLength {
        let count = trimmed.unicodeScalars.count
        faults.append(
          (.nameTooLong, "the name has \(count) characters, and may have \(nameLength)"))
      } else {
        checked.name = trimmed
      }
    }
    if needsBoth || photo != nil {
      let photo = photo ?? Data()
      let format = AssetFormat(sniffing: photo)
      if photo.isEmpty {
        faults.append((.photoMissing, "the photo is missing"))
      } else if photo.count > photoBytes {
        faults.append(
          (.photoTooLarge, "the photo has \(photo.count) bytes, and may have \(photoBytes)"))
      } else if let format, photoFormats.contains(format) {
        checked.photo = ([UInt8](photo), format)
      } else {
        let found = format.map { "they are \($0)" } ?? "they are those of no picture"
        faults.append((.photoFormat, "the bytes of the photo cannot be used: \(found)"))
      }
    }
    guard faults.isEmpty else {
      throw FieldError(
        .sightingRefused, "The sighting wasn't saved.",
        problems: faults.map(\.1), operation: operation,
        underlying: SightingRefusal(problems: faults.map(\.0)))
    }
    return checked
  }

  /// The name without the space around it, that of every width and that of no width included.
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
    // A byte-order mark and the signs of no width, which are no white space to Unicode, and what
    // stands for a Hangul letter or a Braille cell that is not there.
    case 0xFEFF, 0x200B, 0x2060, 0x180E, 0x00AD, 0x2800, 0x3164, 0x115F, 0x1160, 0xFFA0: return true
    default: return scalar.properties.generalCategory == .control
    }
  }

  /// Whether nothing of the name can be seen.
  private static func isBlank(_ name: String) -> Bool {
    name.unicodeScalars.allSatisfy { isSpace($0) || $0.properties.generalCategory == .format }
  }
}
