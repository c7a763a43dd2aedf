/// Something in an imported document that could not be used; the rest of the document is there.
public struct ImportProblem: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Where it is, such as `Pets[0].walks[3].date`.
  public var path: String
  /// What is lost by it.
  public var loss: Loss
  /// What stands there, at most 200 characters.
  public var excerpt: String
  /// Why it could not be used.
  public var reason: String

  /// Makes a problem.
  public init(path: String, loss: Loss, excerpt: String = "", reason: String) {
    self.path = path
    self.loss = loss
    // Scalars: a single character may be as long as the document.
    self.excerpt = String(String.UnicodeScalarView(excerpt.unicodeScalars.prefix(200)))
    self.reason = reason
  }

  /// What is lost by a problem.
  public enum Loss: String, Sendable, Hashable, Codable {
    /// Nothing: the value is strange and was kept.
    case nothing
    /// A value; its pet or walk is there without it.
    case value
    /// A whole record: a pet, a walk or another.
    case record
  }

  /// The place and the reason, on one line.
  public var description: String { "\(path): \(reason)" }
}

extension ImportProblem: Identifiable {
  /// The problem itself.
  public var id: ImportProblem { self }
}
