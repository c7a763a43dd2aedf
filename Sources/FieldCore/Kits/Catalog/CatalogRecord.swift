/// A type of record that a ``Catalog`` keeps and finds.
///
/// ```swift
/// struct BikeStation: CatalogRecord, RowReadable {
///   static let columns = [RowColumn("sno"), RowColumn("sna"), RowColumn("lat", "latitude")]
///   let id: String
///   let name: String
///   let coordinate: Coordinate?
///   var searchText: String { name }
/// }
/// ```
public protocol CatalogRecord: StoredRecord {
  /// Where the record is; `nil`, which is the default, if it isn't anywhere.
  var coordinate: Coordinate? { get }

  /// The text that a search looks through. Defaults to an empty string.
  var searchText: String { get }
}

extension CatalogRecord {
  /// `nil`: the record isn't anywhere.
  public var coordinate: Coordinate? { nil }

  /// An empty string: a search never finds the record.
  public var searchText: String { "" }
}

/// A type that can be read from the rows of a source: JSON objects, positional arrays, lines of CSV or NDJSON,
/// or GeoJSON features.
public protocol RowReadable: Sendable {
  /// The columns of the source. A cell is read by the position of its column in this list; the first column
  /// names a row that can't be used.
  static var columns: [RowColumn] { get }

  /// Creates a value from a row.
  ///
  /// - Throws: ``RowProblem`` if the row can't be used. It is reported, and the others are read.
  init(row: borrowing SourceRow) throws(RowProblem)
}
