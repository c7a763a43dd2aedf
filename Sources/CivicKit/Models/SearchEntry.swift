internal import FieldCore

/// What a person has searched for once.
///
/// Source: the table `searchCache`, which is local to the app and never synchronised.
public struct SearchEntry: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The words, without space around them.
  public var text: String

  /// Makes an entry.
  public init(_ text: String) { self.text = text }

  /// The words: an entry is in the history once.
  public var id: String { text }

  /// The words.
  public var description: String { text }
}
