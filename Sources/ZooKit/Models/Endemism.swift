internal import FieldCore

/// The kind of endemism of an animal that lives only in Taiwan.
public enum Endemism: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole species is endemic (特有種).
  case species
  /// The subspecies is endemic (特有亞種).
  case subspecies

  /// Creates a value by reading the zoo's text; returns `nil` if the text names none.
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
