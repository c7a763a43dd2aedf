/// A row that could not be used; the others of its file are there.
public struct RowFailure: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The position of the row in its file, from 0, the header not counted.
  public var index: Int
  /// The row's key, when it could be read.
  public var key: String?
  /// The beginning of the row as it stood in the file, at most 200 characters.
  public var excerpt: String
  /// Why the row could not be used, without control characters.
  public var reason: String

  /// Makes a failure.
  public init(index: Int, key: String? = nil, excerpt: String = "", reason: String) {
    self.index = index
    self.key = key
    self.excerpt = excerpt
    self.reason = reason.printable
  }

  /// The position, the key and the reason, on one line and without control characters.
  public var description: String {
    "row \(index)\(key.map { " (\($0))" } ?? ""): \(reason)".printable
  }
}
