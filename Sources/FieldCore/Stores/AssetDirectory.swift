public import FieldFoundation

/// A directory in which an ``AssetCache`` may keep its files, as returned by a ``StorageProvider``.
public struct AssetDirectory: Sendable, Hashable {
  /// The directory, which is created on first use.
  public var url: URL
  /// The kind of access: whether files may be written and removed.
  public var access: StoreAccess

  /// Creates a description of a directory.
  public init(_ url: URL, access: StoreAccess = .readWrite) {
    self.url = url
    self.access = access
  }
}
