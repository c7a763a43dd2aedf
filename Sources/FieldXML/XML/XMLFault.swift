/// A place where a document is not well-formed, and how.
public struct XMLFault: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The line, from 1.
  public var line: Int
  /// The column, from 1, in characters.
  public var column: Int
  /// What is wrong there.
  public var message: String
  /// Whether the document ends too early, and nothing else is wrong with it.
  public var isCut: Bool
  /// A Boolean value that indicates whether nothing was lost, because what was meant is evident.
  ///
  /// An ampersand that is not written as `&amp;`, for example, was read as an ampersand.
  public var isRepaired: Bool

  /// Makes a fault.
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
  /// The fault to report if only one can be: the first that lost something, or else the first.
  var worst: XMLFault? { first { !$0.isRepaired } ?? first }
}
