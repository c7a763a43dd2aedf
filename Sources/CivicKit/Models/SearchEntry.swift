internal import FieldCore

/// An entry of the user's search history.
///
/// Source: the table `searchCache`, which is local to the app and never synchronized.
public struct SearchEntry: Identifiable, Sendable, Hashable, Codable, CustomStringConvertible {
  /// The words, without spaces around them.
  public var text: String

  /// Creates an entry.
  public init(_ text: String) { self.text = text }

  /// The words, which occur only once in the history.
  public var id: String { text }

  /// The words.
  public var description: String { text }
}
