public import FieldFoundation

/// Where an ``AssetCache`` may keep its files, as a ``StorageProvider`` says.
public struct AssetDirectory: Sendable, Hashable {
  /// The directory, which is made on first use.
  public var url: URL
  /// Whether files may be written and removed there.
  public var access: StoreAccess

  /// Makes a directory's description.
  public init(_ url: URL, access: StoreAccess = .readWrite) {
    self.url = url
    self.access = access
  }
}
