/// The gender of a pet: male, female, or any other word that a source uses.
///
/// The old app stores `M` and `W`. `F`, `male`, `female`, `boy`, `girl`, 수컷, 암컷, 남, 여, and similar
/// words are also recognized, ignoring case. Other texts are kept as they are.
public struct Gender: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The old app's letter, `M` or `W`, or the original text.
  public let rawValue: String

  /// Creates a gender from a word for it.
  public init(rawValue: String) {
    let text = rawValue.filter { !$0.isWhitespace }
    switch text.lowercased() {
    case "m", "male", "boy", "man", "수컷", "수", "남", "남아", "公": self.rawValue = "M"
    case "w", "f", "female", "girl", "woman", "암컷", "암", "여", "여아", "母": self.rawValue = "W"
    default: self.rawValue = rawValue
    }
  }

  /// Male, `M`.
  public static var male: Gender { Gender(rawValue: "M") }
  /// Female, `W` in the old data.
  public static var female: Gender { Gender(rawValue: "W") }

  /// The old app's letter, or the original text.
  public var description: String { rawValue }
}
