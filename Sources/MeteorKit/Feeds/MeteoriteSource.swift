public import FieldCore
public import FieldFoundation

/// Where a catalog gets its meteorites from.
///
/// ### When to implement it
///
/// ``NASAMeteorites``, ``MeteoriteDownload`` and ``MeteoriteFile`` read every form in which the
/// dataset is known to exist. Implement the protocol for another table, or for rows that an app
/// already has.
///
/// ### How to implement it
///
/// - Give every row that there is, or say `.notModified` when the request's validators were confirmed.
/// - Report rows that cannot be read as failures; do not leave them out and do not throw for them.
/// - Throw `FieldError` for everything that is no set of rows. The catalog then changes nothing.
public protocol MeteoriteSource: Sendable {
  /// What the data is and whom to name beside it.
  var dataSource: DataSource { get }

  /// When records that the source no longer has are removed.
  var deletion: DeletionPolicy { get }

  /// Gets the rows, all at once.
  func fetch(_ request: MeteoriteRequest) async throws -> MeteoriteBatch

  /// The source as one that gives its rows a page at a time; a catalog then uses that and never asks
  /// for all at once. Nil, as by default, for a source that only comes whole.
  var pages: (any PagedSource<Meteorite>)? { get }
}

extension MeteoriteSource {
  /// Nil.
  public var pages: (any PagedSource<Meteorite>)? { nil }
}

/// What a catalog tells its source.
public struct MeteoriteRequest: Sendable, Hashable {
  /// What earlier answers can be confirmed by, for each exact address; empty when nothing is stored.
  public var validators: [String: HTTPValidators]
  /// How many meteorites are stored.
  public var storedCount: Int
  /// Decides whether rows can be a complete snapshot.
  public var snapshotGuard: SnapshotGuard

  /// Makes a request.
  public init(
    validators: [String: HTTPValidators] = [:],
    storedCount: Int = 0,
    snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) {
    self.validators = validators
    self.storedCount = storedCount
    self.snapshotGuard = snapshotGuard
  }
}

/// What a source gives.
public struct MeteoriteBatch: Sendable, Hashable, Codable {
  /// The rows; nil when the source confirms that nothing has changed.
  public var rows: MeteoriteRows?
  /// The address that answered, after redirects.
  public var origin: URL?
  /// What this answer can be confirmed by later, for the exact address that was asked.
  public var validators: [String: HTTPValidators]

  /// Makes a delivery; without rows it says that nothing has changed.
  public init(
    rows: MeteoriteRows?, origin: URL? = nil, validators: [String: HTTPValidators] = [:]
  ) {
    self.rows = rows
    self.origin = origin
    self.validators = validators
  }
}
