internal import FieldCore

/// Whether an animal lives in Taiwan alone.
public enum Endemism: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole species does (特有種).
  case species
  /// The subspecies does (特有亞種).
  case subspecies

  /// Reads it from a text as the zoo writes it; nil when it says nothing of that.
  public init?(reading text: String) {
    let folded = TextFolding.fold(text)
    if ZooWords.contains(folded, "特有亞種") {
      self = .subspecies
    } else if ZooWords.contains(folded, "特有種") {
      self = .species
    } else {
      return nil
    }
  }
}
