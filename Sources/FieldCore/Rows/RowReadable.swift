/// A type that can be read from the rows of a source: JSON objects, positional arrays, lines of CSV or NDJSON,
/// or GeoJSON features.
///
/// A `Decodable` type needs nothing else. Its coding keys are the names of the columns:
///
/// ```swift
/// struct Tree: CatalogRecord {
///   let id: String
///   let species: String?
///   let height: Double?
///   let coordinate: Coordinate?
///   enum CodingKeys: String, CodingKey { case id = "treeid", species = "qspecies", height = "dbh", coordinate }
/// }
/// ```
///
/// | Type of a property | What is read |
/// |---|---|
/// | `String` | the trimmed text; in the column of the ID, and as a ``RecordID``, without `.0`, and `NA` is an ID where others are capital letters |
/// | numbers, `Decimal` | a number, also in a text, with full-width digits, or with the separators of its column |
/// | `Bool` | `true`, `yes`, `y`, `t`, `1`, `是`, `有` and their opposites, in any case |
/// | `Date` | a date in any of the usual formats; one that states no zone is in ``timeZone``, and unreadable without it |
/// | ``CalendarDay`` | the day of such a date, in its own zone |
/// | `URL` | a web address, in which other characters are encoded |
/// | ``Coordinate`` | a location in one cell (GeoJSON, well-known text, `(50.7, 6.1)`, an object), in columns of the key's name followed by `_lat` and `_lng` or the like, or, if the type has only one, in columns such as `latitude` and `lng`, `緯度` and `經度`, `geometry`, or `location` |
/// | enumerations, other types | what their own `init(from:)` reads from the cell |
/// | arrays, other types with keys | JSON in the cell, whose values are read as tolerantly |
///
/// A cell that is missing, blank, `null`, `NULL`, `NA`, `N/A`, or `-` is `nil`. If a property isn't optional, such a
/// row is a ``RowFailure``, and so is one with a value that can't be read. For an optional property, such a value is `nil`, and
/// the report of the refresh has the notice ``RefreshReport/Notice/Code/unreadableValues``.
///
/// An `init(from:)` of your own is called like that of a synthesized conformance. To learn which columns exist before the
/// first row arrives, it is called a few times with made-up values, whose result is discarded. If it throws for all of them, or reads
/// keys that depend on values, all columns of the source are read. Such a type needn't know any of them: in CSV, the header is then the
/// first line with at least two cells, and with as many as most of the lines after it.
public protocol RowReadable: Sendable {
  /// The columns of the source with their older names.
  ///
  /// For a `Decodable` type, each column adds names to the coding key among them. Defaults to the coding keys. A type with an
  /// initializer of its own lists all columns that it reads, of which the first identifies a row that can't be used.
  static var columns: [RowColumn] { get }

  /// The time zone of dates that don't state one.
  ///
  /// Defaults to `nil`: such dates can't be read, because they are moments only in their zone.
  static var timeZone: FixedZone? { get }

  /// Creates a value from a row.
  ///
  /// - Throws: ``RowProblem`` if the row can't be used. The row is reported, and the others are
  ///   read.
  init(row: borrowing SourceRow) throws(RowProblem)
}

extension RowReadable {
  /// By default, dates that don't state a time zone can't be read.
  public static var timeZone: FixedZone? { nil }
}

extension RowReadable where Self: Decodable {
  /// The coding keys, as columns, and the usual names of the columns of a location.
  public static var columns: [RowColumn] { RowForm.keys(of: Self.self).columns }

  /// Creates a value from the cells that its coding keys name.
  ///
  /// - Throws: ``RowProblem`` if a value that isn't optional is missing or can't be read.
  public init(row: borrowing SourceRow) throws(RowProblem) {
    self = try row.decoded(as: Self.self)
  }
}
