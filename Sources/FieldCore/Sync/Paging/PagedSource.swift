/// A type that reads a source page by page, in an order in which a run can be resumed.
///
/// ### When to use it
///
/// Use it for tables that are too large for one response, or that can be queried for changes. A
/// table in a single file doesn't need it.
///
/// ### How to implement it
///
/// - Return the rows after the position of the request, in the order that the request names, and at
///   most as many as it asks for. Fewer are fine: a short page isn't taken for the end until the
///   source has shown that it can return longer ones.
/// - Set the ``PageMetadata/end`` of a page with rows to the position after it. The end of the source is a page without rows, or
///   one whose ``PageMetadata/isLast`` is `true`, which needs no position.
/// - Report rows that can't be read as failures; don't omit them, and don't throw errors for them.
/// - Throw `FieldError` for anything that isn't a page of rows. Earlier pages stay, and the next
///   run continues after them.
/// - Never compare keys: only the source knows their order.
///
/// ### How to test it
///
/// `FakeSODAServer` of `FieldFakes` is a portal in memory, with limited pages, lagging replicas,
/// truncated responses, and rows that change between two pages.
public protocol PagedSource<Record>: Sendable {
  /// The type of the records that the rows become.
  associatedtype Record: StoredRecord

  /// A value that identifies everything that the rows depend on besides their positions.
  ///
  /// Include the source, the filter, and the version of the reader. If the fingerprint changes, the next
  /// run starts over. The record's ``StoredRecord/formatVersion``, and the columns and keys of a ``RowReadable``
  /// record, are added to it.
  var fingerprint: String { get }

  /// A Boolean value that indicates whether positions stay valid after a run.
  ///
  /// If they do, a run can be resumed, and the next one begins where the last one ended, if the source ``findsChanges``. Defaults to
  /// `true`; return `false` for offsets.
  var isIncremental: Bool { get }

  /// A Boolean value that indicates whether a row that changes comes after the last position again.
  ///
  /// If it does, a run over known rows needs only the changes. Defaults to `true`; return `false` for an order that changes don't
  /// affect, such as that of a key or of a server's tokens, so that each run reads all rows unless it continues an interrupted one.
  var findsChanges: Bool { get }

  /// The options for reading the source, such as the size of pages.
  var options: SyncOptions { get }

  /// Returns the rows after a position.
  func page(_ request: PageRequest) async throws -> Batch<Record>

  /// Returns the IDs of the rows after a position, in the order of their keys, for finding deleted
  /// records.
  ///
  /// By default, the IDs are read from complete rows.
  func keys(_ request: PageRequest) async throws -> KeyPage<Record.ID>

  /// Returns the number of rows, or `nil`, the default, if the source can't count them.
  func count() async throws -> Int?
}

extension PagedSource {
  /// The default options.
  public var options: SyncOptions { SyncOptions() }

  /// A Boolean value that indicates whether positions stay valid after a run, by default `true`.
  public var isIncremental: Bool { true }

  /// A Boolean value that indicates whether a changed row comes after the last position, by default `true`.
  public var findsChanges: Bool { true }

  /// Returns the IDs of the rows of ``page(_:)``.
  public func keys(_ request: PageRequest) async throws -> KeyPage<Record.ID> {
    let page = try await page(request)
    return KeyPage(
      ids: page.records.map(\.id) + page.failedIDs,
      hasUnreadableIDs: page.failures.count > page.failedIDs.count, facts: page.facts)
  }

  /// By default, the number of rows is unknown.
  public func count() async throws -> Int? { nil }
}

/// A page of IDs.
public struct KeyPage<ID: Hashable & Sendable>: Sendable {
  /// The IDs.
  public var ids: [ID]
  /// A Boolean value that indicates whether the IDs of some rows couldn't be read, so that nothing
  /// may count as deleted.
  public var hasUnreadableIDs: Bool
  /// The facts about the page besides its IDs.
  public var facts: PageMetadata

  /// Creates a page.
  public init(ids: [ID], hasUnreadableIDs: Bool = false, facts: PageMetadata) {
    self.ids = ids
    self.hasUnreadableIDs = hasUnreadableIDs
    self.facts = facts
  }
}

extension KeyPage: Encodable where ID: Encodable {}
extension KeyPage: Decodable where ID: Decodable {}

/// A position in the order in which a source returns its rows: after one row and before the next.
///
/// Both parts are the source's own text and are sent back unchanged, because parsing and formatting
/// a time may lose a digit. Only the beginning of an overlap (see ``SyncOptions/overlap``) is a time
/// that the source hasn't written: it has the form of ``stamp``, such as `20261101080000` or `115/11/01`.
public struct SyncPosition: Sendable, Hashable, Codable {
  /// The time when the row was last changed, as the source writes it; `nil` for a source without
  /// such a time.
  public var stamp: String?
  /// The key by which the source orders rows of the same time, such as Socrata's `:id`, or an
  /// offset.
  ///
  /// `nil` is before all rows that are later than ``stamp``.
  public var key: String?

  /// Creates a position.
  public init(stamp: String? = nil, key: String? = nil) {
    self.stamp = stamp
    self.key = key
  }
}
