/// A row that couldn't be used, unlike the others of its file.
public struct RowFailure: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The position of the row in its file, from 0, not counting the header.
  public var index: Int
  /// The row's key; `nil` if it couldn't be read.
  public var key: String?
  /// The beginning of the original row, at most 200 characters.
  public var excerpt: String
  /// The reason why the row couldn't be used, without control characters.
  public var reason: String

  /// Creates a failure.
  public init(index: Int, key: String? = nil, excerpt: String = "", reason: String) {
    self.index = index
    self.key = key
    self.excerpt = excerpt
    self.reason = reason.printable
  }

  /// The key if it identifies a record, which one that is readable only in part doesn't.
  package var wholeKey: String? { key.flatMap { $0.contains("\u{FFFD}") ? nil : $0 } }

  /// Returns the failure for a row that so many others of the same source precede.
  package func shifted(by rows: Int) -> RowFailure {
    var failure = self
    failure.index += rows
    return failure
  }

  /// The position, the key, and the reason, on one line and without control characters.
  public var description: String {
    "row \(index)\(key.map { " (\($0))" } ?? ""): \(reason)".printable
  }
}
