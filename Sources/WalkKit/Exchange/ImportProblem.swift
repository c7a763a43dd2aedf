/// A problem with a part of an imported document; the rest of the document is imported.
public struct ImportProblem: Sendable, Hashable, Codable, CustomStringConvertible, Identifiable {
  /// The location in the document, such as `Pets[0].walks[3].date`.
  public var path: String
  /// The data that is lost because of the problem.
  public var loss: Loss
  /// An excerpt of the value, at most 200 characters long.
  public var excerpt: String
  /// The reason that the value is unusable.
  public var reason: String

  /// Creates a problem.
  public init(path: String, loss: Loss, excerpt: String = "", reason: String) {
    self.path = path
    self.loss = loss
    // Count scalars, because a single character may be as long as the document.
    self.excerpt = String(String.UnicodeScalarView(excerpt.unicodeScalars.prefix(200)))
    self.reason = reason
  }

  /// The loss caused by a problem.
  public enum Loss: String, Sendable, Hashable, Codable {
    /// Nothing is lost: the value is unusual, but was kept.
    case nothing
    /// A value is lost, but its pet or walk is imported without it.
    case value
    /// A whole record is lost, such as a pet or a walk.
    case record
  }

  /// The location and the reason, on one line.
  public var description: String { "\(path): \(reason)" }

  /// The problem itself.
  public var id: ImportProblem { self }
}
