internal import FieldCore

/// A walk that has ended but isn't saved yet.
struct FinishedWalk: Sendable {
  /// The walk, without its photos and without the reference to its route.
  var walk: Walk
  /// The route, which is empty if no fix was accepted.
  var route: WalkRoute
  /// The photos, in the order in which they were taken.
  var photos: [DraftPhoto]
  /// The store of the photos' bytes.
  var drafts: any BlobStore

  /// Returns the bytes of a photo.
  ///
  /// - Throws: `FieldError` with the code `walks.blobMissing` if the bytes no longer exist.
  func bytes(of photo: DraftPhoto) async throws -> [UInt8] {
    guard let bytes = try await drafts.bytes(of: photo.blob) else {
      throw FieldError(.blobMissing, "The bytes of the photo \(photo.id) no longer exist.")
    }
    return bytes
  }
}
