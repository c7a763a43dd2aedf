public import FieldCore

extension Pet {
  /// The blobs that the pet refers to: its portrait, unless that is remote.
  public var blobs: [BlobID] { [photo?.blob].compactMap { $0 } }
}

extension Walk {
  /// The blobs that the walk refers to: its photos, except remote ones, and its route.
  public var blobs: [BlobID] { (photos.map(\.blob) + [routeBlob]).compactMap { $0 } }
}
