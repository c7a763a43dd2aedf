public import FieldFoundation

/// A directory in which an ``AssetCache`` may keep its files, as returned by a ``StorageProvider``.
public struct AssetDirectory: Sendable, Hashable {
  /// The directory, which is created on first use.
  public var url: URL
  /// The kind of access: whether files may be written and removed.
  public var access: StoreAccess
  /// The protection of the files while the device is locked, or `nil` for that of the app's files.
  public var protection: FileProtection?
  /// A Boolean value that indicates whether the directory may be on a network volume.
  public var allowsNetworkVolumes: Bool

  /// Creates a description of a directory.
  public init(
    _ url: URL, access: StoreAccess = .readWrite, protection: FileProtection? = nil,
    allowsNetworkVolumes: Bool = false
  ) {
    self.url = url
    self.access = access
    self.protection = protection
    self.allowsNetworkVolumes = allowsNetworkVolumes
  }

  /// Assets can be fetched again, so backups don't include them.
  var placement: FilePlacement {
    FilePlacement(
      protection: protection, isBackedUp: false, allowsNetworkVolumes: allowsNetworkVolumes)
  }
}
