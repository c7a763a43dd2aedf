package import FieldCore
package import FieldFoundation

/// The information in a dataset's pages besides their rows.
package struct OpenDataSummary: Sendable, Hashable {
  /// The ID that returned the data.
  package var resource: TaipeiDataset.Resource
  /// The number of received rows, including failed ones.
  package var rowCount = 0
  /// The number of rows that the last page announces; `nil` if it doesn't announce one.
  package var announcedRows: Int?
  package var pageCount = 0
  /// The rows that couldn't be used, with indexes that count over all pages.
  package var failures: [RowFailure] = []
  /// The newest `_importdate` of the rows, which tells the age of the data.
  package var importedAt: Date?
  /// The URL of the first page.
  package var origin: URL?
  /// The server's date when it returned the last page.
  package var serverDate: Date?
  /// The requested names that no column has, each once.
  package var unknownColumns: [String] = []
}
