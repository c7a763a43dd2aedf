internal import FieldCore

/// The kind of endemism of an animal that lives only in Taiwan.
public enum Endemism: String, Sendable, Hashable, Codable, CaseIterable {
  /// The whole species is endemic (特有種).
  case species
  /// The subspecies is endemic (特有亞種).
  case subspecies

  /// Creates a value by reading the zoo's text; returns `nil` if the text names none.
  public init?(reading text: String) {
    let names: KeyValuePairs = ["特有亞種": Self.subspecies, "特有種": .species]
    guard let found = ZooWords.first(of: names, in: TextFolding.fold(text)) else { return nil }
    self = found
  }
}
