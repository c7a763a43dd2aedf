public import FieldCore

/// A page of rows of a query, each read into a type.
public struct SODATypedPage<Row: Sendable>: Sendable {
  /// The rows that could be read.
  public var rows: [Row]
  /// The rows that could not be read, with their keys and the column that stood against it.
  public var failures: [RowFailure]
  /// Where the next page begins, to go on from another time; nil when this is the last one.
  public var next: SODAResumeToken?
}
