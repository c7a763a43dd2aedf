public import FieldCore

/// A type that opens, closes, erases, and observes a diary's repositories.
public protocol WalkStoreLifetime: Sendable {
  /// Opens the repositories and reports what was found.
  ///
  /// All other calls open them, too. A diary calls this method again before it removes photos and
  /// routes.
  @discardableResult
  func open() async throws -> OpeningReport

  /// Closes the repositories; later calls throw `store.closed`.
  func close() async throws

  /// Deletes all pets, walks, places, and settings, in one step.
  func eraseAll() async throws

  /// Returns once everything that the repositories contain survives a power failure.
  ///
  /// A diary calls this method before it removes the recording of a saved walk. By default, it does
  /// nothing, for repositories that contain only what is durable.
  func makeDurable() async throws

  /// Returns the blobs that records refer to: ``Pet/blobs`` of all pets and ``Walk/blobs`` of all
  /// walks.
  ///
  /// Because other blobs are then removed, a record whose removal isn't durable yet counts.
  /// When a diary opens, it removes other blobs that nothing has claimed, unless the report of
  /// ``open()`` lists files that were set aside.
  func blobsInUse() async throws -> Set<BlobID>

  /// Returns the changes as they happen.
  func updates() -> WalkDiaryUpdates
}

extension WalkStoreLifetime {
  /// Does nothing.
  public func makeDurable() async throws {}
}
