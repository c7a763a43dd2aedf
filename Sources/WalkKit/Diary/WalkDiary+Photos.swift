internal import FieldCore
public import FieldFoundation

extension WalkDiary {
  /// The bytes of a photo: one of the diary's own, or one that is elsewhere, which is fetched once and
  /// kept.
  ///
  /// - Throws: `FieldError` with the code `blobMissing` when the photo is nowhere, `damaged` when its
  ///   bytes are not those that were stored, and the codes of the cache and the transport for a photo
  ///   that is elsewhere: `asset.tooLarge` if it is larger than the diary's `photoLimits` allow.
  public func photo(_ photo: WalkPhoto) async throws -> Data {
    try await core.read("the photo cannot be read") { try await core.bytes(of: photo) }
  }

  /// The portrait of a pet; nil when it has none.
  ///
  /// - Throws: As ``photo(_:)``, and `unknownPet`.
  public func portrait(of id: Pet.ID) async throws -> Data? {
    guard let pet = try await pet(id) else { throw FieldError.unknownPet(id) }
    guard let photo = pet.photo else { return nil }
    return try await self.photo(photo)
  }

  /// The photos of a walk one by one, in the order in which they were taken.
  ///
  /// A photo that cannot be had is told in its place, and those behind it come all the same. A few are
  /// loaded ahead of the one that is waited for.
  public func photos(of walk: Walk) -> WalkPhotos {
    WalkPhotos(photos: walk.photos) { [core] photo in
      try await core.read("the photo cannot be read") { try await core.bytes(of: photo) }
    }
  }

  /// Forgets what was fetched of photos that are gone. It can be fetched again, so it does no harm where
  /// it stays.
  func forgetFetched(_ photos: [WalkPhoto]) async {
    for photo in photos {
      guard let request = photo.request else { continue }
      do {
        try await core.assets.remove(request)
      } catch {}
    }
  }
}

extension DiaryCore {
  /// The bytes of a photo.
  @concurrent
  func bytes(of photo: WalkPhoto) async throws -> Data {
    if let blob = photo.blob {
      if let bytes = try await backend.blobs.bytes(of: blob) { return Data(bytes) }
    } else if let request = photo.request {
      return try await assets.asset(for: request).data
    }
    throw FieldError(.blobMissing, "the photo \(photo.id) is not there any more")
  }
}

extension WalkPhoto {
  /// What the cache is asked with for a photo that is elsewhere. Addresses of Firebase Storage carry a
  /// token that changes while the photo does not, so the cache knows it without.
  var request: AssetRequest? {
    guard blob == nil, let url else { return nil }
    let parts = url.absoluteString.split(separator: "?", maxSplits: 1)
    guard parts.count == 2, parts[1].contains("token=") else { return AssetRequest(url) }
    let rest = parts[1].split(separator: "&").filter { !$0.hasPrefix("token=") }
    return AssetRequest(url, key: "walk photo \(parts[0])?\(rest.joined(separator: "&"))")
  }
}
