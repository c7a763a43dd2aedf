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

  /// Returns the bytes of a photo, or `nil` if they are missing or damaged, which shouldn't keep the
  /// walk from being saved.
  func bytes(of photo: DraftPhoto) async throws -> [UInt8]? {
    do {
      return try await drafts.bytes(of: photo.blob)
    } catch let error as FieldError where error.code == .damaged {
      return nil
    }
  }
}
