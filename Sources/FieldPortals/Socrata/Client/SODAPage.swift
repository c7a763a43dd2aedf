public import FieldCore

/// A page of rows of a query.
public struct SODAPage: Sendable, Codable {
  /// The rows.
  public var rows: [SODARow]
  /// The rows that could not be read.
  public var failures: [RowFailure]
  /// Where the next page begins, to go on from another time; nil when this is the last one.
  public var next: SODAResumeToken?
}
