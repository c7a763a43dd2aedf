public import FieldCore

/// The beginning and the end of the use of a diary's repositories, and what changes between.
public protocol WalkStoreLifetime: Sendable {
  /// Opens what has to be opened, and tells what was found; every other call does it by itself.
  ///
  /// A diary calls it again before it removes photos and routes.
  @discardableResult
  func open() async throws -> OpeningReport

  /// Ends the use; later calls throw `closed`.
  func close() async throws

  /// Forgets all pets, walks, places and choices, in one step.
  func eraseAll() async throws

  /// The blobs that records refer to: ``Pet/blobs`` of all pets and ``Walk/blobs`` of all walks.
  ///
  /// When a diary opens, it removes other blobs that nothing has claimed, unless the report of ``open()``
  /// names files that were set aside.
  func blobsInUse() async throws -> Set<BlobID>

  /// What has changed, each time that something has.
  func updates() -> WalkDiaryUpdates
}
