public import FieldFoundation

/// Where kits keep their data.
///
/// ```swift
/// let field = Field(storage: .directory(folder), transport: URLSessionTransport())
/// let preview = Field(storage: .inMemory, transport: stub)
/// ```
///
/// A storage of your own wraps a ``StorageProvider``.
public struct Storage: StorageProvider {
  private let provider: any StorageProvider

  /// Makes a storage from what gives the stores.
  public init(_ provider: some StorageProvider) { self.provider = provider }

  /// A new storage in memory, which shares nothing with another.
  public static var inMemory: Storage { Storage(InMemoryStorage()) }

  /// Files in a directory, which is made on first use.
  ///
  /// Storages of equal directories share their stores within the process, and processes may share a
  /// directory.
  public static func directory(
    _ url: URL, access: StoreAccess = .readWrite, durability: Durability = .full,
    clock: any FieldClock = .system
  ) -> Storage {
    Storage(DirectoryStorage(access: access, durability: durability, clock: clock) { url })
  }

  /// Files in the directory of this name in the place that the platform has for applications' data:
  /// Application Support on Apple platforms, `$XDG_DATA_HOME` or `~/.local/share` elsewhere.
  ///
  /// Assets, which can be fetched again, are in a directory of this name in the place for caches: Caches
  /// on Apple platforms, `$XDG_CACHE_HOME` or `~/.cache` elsewhere. The system may empty it, and backups
  /// leave it out.
  ///
  /// A name that cannot be a directory's is an error of the first store that is asked for.
  public static func application(
    _ name: String, access: StoreAccess = .readWrite, durability: Durability = .full,
    clock: any FieldClock = .system
  ) -> Storage {
    Storage(
      DirectoryStorage(access: access, durability: durability, clock: clock) {
        try ApplicationDirectory.url(environment: ProcessInfo.processInfo.environment)
          .appending(path: StorageName(name).rawValue)
      } assetDirectory: {
        try ApplicationDirectory.caches(environment: ProcessInfo.processInfo.environment)
          .appending(path: StorageName(name).rawValue)
      })
  }

  /// The store of records of this name.
  public func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    try provider.records(name, of: type)
  }

  /// The store of blobs of this name.
  public func blobs(_ name: String) throws -> any BlobStore { try provider.blobs(name) }

  /// Where the ``AssetCache`` of this name keeps its files; nil for memory alone.
  public func assets(_ name: String) throws -> AssetDirectory? { try provider.assets(name) }

  /// Where the journals of this name are kept.
  public func journals(_ name: String) throws -> JournalDirectory { try provider.journals(name) }
}

/// Where a platform keeps the data of applications.
package enum ApplicationDirectory {
  /// The directory, which need not be there.
  package static func url(environment: [String: String]) throws -> URL {
    #if canImport(Darwin)
      return URL.applicationSupportDirectory
    #else
      return try xdg("XDG_DATA_HOME", or: ".local/share", environment)
    #endif
  }

  /// The directory of what can be made anew, which need not be there.
  package static func caches(environment: [String: String]) throws -> URL {
    #if canImport(Darwin)
      return URL.cachesDirectory
    #else
      return try xdg("XDG_CACHE_HOME", or: ".cache", environment)
    #endif
  }

  #if !canImport(Darwin)
    /// The XDG Base Directory Specification: a path that is not absolute is to be ignored.
    private static func xdg(
      _ name: String, or place: String, _ environment: [String: String]
    ) throws -> URL {
      if let path = environment[name], path.hasPrefix("/") { return URL(filePath: path) }
      guard let home = environment["HOME"], home.hasPrefix("/") else {
        throw FieldError(
          .io, "There is no home directory. Set HOME or \(name), or use .directory(url).")
      }
      return URL(filePath: home).appending(path: place)
    }
  #endif
}

/// Another name of ``Storage``, for files that import a module with a `Storage` of its own, such as Vapor.
public typealias FieldStorage = Storage
