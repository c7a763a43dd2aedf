public import FieldFoundation

/// A place where kits keep their data.
///
/// ```swift
/// let field = Field(storage: .directory(folder), transport: URLSessionTransport())
/// let preview = Field(storage: .inMemory, transport: stub)
/// ```
///
/// To create a custom storage, wrap your own ``StorageProvider``.
public struct Storage: StorageProvider {
  private let provider: any StorageProvider

  /// Creates a storage from a provider of stores.
  ///
  /// ```swift
  /// let storage = Storage(provider)
  /// let field = Field(storage: storage, transport: transport)
  /// ```
  public init(_ provider: some StorageProvider) { self.provider = provider }

  /// A new storage in memory, which shares nothing with others.
  ///
  /// ```swift
  /// let preview = Zoo(storage: .inMemory, transport: transport)
  /// ```
  public static var inMemory: Storage { Storage(InMemoryStorage()) }

  /// Returns a storage of files in a directory, which is created on first use.
  ///
  /// Storages of the same directory share their stores within a process, and processes can share a
  /// directory. A container that the system synchronizes with iCloud can't be used, because the
  /// system replaces files in it at any time; the stores throw ``FieldError/Code/remoteVolume``.
  ///
  /// ```swift
  /// let catalog = MeteoriteCatalog(storage: .directory(folder), transport: transport)
  /// let reader = Storage.directory(folder, access: .readOnly)
  /// ```
  ///
  /// - Parameters:
  ///   - url: A file URL.
  ///   - access: Whether the stores may be changed.
  ///   - durability: The point at which a commit is complete.
  ///   - protection: The protection of the files while the device is locked. Defaults to that of
  ///     the app's files. Existing blobs and assets keep the one that they were written with.
  ///   - allowsNetworkVolumes: Pass `true` if the directory may be on a network volume, whose locks
  ///     and syncs you trust. By default, the stores throw ``FieldError/Code/remoteVolume`` there.
  ///   - clock: The clock of the stores.
  public static func directory(
    _ url: URL, access: StoreAccess = .readWrite, durability: Durability = .full,
    protection: FileProtection? = nil, allowsNetworkVolumes: Bool = false,
    clock: any FieldClock = .system
  ) -> Storage {
    Storage(
      DirectoryStorage(
        access: access, durability: durability, protection: protection,
        allowsNetworkVolumes: allowsNetworkVolumes, clock: clock
      ) { url })
  }

  /// Returns a storage of files in the platform's directory for application data.
  ///
  /// The files are in a directory with the given name in Application Support on Apple platforms,
  /// and in `$XDG_DATA_HOME` or `~/.local/share` on other platforms.
  ///
  /// Assets, which can be fetched again, are in a directory with that name in Caches on Apple
  /// platforms, and in `$XDG_CACHE_HOME` or `~/.cache` on other platforms. The system may empty it,
  /// and backups don't include it.
  ///
  /// If the name can't be that of a directory, the first use of a store throws an error. So it does
  /// on tvOS, where apps have no directory that the system doesn't empty: choose one with
  /// ``directory(_:access:durability:protection:allowsNetworkVolumes:clock:)``.
  ///
  /// ```swift
  /// let field = Field(storage: .application("my-app"), transport: transport)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the directories.
  ///   - access: Whether the stores may be changed.
  ///   - durability: The point at which a commit is complete.
  ///   - protection: The protection of the files while the device is locked. Defaults to that of
  ///     the app's files. Existing blobs and assets keep the one that they were written with.
  ///   - allowsNetworkVolumes: Pass `true` if the directories may be on a network volume, such as a
  ///     home directory of a server. By default, the stores throw
  ///     ``FieldError/Code/remoteVolume`` there.
  ///   - clock: The clock of the stores.
  public static func application(
    _ name: String, access: StoreAccess = .readWrite, durability: Durability = .full,
    protection: FileProtection? = nil, allowsNetworkVolumes: Bool = false,
    clock: any FieldClock = .system
  ) -> Storage {
    Storage(
      DirectoryStorage(
        access: access, durability: durability, protection: protection,
        allowsNetworkVolumes: allowsNetworkVolumes, clock: clock
      ) {
        try ApplicationDirectory.url(environment: ProcessInfo.processInfo.environment)
          .appending(path: StorageName(name).rawValue)
      } assetDirectory: {
        try ApplicationDirectory.caches(environment: ProcessInfo.processInfo.environment)
          .appending(path: StorageName(name).rawValue)
      })
  }

  /// Returns the store of records with a name.
  public func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    try provider.records(name, of: type)
  }

  /// Returns the store of blobs with a name.
  public func blobs(_ name: String) throws -> any BlobStore { try provider.blobs(name) }

  /// Returns the directory of the ``AssetCache`` with a name, or `nil` to keep assets in memory
  /// only.
  public func assets(_ name: String) throws -> AssetDirectory? { try provider.assets(name) }

  /// Returns the directory of journals with a name.
  public func journals(_ name: String) throws -> JournalDirectory { try provider.journals(name) }

  /// The observer of the stores and of the kits that use them; `nil` if there is none.
  public var observer: FieldObserver? { provider.observer }

  /// Returns a storage of the same stores that reports to an observer.
  ///
  /// ```swift
  /// let observer = FieldObserver { print($0) }
  /// let field = Field(storage: .directory(folder).observed(by: observer), transport: transport)
  /// ```
  ///
  /// A storage can have several observers. If storages of the same directory are observed, all
  /// their observers receive the events of a store that they share.
  public func observed(by observer: FieldObserver) -> Storage {
    let provider: any StorageProvider = provider.observed(by: observer)
    return Storage(provider)
  }
}

/// The platform's directories for application data.
package enum ApplicationDirectory {
  /// Returns the directory for persistent data, which may not exist yet.
  package static func url(environment: [String: String]) throws -> URL {
    #if os(tvOS)
      // On a device, Application Support can't be written; in the simulator, it can.
      throw FieldError(
        .io,
        "tvOS keeps no files permanently. If the system may delete them, use .directory(url) with a "
          + "directory in URL.cachesDirectory; otherwise, keep the data on a server.")
    #elseif canImport(Darwin)
      return URL.applicationSupportDirectory
    #else
      return try xdg("XDG_DATA_HOME", or: ".local/share", environment)
    #endif
  }

  /// Returns the directory for caches, which may not exist yet.
  package static func caches(environment: [String: String]) throws -> URL {
    #if canImport(Darwin)
      return URL.cachesDirectory
    #else
      return try xdg("XDG_CACHE_HOME", or: ".cache", environment)
    #endif
  }

  #if !canImport(Darwin)
    /// According to the XDG Base Directory Specification, a path that isn't absolute must be
    /// ignored.
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

/// An alias of ``Storage`` for files that also import another module's `Storage`, such as Vapor's.
public typealias FieldStorage = Storage
