public import FieldCore

/// Where a zoo keeps the zoo's data.
///
/// ``StoredZoo`` is the one over any record store; implement the protocol to keep the data in a
/// database of an app's own.
public protocol ZooRepository: Sendable {
  /// Opens what has to be opened, and tells what was found; every other call does it by itself.
  @discardableResult
  func open() async throws -> OpeningReport

  /// The content as it is now.
  func snapshot() async throws -> Snapshot<ZooRecord>

  /// Applies changes and the checkpoint that describes them in one step, whole or not at all.
  @discardableResult
  func commit(
    _ changes: Changes<ZooRecord>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision

  /// The content as it is now, and then the newest after each change.
  func updates() throws -> SnapshotUpdates<ZooRecord>

  /// Ends the use.
  func close() async throws
}
