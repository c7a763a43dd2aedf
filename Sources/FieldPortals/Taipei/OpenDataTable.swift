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

extension FieldError.Code {
  // MARK: openData: the dataset has changed

  /// The dataset has no data under any of its IDs: it was retired, or moved to another ID.
  public static var datasetRetired: Self {
    Self(rawValue: "openData.retired") { PortalGuidance.table }
  }
  /// The server returned fewer rows than announced, returned a page twice, or announced another
  /// number on a later page: rows have moved, so some were repeated or are missing.
  public static var datasetIncomplete: Self {
    Self(rawValue: "openData.incomplete") { PortalGuidance.table }
  }
}

/// A row of a dataset, as text.
public struct OpenDataRow: Sendable, Hashable, Codable {
  /// The names of the columns on the row's page.
  public let columns: [String]
  /// The texts, in the order of ``columns``.
  ///
  /// Numbers and Booleans are unchanged, arrays and objects are JSON, and missing values are `nil`:
  /// blank text, `null`, `NULL`, `NA`, `N/A`, and `-`.
  public let values: [String?]

  /// Creates a row with the same number of values and columns.
  public init(columns: [String], values: [String?]) {
    self.columns = columns
    self.values = values
  }

  /// The text of a column, whose name is matched case-insensitively; `nil` if there is none.
  public subscript(name: String) -> String? {
    if let exact = columns.firstIndex(of: name) { return values[exact] }
    let wanted = name.lowercased()
    return columns.firstIndex { $0.lowercased() == wanted }.flatMap { values[$0] }
  }

  /// The portal's ID of the row (`_id`): its position in the file, which may change in the next
  /// one.
  public var id: String? { self["_id"].map(RowText.plainID) }
}

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

/// The date when the portal imported a row, in PHP's JSON format.
///
/// `{"date": "2022-12-23 14:05:14.668579", "timezone_type": 3, "timezone": "Asia/Taipei"}`
package enum ImportDate {
  /// The column that contains the date in every dataset of the portal.
  package static let column = "_importdate"

  /// Returns the date, or `nil` if the value isn't one or its time zone is unknown.
  package static func date(in value: JSONValue) -> Date? {
    guard let text = value.string ?? value["date"]?.string else { return nil }
    switch value["timezone"]?.string {
    case nil, "", "Asia/Taipei": return TimestampParser(zone: .taipei).instant(text)?.date
    case "UTC", "Z", "GMT": return TimestampParser(zone: .utc).instant(text)?.date
    // The first of the three time zone types is an offset from UTC.
    case let zone?: return TimestampParser(zone: .utc).instant("\(text) \(zone)")?.date
    }
  }
}
