/// A place where a document isn't well-formed.
public struct XMLFault: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The number of the line, starting with 1.
  public var line: Int
  /// The column in characters, starting with 1.
  public var column: Int
  /// A description of the problem.
  public var message: String
  /// A Boolean value that indicates whether the only problem is that the document ends too early.
  public var isCut: Bool
  /// A Boolean value that indicates whether nothing was lost, because the intended meaning is
  /// evident.
  ///
  /// For example, an ampersand that isn't escaped as `&amp;` is read as an ampersand.
  public var isRepaired: Bool

  /// Creates a fault.
  public init(
    line: Int, column: Int, message: String, isCut: Bool = false, isRepaired: Bool = false
  ) {
    self.line = line
    self.column = column
    self.message = message
    self.isCut = isCut
    self.isRepaired = isRepaired
  }

  /// The place and the message, on one line.
  public var description: String { "line \(line), column \(column): \(message)" }
}

extension [XMLFault] {
  /// The most important fault: the first that lost something, or else the first.
  var worst: XMLFault? { first { !$0.isRepaired } ?? first }
}
