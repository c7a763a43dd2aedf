public import FieldCore

/// Where a diary keeps everything: its repositories, bundled.
///
/// ``storage(_:)`` keeps all of it in a `Storage`, in memory or in files. A backend of your own is made of
/// repositories of your own, and any of them can be replaced by one that wraps it; see
/// <doc:Keeping-walks-elsewhere>.
public struct WalkBackend: Sendable {
  /// The pets.
  public var pets: any PetRepository
  /// The walks.
  public var walks: any WalkRepository
  /// The places.
  public var places: any PlaceRepository
  /// The owner's choices.
  public var settings: any WalkSettings
  /// What takes imports.
  public var batches: any WalkBatchRepository
  /// The bytes of photos and routes.
  public var blobs: any BlobStore
  /// What opens, closes, erases and observes all of it.
  public var lifetime: any WalkStoreLifetime
  /// What gets news from elsewhere; nil for a backend that is here.
  public var source: (any WalkRefreshing)?

  /// Bundles repositories.
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

  /// Bundles one value that is all of the repositories.
  public init(
    _ repositories: some PetRepository & WalkRepository & PlaceRepository & WalkSettings
      & WalkBatchRepository & WalkStoreLifetime,
    blobs: any BlobStore
  ) {
    self.init(
      pets: repositories, walks: repositories, places: repositories, settings: repositories,
      batches: repositories, blobs: blobs, lifetime: repositories)
  }

  /// Everything in a storage: the records and the blobs of the name ``StoredWalks/storeName``.
  public static func storage(_ storage: Storage) -> WalkBackend {
    WalkBackend(
      StoredWalks(storage: storage),
      blobs: storage.blobStore(StoredWalks.storeName))
  }
}
