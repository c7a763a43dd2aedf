public import FieldCore
public import FieldFoundation

/// A type that supplies a catalog with meteorites.
///
/// ### When to implement it
///
/// ``NASAMeteorites``, ``MeteoriteDownload``, and ``MeteoriteFile`` read every known format of the
/// dataset. Implement the protocol for another table, or for rows that your app already has.
///
/// ### How to implement it
///
/// - Return every row, or `nil` rows if the source confirmed the request's validators.
/// - Report rows that can't be read as failures; neither drop them nor throw an error for them.
/// - Throw `FieldError` if the response isn't a set of rows. The catalog then changes nothing.
public protocol MeteoriteSource: Sendable {
  /// The data source, with its attribution.
  var dataSource: DataSource { get }

  /// The policy for removing records that the source no longer has.
  var deletion: DeletionPolicy { get }

  /// Fetches all rows at once.
  func fetch(_ request: MeteoriteRequest) async throws -> MeteoriteBatch

  /// The source as a paged one; `nil` if it only delivers all rows at once.
  ///
  /// Defaults to `nil`.
  ///
  /// If this isn't `nil`, a catalog uses it and never calls ``fetch(_:)``.
  var pages: (any PagedSource<Meteorite>)? { get }
}

extension MeteoriteSource {
  /// By default, the source has no pages.
  public var pages: (any PagedSource<Meteorite>)? { nil }
}

/// The information that a catalog passes to its source.
public struct MeteoriteRequest: Sendable, Hashable {
  /// The validators of earlier responses, keyed by exact URL; empty if nothing is stored.
  public var validators: [String: HTTPValidators]
  /// The number of stored meteorites.
  public var storedCount: Int
  /// The guard that decides whether rows can be a complete snapshot.
  public var snapshotGuard: SnapshotGuard

  /// Creates a request.
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

/// The rows and validators that a source returns.
public struct MeteoriteBatch: Sendable, Hashable, Codable {
  /// The rows; `nil` if the source confirms that nothing has changed.
  public var rows: MeteoriteRows?
  /// The URL that answered, after redirects.
  public var origin: URL?
  /// The validators of this response for later requests, keyed by the exact URL of the request.
  public var validators: [String: HTTPValidators]

  /// Creates a batch; pass `nil` for `rows` if nothing has changed.
  public init(
    rows: MeteoriteRows?, origin: URL? = nil, validators: [String: HTTPValidators] = [:]
  ) {
    self.rows = rows
    self.origin = origin
    self.validators = validators
  }
}
