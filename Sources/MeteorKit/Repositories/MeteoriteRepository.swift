public import FieldCore

/// Where a catalog keeps its meteorites.
///
/// ``StoredMeteorites`` is the one over any record store; implement the protocol to keep meteorites
/// in a database of an app's own.
public protocol MeteoriteRepository: Sendable {
  /// Opens what has to be opened, and tells what was found; every other call does it by itself.
  @discardableResult
  func open() async throws -> OpeningReport

  /// The content as it is now.
  func snapshot() async throws -> Snapshot<Meteorite>

  /// Applies changes and the checkpoint that describes them in one step, whole or not at all.
  @discardableResult
  func commit(
    _ changes: Changes<Meteorite>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision

  /// The content as it is now, and then the newest after each change.
  func updates() throws -> SnapshotUpdates<Meteorite>

  /// Ends the use.
  func close() async throws
}
