/// A type of record that a ``Catalog`` stores and finds.
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
  /// The location of the record, or `nil`, the default, if it has none.
  var coordinate: Coordinate? { get }

  /// The text to search, which defaults to an empty string.
  var searchText: String { get }
}

extension CatalogRecord {
  /// A Boolean value that indicates whether backups include the records, by default `false` because
  /// they can be fetched again.
  public static var isBackedUp: Bool { false }

  /// By default, a record has no location.
  public var coordinate: Coordinate? { nil }

  /// By default, a record has no text, so no search finds it.
  public var searchText: String { "" }
}
