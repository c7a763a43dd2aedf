public import FieldFoundation

/// A store that keeps each blob in a file of a directory, named by its content.
///
/// Only the process that holds a lease knows of it. To protect blobs that another process has
/// stored but not yet referred to, a sweep also spares unclaimed files younger than `grace`.
public final class FileBlobStore: BlobStore {
  private struct Place: Sendable {
    var path: String
    var leases: BlobLeases
  }

  private let givenPath: String
  private let resolved = Lock<Place?>(nil)
  private let access: StoreAccess
  let fileSystem: any FileSystem
  private let clock: any FieldClock
  let grace: Duration
  private let asyncLock = AsyncLock()

  /// Creates a store in a directory, which is created when the first blob is stored.
  ///
  /// - Parameters:
  ///   - directory: A file URL.
  ///   - access: Whether blobs may be stored and removed.
  ///   - grace: The time during which sweeps spare a new blob.
  ///   - protection: The protection of the files while the device is locked. Defaults to that of
  ///     the app's files.
  ///   - allowsNetworkVolumes: Pass `true` if the directory may be on a network volume, whose locks
  ///     and syncs you trust. Defaults to `false`.
  ///   - clock: The clock that determines the age of files.
  public convenience init(
    _ directory: URL, access: StoreAccess = .readWrite, grace: Duration = .seconds(3600),
    protection: FileProtection? = nil, allowsNetworkVolumes: Bool = false,
    clock: any FieldClock = .system
  ) {
    let placement = FilePlacement(
      protection: protection, allowsNetworkVolumes: allowsNetworkVolumes)
    self.init(
      path: directory.absolutePath, access: access, grace: grace, clock: clock,
      fileSystem: PlacedFileSystem(PosixFileSystem(), placement))
  }

  package init(
    path: String, access: StoreAccess = .readWrite, grace: Duration, clock: any FieldClock,
    fileSystem: any FileSystem
  ) {
    givenPath = path
    self.access = access
    self.grace = grace
    self.clock = clock
    self.fileSystem = fileSystem
  }

  /// Stores the bytes; when the method returns, they are on the device under their name.
  @concurrent
  public func put(_ bytes: [UInt8]) async throws -> BlobLease {
    try checkWritable()
    let id = BlobID(of: bytes)
    let lease = leases.lease(id)
    try await exclusively("The blob \(id) can't be stored.") {
      try self.fileSystem.makeDirectories(self.path)
      return true
    } then: {
      try self.write(bytes, as: id)
    }
    return lease
  }

  /// A file that becomes a blob. Only a process that holds the lock has one.
  var temporary: String { path + "/.new" }

  /// Removes the file of a process that died while storing a blob. The caller holds the lock.
  func removeLeftover() throws(FileSystemError) { try fileSystem.removeIfThere(temporary) }

  private func write(_ bytes: [UInt8], as id: BlobID) throws(FileSystemError) {
    // An existing blob may be claimed, and stays so.
    let isNew = try fileSystem.status(at: file(of: id)) == nil
    do throws(FileSystemError) {
      if isNew { try markNew(id) }
      // Written even if a file with this name exists, because it may be damaged or not yet synced.
      try write(bytes, to: temporary)
      try fileSystem.rename(temporary, to: file(of: id))
    } catch {
      // The first error is the one that matters. The next put or sweep removes the leftovers.
      _ = try? removeLeftover()
      if isNew { _ = try? removeMarkOfNothing(id) }
      throw error
    }
    try fileSystem.syncDirectory(path)
  }

  private func write(_ bytes: [UInt8], to path: String) throws(FileSystemError) {
    try fileSystem.removeIfThere(path)
    let new = try fileSystem.makeFile(path) { new throws(FileSystemError) in
      try fileSystem.write(bytes, to: new, at: 0)
      try fileSystem.sync(new)
    }
    try fileSystem.closeFile(new)
  }

  /// Removes a mark without a blob. A rename that failed may have taken effect.
  private func removeMarkOfNothing(_ id: BlobID) throws(FileSystemError) {
    if try fileSystem.status(at: file(of: id)) == nil {
      try fileSystem.removeIfThere(mark(of: id))
    }
  }

  /// Returns the bytes of a blob, or `nil` if the blob doesn't exist.
  @concurrent
  public func bytes(of id: BlobID) async throws -> [UInt8]? {
    guard let bytes = try read(id) else { return nil }
    guard BlobID(of: bytes) == id else {
      throw FieldError(
        .damaged, "The blob \(id) is damaged. Remove it.")
    }
    return bytes
  }

  private func read(_ id: BlobID) throws -> [UInt8]? {
    try FileSystemError.explained("The blob \(id) can't be read.") {
      guard let open = try fileSystem.openIfThere(file(of: id), .reading) else { return nil }
      // Nothing was written, so closing can't lose data.
      defer { _ = try? fileSystem.closeFile(open) }
      // A large file that is damaged, such as a sparse one, isn't read into memory. No bytes have
      // another hash, too.
      return try isWorthReading(open, as: id) ? try fileSystem.readAll(open) : []
    }
  }

  private func isWorthReading(_ file: OpenFile, as id: BlobID) throws(FileSystemError) -> Bool {
    if try fileSystem.status(of: file).size <= 1 << 24 { return true }
    var place = 0
    return try BlobID { () throws(FileSystemError) in
      let part = try fileSystem.read(file, at: place, count: 1 << 20)
      place += part.count
      return part
    } == id
  }

  /// Returns a Boolean value that indicates whether a file with the blob's name exists.
  @concurrent
  public func contains(_ id: BlobID) async throws -> Bool {
    try FileSystemError.explained("The status of the blob \(id) can't be read.") {
      try fileSystem.status(at: file(of: id)) != nil
    }
  }

  /// Returns the size and the path of the blob's file, or `nil` if the file doesn't exist.
  @concurrent
  public func status(of id: BlobID) async throws -> BlobStatus? {
    try FileSystemError.explained("The status of the blob \(id) can't be read.") {
      let file = file(of: id)
      guard let status = try fileSystem.status(at: file), !status.isDirectory else { return nil }
      return BlobStatus(byteCount: status.size, file: URL(filePath: file))
    }
  }

  /// Removes a blob if it exists and isn't leased in this process.
  @concurrent
  public func remove(_ id: BlobID) async throws {
    try checkWritable()
    try remove(id, since: nil)
  }

  /// Removes a blob, unless it is in use, or leased in this process during the call.
  @concurrent
  public func remove(
    _ id: BlobID, unless isInUse: @Sendable () async throws -> Bool
  ) async throws {
    try checkWritable()
    try await leases.removing { start in
      if try await !isInUse() { try remove(id, since: start) }
    }
  }

  private func remove(_ id: BlobID, since start: Int?) throws {
    try FileSystemError.explained("The blob \(id) can't be removed.") {
      let isRemoved = try leases.unlessLeased(id, since: start) { () throws(FileSystemError) in
        try fileSystem.removeIfThere(file(of: id))
      }
      if isRemoved { removeMarks(ofRemoved: [id]) }
    }
  }

  /// Removes the blobs that aren't in `ids`, aren't leased, and are older than the grace period.
  @concurrent
  @discardableResult
  public func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    try checkWritable()
    return try await sweep(keeping: ids, since: nil, claimed: [])
  }

  /// Marks the spared blobs as unclaimed, so that a later sweep removes them.
  private func sweep(
    keeping ids: Set<BlobID>, since start: Int?, claimed: Set<BlobID>
  ) async throws -> Set<BlobID> {
    try await exclusively("The unused blobs can't be removed.") {
      try self.fileSystem.status(at: self.path) != nil
    } then: {
      var removed: Set<BlobID> = []
      try self.removeLeftover()
      for name in try self.fileSystem.names(in: self.path) {
        guard let id = BlobID(hexadecimal: name), !ids.contains(id) else { continue }
        let grace = claimed.contains(id) ? nil : self.grace
        if try self.sweep(id, since: start, grace: grace) {
          removed.insert(id)
        } else {
          try self.release(id)
        }
      }
      self.removeMarks(ofRemoved: removed)
      return removed
    } ?? []
  }

  /// Removes the blobs that are neither in the result of `ids` nor leased in this process during
  /// the call.
  ///
  /// The grace period protects only blobs that weren't claimed when the call began.
  @concurrent
  @discardableResult
  public func sweep(
    keepingThoseOf ids: @Sendable () async throws -> Set<BlobID>
  ) async throws -> Set<BlobID> {
    try checkWritable()
    return try await leases.removing { start in
      let claimed = try claimedBlobs()
      return try await sweep(keeping: try await ids(), since: start, claimed: claimed)
    }
  }

  /// Removes a blob unless it is leased or in its grace period; returns whether it did.
  func sweep(
    _ id: BlobID, since start: Int?, grace: Duration?
  ) throws(FileSystemError) -> Bool {
    guard let status = try fileSystem.status(at: file(of: id)) else { return false }
    if let grace {
      let age = clock.now.timeIntervalSince1970 - Double(status.modified) / 1e9
      guard age >= Double(grace.components.seconds) else { return false }
    }
    return try leases.unlessLeased(id, since: start) { () throws(FileSystemError) in
      try fileSystem.removeIfThere(file(of: id))
    }
  }

  /// Runs `body` while no other process stores or sweeps, if `prepare` returns `true`.
  @discardableResult
  func exclusively<Result: Sendable>(
    _ message: String, _ prepare: @Sendable () throws -> Bool,
    then body: @Sendable () throws -> Result
  ) async throws -> Result? {
    try await asyncLock.withLock {
      do {
        guard try prepare() else { return nil }
        let lockPath = path + "/.lock"
        if try fileSystem.status(at: lockPath) == nil {
          // Once there is a lock, the names of both directories are on the device.
          try fileSystem.syncName(ofDirectory: path)
          try makeMarks()
          try fileSystem.syncName(ofDirectory: marks)
        }
        let lock = FileLock(
          lockPath, fileSystem: fileSystem, clock: clock, patience: .seconds(30))
        return try await lock.hold {
          try makeMarks()
          return try body()
        }
      } catch let error as FileSystemError {
        throw error.fieldError(message)
      }
    }
  }

  /// The resolved directory and its leases, determined on first use because that needs I/O.
  private var place: Place {
    resolved.withLock { resolved in
      if let resolved { return resolved }
      let path = fileSystem.canonical(givenPath)
      let place = Place(path: path, leases: SharedLeases.leases(of: path))
      resolved = place
      return place
    }
  }

  var path: String { place.path }

  var leases: BlobLeases { place.leases }

  func file(of id: BlobID) -> String { "\(path)/\(id.hexadecimal)" }

  func checkWritable() throws {
    guard access == .readWrite else {
      throw FieldError(.readOnly, "The blobs in \(path) were opened read-only.")
    }
  }
}

/// The leases of this process by directory, shared by the stores of that directory.
private enum SharedLeases {
  private struct Entry: Sendable {
    weak let leases: BlobLeases?
  }

  private static let entries = Lock<[String: Entry]>([:])

  static func leases(of path: String) -> BlobLeases {
    entries.withLock { entries in
      if let leases = entries[path]?.leases { return leases }
      entries = entries.filter { $0.value.leases != nil }
      let leases = BlobLeases()
      entries[path] = Entry(leases: leases)
      return leases
    }
  }
}
