public import FieldCore

/// The repositories in which a diary keeps its data.
///
/// ``storage(_:)`` keeps everything in a `Storage`, in memory or in files. To use another backend,
/// implement the repositories yourself, or replace any of them with a decorator; see
/// <doc:Keeping-walks-elsewhere>.
public struct WalkBackend: Sendable {
  /// The repository of pets.
  public var pets: any PetRepository
  /// The repository of walks.
  public var walks: any WalkRepository
  /// The repository of places.
  public var places: any PlaceRepository
  /// The owner's settings.
  public var settings: any WalkSettings
  /// The repository that stores imports.
  public var batches: any WalkBatchRepository
  /// The store for the bytes of photos and routes.
  public var blobs: any BlobStore
  /// The lifetime object that opens, closes, erases, and observes everything.
  public var lifetime: any WalkStoreLifetime
  /// The object that fetches news from elsewhere; `nil` if the backend is on this device.
  public var source: (any WalkRefreshing)?

  /// Creates a backend from its repositories.
  public init(
    pets: any PetRepository, walks: any WalkRepository, places: any PlaceRepository,
    settings: any WalkSettings, batches: any WalkBatchRepository, blobs: any BlobStore,
    lifetime: any WalkStoreLifetime, source: (any WalkRefreshing)? = nil
  ) {
    self.pets = pets
    self.walks = walks
    self.places = places
    self.settings = settings
    self.batches = batches
    self.blobs = blobs
    self.lifetime = lifetime
    self.source = source
  }

  /// Creates a backend from one value that conforms to all repository protocols.
  public init(
    _ repositories: some PetRepository & WalkRepository & PlaceRepository & WalkSettings
      & WalkBatchRepository & WalkStoreLifetime,
    blobs: any BlobStore
  ) {
    self.init(
      pets: repositories, walks: repositories, places: repositories, settings: repositories,
      batches: repositories, blobs: blobs, lifetime: repositories)
  }

  /// Returns a backend that keeps records and blobs in a storage, under ``StoredWalks/storeName``.
  public static func storage(_ storage: Storage) -> WalkBackend {
    WalkBackend(StoredWalks(storage: storage), blobs: storage.blobStore(StoredWalks.storeName))
  }

  /// Runs a closure that removes or replaces records, and then removes those of their blobs that
  /// nothing refers to anymore.
  ///
  /// The blobs are swept instead of being removed individually. A sweep spares blobs that are on
  /// lease and, in files, recent ones that another process may be about to refer to. Those are
  /// removed at a later opening, and so is anything that can't be removed now. Only the records
  /// matter.
  package func releasing<Result: Sendable>(
    _ ids: Set<BlobID>, _ body: () async throws -> Result
  ) async throws -> Result {
    guard !ids.isEmpty else { return try await body() }
    // Releases the blobs first, so that they are removed even if this process is killed in between.
    // If that fails, they stay, or the sweep below releases them.
    try? await blobs.release(ids)
    let result: Result
    do {
      result = try await body()
    } catch {
      await claim(ids)
      throw error
    }
    try? await sweepBlobs(releasing: ids)
    return result
  }

  /// Claims blobs whose records are durable. If that fails, the next sweep does it.
  func claim(_ ids: Set<BlobID>) async { try? await blobs.claim(ids) }

  /// Removes the blobs that no record refers to any longer.
  package func sweepBlobs(releasing ids: Set<BlobID> = []) async throws {
    try await blobs.sweepUnclaimed(releasing: ids) {
      // Opened first, because a failed commit may have reappeared.
      _ = try await lifetime.open()
      let blobs = try await lifetime.blobsInUse()
      // Call this last, because a part is set aside before it is cut off.
      return try await lifetime.open().hasUnreadParts ? nil : blobs
    }
  }
}
