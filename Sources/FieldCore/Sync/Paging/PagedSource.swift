/// A source that gives its rows a page at a time, in an order that a run can be resumed in.
///
/// ### When to use it
///
/// For tables that are too large for one answer, or that can be asked for what has changed. A table
/// that comes as one file needs none of this.
///
/// ### How to implement it
///
/// - Give the rows behind the position of the request, in the order that the request names, at most as
///   many as it asks for. Fewer are fine: a short page is not taken for the end until the source has
///   shown that it can give longer ones.
/// - Report rows that cannot be read as failures; do not leave them out and do not throw for them.
/// - Throw `FieldError` for everything that is no page of rows. What earlier pages have brought stays,
///   and the next run goes on behind it.
/// - Never compare keys: only the source knows their order.
///
/// ### How to test it
///
/// `FakeSODAServer` of `FieldFakes` is a portal in memory, with page caps, replicas that lag behind,
/// cut answers and rows that change between two pages.
public protocol PagedSource<Record>: Sendable {
  /// What the rows become.
  associatedtype Record: StoredRecord

  /// What the rows depend on besides their positions: the source, the filter, the columns and the
  /// version of the reader. When it changes, the next run begins anew.
  var fingerprint: String { get }

  /// Whether positions outlive a run, so that it can be resumed and the next one needs only what has
  /// changed; true unless told otherwise. Offsets do not.
  var isIncremental: Bool { get }

  /// How the source is read: the size of pages and the rest.
  var options: SyncOptions { get }

  /// The rows behind a position.
  func page(_ request: PageRequest) async throws -> RecordPage<Record>

  /// The ids of the rows behind a position, in the order of their keys: what is needed to find out
  /// which stored records are gone. By default they are read from whole rows.
  func keys(_ request: PageRequest) async throws -> KeyPage<Record.ID>

  /// How many rows there are; nil, as by default, when the source cannot tell.
  func count() async throws -> Int?
}

extension PagedSource {
  /// The usual ones.
  public var options: SyncOptions { SyncOptions() }

  /// True.
  public var isIncremental: Bool { true }

  /// The ids of ``page(_:)``.
  public func keys(_ request: PageRequest) async throws -> KeyPage<Record.ID> {
    let page = try await page(request)
    return KeyPage(
      ids: page.records.map(\.id) + page.failedIDs,
      hasUnreadableIDs: page.failures.count > page.failedIDs.count, facts: page.facts)
  }

  /// Nil.
  public func count() async throws -> Int? { nil }
}
