internal import FieldCore
public import FieldFoundation

extension WalkDiary {
  /// Returns the bytes of a photo in the diary, or of a remote one, which is downloaded once and
  /// cached.
  ///
  /// ```swift
  /// for photo in finished.photos { show(try await diary.photo(photo)) }
  /// ```
  ///
  /// - Throws: `FieldError` with the code `walks.blobMissing` if the photo doesn't exist anymore
  ///   and `store.damaged` if its bytes are damaged. For a remote photo, the codes of the cache and
  ///   the transport, such as `asset.tooLarge` if it exceeds the diary's `photoLimits`.
  public func photo(_ photo: WalkPhoto) async throws -> Data {
    try await core.read("The photo can't be read.") { try await core.bytes(of: photo) }
  }

  /// Returns the portrait of a pet, or `nil` if it has none.
  ///
  /// ```swift
  /// if let portrait = try await diary.portrait(of: mesh.id) { print(portrait.count) }
  /// ```
  ///
  /// - Throws: The same errors as ``photo(_:)``, and `walks.unknownPet`.
  public func portrait(of id: Pet.ID) async throws -> Data? {
    guard let pet = try await pet(id) else { throw FieldError.unknownPet(id) }
    guard let photo = pet.photo else { return nil }
    return try await self.photo(photo)
  }

  /// Returns the photos of a walk one by one, in the order in which they were taken.
  ///
  /// If a photo can't be loaded, its element contains the error, and the others follow. A few
  /// photos are loaded ahead.
  ///
  /// ```swift
  /// if let last = try await diary.walks().walks.first {
  ///   for await photo in diary.photos(of: last) { print(photo.index, try photo.data.get().count) }
  /// }
  /// ```
  public func photos(of walk: Walk) -> WalkPhotos {
    WalkPhotos(photos: walk.photos) { [core] photo in
      try await core.read("The photo can't be read.") { try await core.bytes(of: photo) }
    }
  }

  /// Removes cached photos that were deleted. They could be downloaded again, so failures don't
  /// matter.
  func forgetFetched(_ photos: [WalkPhoto]) async {
    for photo in photos {
      guard let request = photo.request else { continue }
      try? await core.assets.remove(request)
    }
  }
}

extension DiaryCore {
  @concurrent
  func bytes(of photo: WalkPhoto) async throws -> Data {
    if let blob = photo.blob {
      if let bytes = try await stored.blobs.bytes(of: blob) { return Data(bytes) }
    } else if let request = photo.request {
      return try await assets.asset(for: request).data
    }
    throw FieldError(.blobMissing, "The photo \(photo.id) no longer exists.")
  }
}

extension WalkPhoto {
  /// The request to the cache for a remote photo. The addresses of Firebase Storage contain a token
  /// that can change while the photo doesn't, so the cache key omits it.
  var request: AssetRequest? {
    guard blob == nil, let url else { return nil }
    let parts = url.absoluteString.split(separator: "?", maxSplits: 1)
    guard parts.count == 2, parts[1].contains(bytesOf: "token=") else { return AssetRequest(url) }
    let rest = parts[1].split(separator: "&").filter { !$0.hasPrefix("token=") }
    return AssetRequest(url, key: "walk photo \(parts[0])?\(rest.joined(separator: "&"))")
  }
}
