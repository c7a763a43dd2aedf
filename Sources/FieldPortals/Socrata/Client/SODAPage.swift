public import FieldCore

/// A page of a query's rows, as ``SODARow`` or as values of a type.
public struct SODAPage<Row: Sendable>: Sendable {
  /// The rows that could be read.
  public var rows: [Row]
  /// The rows that couldn't be read, with their keys and the columns that caused the failures.
  public var failures: [RowFailure]
  /// The notices for the caller although nothing has failed, such as values that couldn't be read and are `nil` in their rows.
  public var notices: [RefreshReport.Notice] = []
  /// The token for continuing with the next page at any time; `nil` if this is the last page.
  public var next: SODAResumeToken?
}

extension SODAPage: Codable where Row: Codable {}

/// A value of a `Decodable` type that needn't be `RowReadable`, and is read in the same way.
struct DecodedSODARow<Value: Decodable & Sendable>: Decodable, RowReadable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
}
