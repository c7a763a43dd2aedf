public import FieldCore

/// A page of a query's rows.
public struct SODAPage: Sendable, Codable {
  /// The rows of the page.
  public var rows: [SODARow]
  /// The rows that couldn't be read.
  public var failures: [RowFailure]
  /// The token for continuing with the next page at any time; `nil` if this is the last page.
  public var next: SODAResumeToken?
}
