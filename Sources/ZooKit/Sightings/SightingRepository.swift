public import FieldCore

/// Where a zoo keeps the user's sightings; their photos are in a `BlobStore`.
///
/// ``StoredSightings`` is the one over any record store; implement the protocol to keep sightings in a
/// database of an app's own. The checkpoint is as precious as the sightings: it holds the counter that
/// their numbers come from.
public protocol SightingRepository: Sendable {
  /// Opens what has to be opened, and tells what was found; every other call does it by itself.
  @discardableResult
  func open() async throws -> OpeningReport

  /// The sightings as they are now.
  func snapshot() async throws -> Snapshot<Sighting>

  /// Applies changes and the checkpoint that describes them in one step, whole or not at all.
  ///
  /// - Throws: `FieldError` with the code `store.conflict` when the content is not that of the
  ///   revision `expecting`; two sightings would have one number else.
  @discardableResult
  func commit(
    _ changes: Changes<Sighting>, checkpoint: Checkpoint?, expecting: Revision?
  ) async throws -> Revision

  /// The sightings as they are now, and then the newest after each change.
  func updates() throws -> SnapshotUpdates<Sighting>

  /// Removes what openings of the store have set aside, because everything is erased.
  ///
  /// Does nothing by default.
  func removeSetAside() async throws

  /// Ends the use.
  func close() async throws
}

extension SightingRepository {
  /// Does nothing.
  public func removeSetAside() async throws {}
}
