package import FieldCore

/// A walk that is over and not saved yet.
package struct FinishedWalk: Sendable {
  /// The walk, without its photos and without the reference to its route.
  package var walk: Walk
  /// The route; empty when no fix was accepted.
  package var route: WalkRoute
  /// The photos in the order in which they were taken.
  package var photos: [DraftPhoto]
  /// What has the bytes of the photos.
  package var drafts: any BlobStore

  package init(walk: Walk, route: WalkRoute, photos: [DraftPhoto], drafts: any BlobStore) {
    self.walk = walk
    self.route = route
    self.photos = photos
    self.drafts = drafts
  }

  /// The bytes of a photo.
  ///
  /// - Throws: `FieldError` with the code `walks.blobMissing` when they are not there any more.
  package func bytes(of photo: DraftPhoto) async throws -> [UInt8] {
    guard let bytes = try await drafts.bytes(of: photo.blob) else {
      throw FieldError(.blobMissing, "The bytes of the photo \(photo.id) no longer exist.")
    }
    return bytes
  }
}
