/// A column of a source, with all names that it has had over the years.
public struct RowColumn: Sendable, Hashable {
  /// The names, the usual one first.
  ///
  /// They match regardless of case, full width, byte-order marks, and white space.
  public var names: [String]

  /// Creates a column from its name and its older names.
  public init(_ names: String...) { self.names = names }

  init(names: [String]) { self.names = names }
}

/// The reason why a row can't be used, which becomes the reason of a ``RowFailure``.
public struct RowProblem: Error, Sendable, Hashable {
  /// A description of the problem.
  public var reason: String

  /// Creates a problem.
  public init(_ reason: String) { self.reason = reason }
}
