package import FieldCore

/// A walk that has ended but isn't saved yet.
package struct FinishedWalk: Sendable {
  /// The walk, without its photos and without the reference to its route.
  package var walk: Walk
  /// The route, which is empty if no fix was accepted.
  package var route: WalkRoute
  /// The photos, in the order in which they were taken.
  package var photos: [DraftPhoto]
  /// The store of the photos' bytes.
  package var drafts: any BlobStore

  package init(walk: Walk, route: WalkRoute, photos: [DraftPhoto], drafts: any BlobStore) {
    self.walk = walk
    self.route = route
    self.photos = photos
    self.drafts = drafts
  }

  /// Returns the bytes of a photo.
  ///
  /// - Throws: `FieldError` with the code `walks.blobMissing` if the bytes no longer exist.
  package func bytes(of photo: DraftPhoto) async throws -> [UInt8] {
    guard let bytes = try await drafts.bytes(of: photo.blob) else {
      throw FieldError(.blobMissing, "The bytes of the photo \(photo.id) no longer exist.")
    }
    return bytes
  }
}
