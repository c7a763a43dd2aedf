/// A type that supplies a kit with all records of a source at once.
///
/// ### When to use it
///
/// ``Download`` reads a URL and ``FileRows`` a file, in any of the formats that ``RowReadable`` names or by a closure of
/// yours. Implement the protocol if the rows come in another way, such as from several requests or from another library. A table
/// that is too large for one response, or that can be queried for changes, is a ``PagedSource``.
///
/// ### How to implement it
///
/// ```swift
/// struct TwoTrees: RecordSource {
///   func fetch(_ request: RecordRequest) async throws -> Batch<Tree> {
///     Batch(records: [Tree(id: "1"), Tree(id: "2")])
///   }
/// }
/// ```
///
/// - Return every row, or ``Batch/notModified(validators:origin:)`` if the source confirms the request's validators.
/// - Report rows that can't be read as failures; neither drop them nor throw an error for them.
/// - Throw ``FieldError`` if the response isn't a set of rows. The kit then changes nothing, or asks its next source.
/// - Don't check whether the rows can be complete. The kit does, once for all of its sources.
public protocol RecordSource<Record>: Sendable {
  /// The type of the records that the rows become.
  associatedtype Record: StoredRecord

  /// The source to credit beside the data.
  ///
  /// Defaults to `nil`, for a source that isn't known.
  var dataSource: DataSource? { get }

  /// The policy for removing stored records that the source doesn't return.
  ///
  /// Defaults to ``DeletionPolicy/bySnapshot``. Return ``DeletionPolicy/never`` if the source has only a part of the records.
  var deletion: DeletionPolicy { get }

  /// A value that identifies how the source reads its rows, if not by the record's own columns.
  ///
  /// If it changes, all rows are read again, even if the server says that they haven't changed. A URL needn't be part of it, because
  /// validators belong to exact URLs. Defaults to an empty text.
  var fingerprint: String { get }

  /// Returns all rows.
  func fetch(_ request: RecordRequest) async throws -> Batch<Record>

  /// The source as a paged one; `nil`, the default, if it only returns all rows at once.
  ///
  /// If a kit has only this source, the kit reads the pages and never calls ``fetch(_:)``.
  var pages: (any PagedSource<Record>)? { get }
}

extension RecordSource {
  /// By default, the source isn't known.
  public var dataSource: DataSource? { nil }

  /// By default, records that the source doesn't return are removed.
  public var deletion: DeletionPolicy { .bySnapshot }

  /// By default, only the record determines how rows are read.
  public var fingerprint: String { "" }

  /// By default, the source has no pages.
  public var pages: (any PagedSource<Record>)? { nil }
}

/// The information that a kit passes to its source.
public struct RecordRequest: Sendable {
  /// The validators of earlier responses, by the exact URL; empty if nothing is stored.
  public var validators: [String: HTTPValidators]
  /// A closure to call when the response has arrived, before its rows are read.
  package var willRead: @Sendable () -> Void = {}

  /// Creates a request.
  public init(validators: [String: HTTPValidators] = [:]) { self.validators = validators }
}
