internal import FieldCore

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
