public import FieldCore

/// Where a directory keeps its tables.
///
/// ``StoredCivicTables`` is the one over any record store; implement the protocol to keep them in a
/// database of an app's own.
public protocol CivicRepository: Sendable {
  /// Opens what has to be opened, and tells what was found; every other call does it by itself.
  @discardableResult
  func open() async throws -> OpeningReport

  /// The content as it is now.
  func snapshot() async throws -> Snapshot<CivicRecord>

  /// Applies changes and the checkpoint with the cursor of every table in one step, whole or not at all.
  @discardableResult
  func commit(
    _ changes: Changes<CivicRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision

  /// The content as it is now, and then the newest after each change.
  func updates() throws -> SnapshotUpdates<CivicRecord>

  /// Ends the use.
  func close() async throws
}
