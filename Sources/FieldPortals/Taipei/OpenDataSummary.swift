package import FieldCore
package import FieldFoundation

/// What the pages of a dataset held besides their rows.
package struct OpenDataSummary: Sendable, Hashable {
  /// The id that gave the data.
  package var resource: TaipeiDataset.Resource
  /// How many rows came, those that failed included.
  package var rowCount = 0
  /// How many rows the portal says there are, on the last page; nil when it does not say.
  package var announcedRows: Int?
  /// How many pages came.
  package var pageCount = 0
  /// The rows that could not be used; their index counts over all pages.
  package var failures: [RowFailure] = []
  /// The newest `_importdate` of the rows: how old the data are.
  package var importedAt: Date?
  /// The address of the first page.
  package var origin: URL?
  /// The time on the server's clock when it gave the last page.
  package var serverDate: Date?
  /// The names that no column has, each once.
  package var unknownColumns: [String] = []
}
