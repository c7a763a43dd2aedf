/// A type of record that a ``Catalog`` stores and finds.
///
/// A `Codable` struct needs nothing else. Its coding keys are the names of the columns, and ``RowReadable`` describes how their cells are read:
///
/// ```swift
/// struct BikeStation: CatalogRecord {
///   let id: String
///   let name: String
///   let coordinate: Coordinate?
///   var searchText: String { name }
///   enum CodingKeys: String, CodingKey { case id = "sno", name = "sna", coordinate }
/// }
/// ```
public protocol CatalogRecord: StoredRecord, RowReadable {
  /// The location of the record, or `nil`, the default, if it has none.
  ///
  /// It isn't used if ``indexes`` declares a location.
  var coordinate: Coordinate? { get }

  /// The text to search, which defaults to an empty string.
  ///
  /// It isn't used if ``indexes`` declares texts.
  var searchText: String { get }

  /// The fields that queries search, order by, and look up often.
  ///
  /// Defaults to none, so ``searchText`` is searched, ``coordinate`` is the location, and all other queries go through
  /// all records.
  ///
  /// ```swift
  /// static let indexes: [RecordIndex<Tree>] = [.text(\.species), .order(\.height), .value(\.species)]
  /// ```
  static var indexes: [RecordIndex<Self>] { get }
}

extension CatalogRecord {
  /// A Boolean value that indicates whether backups include the records, by default `false` because
  /// they can be fetched again.
  public static var isBackedUp: Bool { false }

  /// By default, a record has no location.
  public var coordinate: Coordinate? { nil }

  /// By default, a record has no text, so no search finds it.
  public var searchText: String { "" }

  /// By default, no indexes are declared.
  public static var indexes: [RecordIndex<Self>] { [] }
}
