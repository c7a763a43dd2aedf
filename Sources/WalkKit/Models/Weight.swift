internal import FieldCore

/// The weight of a pet.
public struct Weight: Hashable, Sendable, Comparable, CustomStringConvertible, Codable {
  /// The weight in kilograms.
  public var kilograms: Double

  /// Creates a weight from any number of kilograms; see ``PetRules/weights`` for the permitted
  /// ones.
  public init(kilograms: Double) { self.kilograms = kilograms }

  /// Returns a weight in kilograms.
  public static func kilograms(_ kilograms: Double) -> Weight { Weight(kilograms: kilograms) }

  /// Creates a weight from a text that a person or an old document contains, such as `33`, `4.5`,
  /// or `10 kg`.
  ///
  /// The decimal separator is `.`, or a single `,` in its place. Blanks are ignored.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the text isn't a number greater than
  ///   zero: `abc`, `0`, `-3`, `nan`, `1,234.5`.
  public init(_ text: String) throws {
    // Swift compares long runs of combining marks in a time that grows with the square of their number.
    let text = text.streamSafe
    var word = text.filter { !$0.isWhitespace }.lowercased()
    if word.hasSuffix("kg") { word.removeLast(2) }
    if word.hasSuffix("㎏") { word.removeLast() }
    if !word.contains("."), word.filter({ $0 == "," }).count == 1 {
      word = String(word.map { $0 == "," ? "." : $0 })
    }
    // Accept only digits and one point: `Double` also parses `inf`, `0x1p4`, and `1e3`.
    let isPlain = word.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
    }
    guard isPlain, let number = Double(word), number.isFinite, number > 0 else {
      throw FieldError(
        .invalidInput,
        "\"\(text.prefix(40))\" isn't a weight. Enter kilograms as a number above zero.")
    }
    self.init(kilograms: number)
  }

  /// Returns whether the left weight is less than the right one.
  public static func < (left: Weight, right: Weight) -> Bool { left.kilograms < right.kilograms }

  /// The weight in kilograms, to one decimal place at most, such as `10.5 kg`.
  public var description: String { "\(NumberStyle.plain.string(kilograms, fractionDigits: 1)) kg" }

  /// Creates a weight from a single number of kilograms.
  public init(from decoder: any Decoder) throws {
    kilograms = try decoder.singleValueContainer().decode(Double.self)
  }

  /// Writes the weight as a single number of kilograms.
  public func encode(to encoder: any Encoder) throws { try kilograms.encode(to: encoder) }
}
