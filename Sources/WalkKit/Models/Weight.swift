internal import FieldCore

/// How heavy a pet is, with its unit in its type.
public struct Weight: Hashable, Sendable {
  /// The weight in kilograms.
  public var kilograms: Double

  /// Makes a weight of kilograms, whatever number that is; ``PetRules/weights`` says what a pet weighs.
  public init(kilograms: Double) { self.kilograms = kilograms }

  /// A weight of kilograms.
  public static func kilograms(_ kilograms: Double) -> Weight { Weight(kilograms: kilograms) }

  /// Reads what a person or an old document writes: `33`, `4.5`, `10 kg`, with `.` as the decimal point
  /// or a single `,` in its place, and blanks around it.
  ///
  /// - Throws: `FieldError` with the code `invalidInput` when the text is no number, or one that is not
  ///   above zero: `abc`, `0`, `-3`, `nan`, `1,234.5`.
  public init(_ text: String) throws {
    var word = text.filter { !$0.isWhitespace }.lowercased()
    if word.hasSuffix("kg") { word.removeLast(2) }
    if word.hasSuffix("㎏") { word.removeLast() }
    if !word.contains("."), word.filter({ $0 == "," }).count == 1 {
      word = String(word.map { $0 == "," ? "." : $0 })
    }
    // Digits and one point alone: `Double` also reads `inf`, `0x1p4` and `1e3`.
    let isPlain = word.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
    guard isPlain, let number = Double(word), number.isFinite, number > 0 else {
      throw FieldError(
        .invalidInput, "a weight is a number of kilograms above zero, not \"\(text.prefix(40))\"")
    }
    self.init(kilograms: number)
  }
}

extension Weight: Comparable {
  /// Whether the left weight is less.
  public static func < (left: Weight, right: Weight) -> Bool { left.kilograms < right.kilograms }
}

extension Weight: CustomStringConvertible {
  /// The kilograms to one digit, such as `10.5 kg`.
  public var description: String {
    "\(NumberStyle.plain.string(kilograms, fractionDigits: 1)) kg"
  }
}

extension Weight: Codable {
  /// Reads a weight from a single number, its kilograms.
  public init(from decoder: any Decoder) throws {
    kilograms = try decoder.singleValueContainer().decode(Double.self)
  }

  /// Writes the weight as a single number, its kilograms.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(kilograms)
  }
}
