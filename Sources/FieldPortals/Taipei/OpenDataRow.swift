internal import FieldCore

/// A row of a dataset as text.
public struct OpenDataRow: Sendable, Hashable, Codable {
  /// The names of the columns of the page that the row was on.
  public let columns: [String]
  /// The texts, in the order of ``columns``: those of numbers and Booleans as they stand, JSON for an
  /// array or an object, and nil for nothing, which blank text, `null`, `NULL`, `NA`, `N/A` and `-` are too.
  public let values: [String?]

  /// Creates a row of as many values as columns.
  public init(columns: [String], values: [String?]) {
    self.columns = columns
    self.values = values
  }

  /// The text of a column, whose name is compared without regard to case; nil when there is none.
  public subscript(name: String) -> String? {
    if let exact = columns.firstIndex(of: name) { return values[exact] }
    let wanted = name.lowercased()
    return columns.firstIndex { $0.lowercased() == wanted }.flatMap { values[$0] }
  }

  /// The portal's id of the row (`_id`): its position in the file, which may change with the next one.
  public var id: String? { self["_id"].map(RowText.plainID) }
}
