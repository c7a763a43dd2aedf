public import FieldCore
public import FieldFoundation

/// The rows of a dataset as text, and what is known about them.
public struct OpenDataTable: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The names of the columns in the order in which they came first, without byte-order marks and
  /// surrounding space.
  public internal(set) var columns: [String] = []
  /// The rows in the order of the portal.
  public internal(set) var rows: [OpenDataRow] = []
  /// The rows that could not be read; their index counts over all pages.
  public internal(set) var failures: [RowFailure] = []
  /// When the newest of the rows was taken into the portal (`_importdate`); nil when it does not say.
  public internal(set) var importedAt: Date?
  /// The id that gave the rows.
  public internal(set) var resource: TaipeiDataset.Resource
  /// The address of the first page.
  public internal(set) var origin: URL?
  /// The time on the server's clock when it gave the last page; nil when it does not say.
  public internal(set) var serverDate: Date?

  /// Creates a table, for previews and tests.
  public init(
    resource: TaipeiDataset.Resource, columns: [String] = [], rows: [OpenDataRow] = []
  ) {
    self.resource = resource
    self.columns = columns
    self.rows = rows
  }

  /// The ID of the data and the number of rows.
  public var description: String { "\(resource): \(rows.count) rows".printable }
}
