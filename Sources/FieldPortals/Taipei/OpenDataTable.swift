public import FieldCore
public import FieldFoundation

/// The rows of a dataset, as text, and their metadata.
public struct OpenDataTable: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The names of the columns in order of first occurrence, without byte-order marks and
  /// surrounding whitespace.
  public internal(set) var columns: [String] = []
  /// The rows, in the order of the portal.
  public internal(set) var rows: [OpenDataRow] = []
  /// The rows that couldn't be read, with indexes that count over all pages.
  public internal(set) var failures: [RowFailure] = []
  /// The date when the portal imported the newest row (`_importdate`); `nil` if it doesn't say.
  public internal(set) var importedAt: Date?
  /// The ID that returned the rows.
  public internal(set) var resource: TaipeiDataset.Resource
  /// The URL of the first page.
  public internal(set) var origin: URL?
  /// The server's date when it returned the last page; `nil` if it doesn't give one.
  public internal(set) var serverDate: Date?

  /// Creates a table, for previews and tests.
  public init(resource: TaipeiDataset.Resource, columns: [String] = [], rows: [OpenDataRow] = []) {
    self.resource = resource
    self.columns = columns
    self.rows = rows
  }

  /// A description with the ID of the data and the number of rows.
  public var description: String { "\(resource): \(rows.count) rows".printable }
}
