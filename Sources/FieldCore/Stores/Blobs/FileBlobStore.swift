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

// MARK: - Claims

/// A file `.unclaimed/ID` marks each blob that no durable record is known to refer to.
///
/// It is created empty before the blob, and removed once the record is durable. So a blob without such a
/// file is one that a record referred to, even if that record is lost. When the record is removed, the
/// file is created with one byte: such a blob was released, and no lost record can need it.
///
/// The marks have a directory of their own, because listing thousands of blobs takes milliseconds.
extension FileBlobStore {
  /// The end of a mark's name in an earlier version, beside its blob.
  private static let suffix = ".unclaimed"

  var marks: String { path + "/.unclaimed" }

  /// Records that durable records refer to these blobs.
  ///
  /// The directory isn't synced. After a power failure, a blob may be unclaimed again, until the
  /// next sweep finds it in use.
  @concurrent
  public func claim(_ ids: Set<BlobID>) async throws {
    try checkWritable()
    try FileSystemError.explained("The blobs can't be claimed.") {
      let areMoved = try fileSystem.status(at: marks) != nil
      for id in ids {
        try fileSystem.removeIfThere(areMoved ? mark(of: id) : file(of: id) + Self.suffix)
      }
    }
  }

  /// Releases claims, and removes unclaimed blobs older than the grace period that aren't in use or
  /// leased in this process.
  @concurrent
  public func sweepUnclaimed(
    releasing ids: Set<BlobID>, keepingThoseOf blobsInUse: @Sendable () async throws -> Set<BlobID>?
  ) async throws {
    try checkWritable()
    try await leases.removing { start in
      guard try !ids.isEmpty || needsSweep() else { return }
      let used = try await blobsInUse()
      try await exclusively("The unclaimed blobs can't be removed.") {
        try self.fileSystem.status(at: self.path) != nil
      } then: {
        var isNew = false
        for id in ids where used?.contains(id) != true {
          isNew = try !self.isReleased(id) || isNew
          try self.release(id)
        }
        // Otherwise, a power failure might leave the blob claimed without its record.
        if isNew { try self.fileSystem.syncDirectory(self.marks) }
        if let used { try self.sweepMarked(keeping: used, since: start) }
        try self.removeLeftover()
      }
    }
  }

  /// Whether there may be anything to sweep. Finding out which blobs are in use takes longer.
  private func needsSweep() throws -> Bool {
    try FileSystemError.explained("The blobs can't be listed.") {
      if try !markedNames().isEmpty { return true }
      return try fileSystem.status(at: temporary) != nil
    }
  }

  private func sweepMarked(keeping used: Set<BlobID>, since start: Int) throws(FileSystemError) {
    var marked = try markedNames()
    let blobs = try blobNames()
    marked.formUnion(try movingMarks(among: blobs))
    // If a claimed blob isn't in use, records are lost. After a power failure, a mark may reappear, so
    // an unclaimed blob may belong to one of them.
    let isComplete = Self.ids(among: blobs.subtracting(marked)).isSubset(of: used)
    var hasClaimed = false
    var removed: Set<BlobID> = []
    for id in Self.ids(among: marked) {
      if used.contains(id) {
        try fileSystem.removeIfThere(mark(of: id))
        hasClaimed = true
      } else if blobs.contains(id.hexadecimal) {
        let isNeeded = isComplete ? false : try !isReleased(id)
        if !isNeeded, try sweep(id, since: start, grace: grace) { removed.insert(id) }
      } else {
        removed.insert(id)
      }
    }
    if hasClaimed { try fileSystem.syncDirectory(marks) }
    removeMarks(ofRemoved: removed)
  }

  /// Removes the marks of blobs that were removed, once a power failure can't bring back the blobs
  /// without them. The next sweep removes a mark that stays.
  func removeMarks(ofRemoved removed: Set<BlobID>) {
    guard !removed.isEmpty else { return }
    do throws(FileSystemError) {
      try fileSystem.syncDirectory(path)
      for id in removed {
        // A blob that is being stored again needs its mark.
        _ = try leases.unlessLeased(id) { () throws(FileSystemError) in
          try fileSystem.removeIfThere(mark(of: id))
        }
      }
    } catch {}
  }

  /// Returns the blobs that records have referred to.
  func claimedBlobs() throws -> Set<BlobID> {
    try FileSystemError.explained("The blobs can't be listed.") {
      let blobs = try blobNames()
      let marked = oldMarks(among: blobs).union(try markedNames())
      return Self.ids(among: blobs.subtracting(marked))
    }
  }

  private func blobNames() throws(FileSystemError) -> Set<String> {
    try fileSystem.status(at: path) != nil ? Set(try fileSystem.names(in: path)) : []
  }

  private func markedNames() throws(FileSystemError) -> Set<String> {
    try fileSystem.status(at: marks) != nil
      ? Set(try fileSystem.names(in: marks)) : oldMarks(among: try blobNames())
  }

  /// Returns the names of the blobs that an earlier version marked.
  private func oldMarks(among names: Set<String>) -> Set<String> {
    Set(
      names.lazy.filter { $0.hasSuffix(Self.suffix) && $0 != Self.suffix }
        .map { String($0.dropLast(Self.suffix.count)) })
  }

  private static func ids(among names: Set<String>) -> Set<BlobID> {
    Set(names.lazy.compactMap(BlobID.init(hexadecimal:)))
  }

  /// Makes the directory of the marks, and moves those of an earlier version there.
  ///
  /// If that is cut off, the next sweep of marked blobs moves the others.
  func makeMarks() throws(FileSystemError) {
    guard try fileSystem.status(at: marks) == nil else { return }
    let names = try blobNames()
    try fileSystem.makeDirectories(marks)
    try movingMarks(among: names)
  }

  /// Moves the marks of an earlier version, and returns the names of their blobs.
  @discardableResult
  private func movingMarks(among names: Set<String>) throws(FileSystemError) -> Set<String> {
    let old = oldMarks(among: names)
    for name in old {
      do throws(FileSystemError) {
        try fileSystem.rename("\(path)/\(name)\(Self.suffix)", to: "\(marks)/\(name)")
      } catch  where error.isNotFound {
        // Another process has just claimed the blob. If it is in use, the sweep removes its mark again.
      }
    }
    if !old.isEmpty { try fileSystem.syncDirectory(marks) }
    return old
  }

  private func isReleased(_ id: BlobID) throws(FileSystemError) -> Bool {
    try fileSystem.status(at: mark(of: id)).map { $0.size > 0 } ?? false
  }

  /// Marks a blob as released if it exists.
  func release(_ id: BlobID) throws(FileSystemError) {
    if try fileSystem.status(at: file(of: id)) != nil { try mark(id, isReleased: true) }
  }

  /// Marks a blob that is about to be stored as unclaimed.
  ///
  /// Without the sync, a power failure might leave the blob without its mark, like one whose record is lost.
  func markNew(_ id: BlobID) throws(FileSystemError) {
    try mark(id, isReleased: false)
    try fileSystem.syncDirectory(marks)
  }

  func mark(_ id: BlobID, isReleased: Bool) throws(FileSystemError) {
    let file = try fileSystem.openFile(mark(of: id), .making)
    do throws(FileSystemError) {
      if isReleased { try fileSystem.write([1], to: file, at: 0) }
    } catch {
      _ = try? fileSystem.closeFile(file)
      throw error
    }
    try fileSystem.closeFile(file)
  }

  /// Returns the file that marks a blob as unclaimed.
  func mark(of id: BlobID) -> String { "\(marks)/\(id.hexadecimal)" }
}
