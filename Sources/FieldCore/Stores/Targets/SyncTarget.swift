/// A place that a sync writes its records to, such as a store or a table of your own database.
///
/// ### When to use it
///
/// Every ``RecordStore`` is a target. Implement the protocol if the records belong in a table that your app already reads in
/// its own way, and that needn't fit into memory. The package `Adapters/FieldGRDB` does so for SQLite.
///
/// ### How to use it
///
/// ```swift
/// let trees = SyncedTable("trees", sources: [Download<Tree>(url, transport: transport)], target: target)
/// try await trees.refresh()
/// ```
///
/// ### How to implement it
///
/// - Keep the checkpoint beside the records, in the same database, so that one transaction writes both.
/// - Return a new ``SyncTargetRun`` for each run. A run that doesn't end leaves nothing behind that another one would need.
///
/// ### How to test it
///
/// Run `SyncTargetConformance` of `FieldTesting`. Then sync a source that stops, lies, or loses rows, and compare what is stored with
/// what it has. The tests of `Adapters/FieldGRDB` do both.
public protocol SyncTarget<Record>: Sendable {
  /// The type of the records.
  associatedtype Record: StoredRecord

  /// Returns the facts about what is stored, without waiting for a run.
  func content() async throws -> SyncContent

  /// Begins a run, which remembers the IDs that it sees and the records that it changes.
  func beginRun() async throws -> any SyncTargetRun<Record>
}

/// The facts about what a target contains, besides the records.
public struct SyncContent: Sendable, Hashable {
  /// The checkpoint that describes the records; `nil` if there is none.
  public var checkpoint: Checkpoint?
  /// The number of records.
  public var count: Int
  /// A Boolean value that indicates whether the content of no record is lost; otherwise, all rows are requested again.
  package var isReadable = true

  /// Creates the facts.
  public init(checkpoint: Checkpoint?, count: Int) {
    self.checkpoint = checkpoint
    self.count = count
  }
}

/// One run of a sync that writes to a ``SyncTarget``.
///
/// It keeps what a run needs beyond its pages: the IDs that it has seen, to find the records that no longer exist, and the
/// earlier values of the records that it changes, to revert them. Both may be forgotten when the process ends.
public protocol SyncTargetRun<Record>: Sendable {
  /// The type of the records.
  associatedtype Record: StoredRecord

  /// The facts about what was stored when the run began.
  var base: SyncContent { get }

  /// Runs a transaction.
  ///
  /// - Parameter body: Makes the changes. If it throws, nothing has been changed or seen. It may run more than once, so it has no other
  ///   side effects.
  /// - Throws: An error from `body` or from the target, or `CancellationError` if the task is canceled before the commit.
  func update<Result: Sendable>(
    _ body: @escaping @Sendable (any SyncTransaction<Record>) throws -> Result
  ) async throws -> Result
}
