public import FieldCore

/// The beginning and the end of the use of a diary's repositories, and what changes between.
public protocol WalkStoreLifetime: Sendable {
  /// Opens what has to be opened, and tells what was found; every other call does it by itself.
  @discardableResult
  func open() async throws -> OpeningReport

  /// Ends the use; later calls throw `closed`.
  func close() async throws

  /// Forgets all pets, walks, places and choices, in one step.
  func eraseAll() async throws

  /// The blobs that records refer to: ``Pet/blobs`` of all pets and ``Walk/blobs`` of all walks. All
  /// others are removed when a diary opens.
  func blobsInUse() async throws -> Set<BlobID>

  /// What has changed, each time that something has.
  func updates() -> WalkDiaryUpdates
}
