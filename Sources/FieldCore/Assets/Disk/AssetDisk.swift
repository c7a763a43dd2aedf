internal import FieldFoundation

/// The files of a cache: one for each asset, named by the SHA-256 of its key.
///
/// A file never changes: it is written under another name and renamed, so a reader needs no lock
/// and sees a whole file or none. Every change of the directory holds an interprocess lock and
/// begins by incrementing a number in the lock file. A cache that finds a number other than its own
/// last one scans the directory again, so the size limit holds for all caches of a directory
/// together.
///
/// The order of use is kept in memory. After a restart it is restored from the files' modification
/// times, which are accurate to an hour.
final class AssetDisk: Sendable {
  struct Entry: Sendable {
    /// The file's modification time, in nanoseconds since 1970.
    var stamp: Int64
    /// The time at which this cache last used the file, or `stamp`.
    var lastUse: Int64
  }

  struct State: Sendable {
    var index = CostLRU<BlobID, Entry>()
    /// A Boolean value that indicates whether the index matches the directory.
    var isScanned = false
    var hasTidied = false
    var turn: UInt64?
    var lockFile: FileStatus?
    var evictions = 0
  }

  enum Reading: Sendable {
    case missing
    case asset(KeptAsset)
    case damaged(String)
    case failure(FieldError)
  }

  static let suffix = ".asset"
  private static let temporaryName = ".new"
  private static let lockName = ".lock"
  /// The maximum distance between a file's modification time and its last use, in nanoseconds.
  private static let coarseness: Int64 = 3_600_000_000_000

  let directory: String
  private let access: StoreAccess
  private let limits: AssetLimits
  private let clock: any FieldClock
  private let fileSystem: any FileSystem
  private let lock: FileLock
  private let asyncLock = AsyncLock()
  private let state = Lock(State())

  init(
    directory: String, access: StoreAccess, limits: AssetLimits, clock: any FieldClock,
    fileSystem: any FileSystem
  ) {
    self.directory = directory
    self.access = access
    self.limits = limits
    self.clock = clock
    self.fileSystem = fileSystem
    lock = FileLock(
      "\(directory)/\(Self.lockName)", fileSystem: fileSystem, clock: clock, patience: .seconds(2))
  }

  var isWritable: Bool { access == .readWrite }

  /// The number of files, their size in bytes, and the number of files removed to make room.
  var usage: (count: Int, bytes: Int, evictions: Int) {
    state.withLock { ($0.index.count, $0.index.cost, $0.evictions) }
  }

  func path(of id: BlobID) -> String { "\(directory)/\(id.hexadecimal)\(Self.suffix)" }

  // MARK: Reading

  func read(_ id: BlobID) -> Reading {
    do throws(FileSystemError) {
      let file = try fileSystem.openFile(path(of: id), .reading)
      // Nothing was written, so closing can't lose data.
      defer { _ = try? fileSystem.closeFile(file) }
      let status = try fileSystem.status(of: file)
      guard status.size - AssetFile.largestHeader <= limits.largestAsset else {
        return .damaged("the file has \(status.size) bytes, more than an asset may have")
      }
      let bytes = try fileSystem.read(file, at: 0, count: status.size)
      let asset: KeptAsset
      do throws(AssetFile.Fault) {
        asset = try AssetFile.asset(in: bytes, key: id.bytes)
      } catch {
        return .damaged(error.reason)
      }
      note(id, status)
      return .asset(asset)
    } catch  where error.isNotFound {
      // Another process removed the file, or the system emptied the directory.
      state.withLock { if $0.index.peek(id) != nil { $0.isScanned = false } }
      return .missing
    } catch {
      return .failure(error.fieldError("An asset can't be read from \(directory)."))
    }
  }

  /// Returns the time of the last confirmation from a file's header, or `nil` if there is no file.
  func confirmation(of id: BlobID) -> Date? {
    guard let file = try? fileSystem.openFile(path(of: id), .reading) else { return nil }
    defer { _ = try? fileSystem.closeFile(file) }
    guard let size = try? fileSystem.status(of: file).size,
      let head = try? fileSystem.read(file, at: 0, count: min(size, AssetFile.largestHeader)),
      let header = try? AssetFile.header(of: head, fileSize: size, key: id.bytes)
    else { return nil }
    return header.asset.confirmedAt
  }

  func use(_ id: BlobID) {
    let now = clock.now.nanoseconds
    let isCoarse = state.withLock { state -> Bool in
      guard var entry = state.index.use(id) else { return false }
      entry.lastUse = now
      let isCoarse = Self.isCoarse(entry.stamp, now)
      if isCoarse { entry.stamp = now }
      state.index.replace(entry, for: id)
      return isCoarse
    }
    if isCoarse { touch(id, now) }
  }

  private func note(_ id: BlobID, _ status: FileStatus) {
    let now = clock.now.nanoseconds
    let isForeign = state.withLock { state -> Bool in
      if state.index.peek(id) != nil { return false }
      // A file of another cache joins the index at the next scan.
      if state.isScanned { return true }
      // Before the first scan, the index contains only the files that were read.
      state.index.put(
        Entry(stamp: status.modified, lastUse: status.modified), for: id, cost: status.size)
      return false
    }
    if !isForeign { use(id) } else if Self.isCoarse(status.modified, now) { touch(id, now) }
  }

  private func touch(_ id: BlobID, _ now: Int64) {
    // If this fails, only the file's place in the order after a restart is lost.
    if isWritable { _ = try? fileSystem.setModified(path(of: id), to: now) }
  }

  private static func isCoarse(_ stamp: Int64, _ now: Int64) -> Bool {
    let (distance, isFar) = now.subtractingReportingOverflow(stamp)
    return isFar || distance.magnitude >= coarseness.magnitude
  }

  // MARK: Writing

  /// Writes an asset after making room; returns `false` if it is no longer wanted or too large.
  func store(
    _ asset: KeptAsset, as id: BlobID, isWanted: @escaping @Sendable () -> Bool
  ) async throws -> Bool {
    let bytes = AssetFile.bytes(of: asset, key: id.bytes)
    let limit = limits.diskBytes
    return try await exclusively("An asset can't be stored in \(directory).") {
      guard isWanted() else { return false }
      guard bytes.count <= limit else {
        // An existing file is older than the asset that can't be kept.
        try self.remove(id)
        return false
      }
      // The asset's old file is evicted last, so that it stays if the new one can't be written.
      self.state.withLock { _ = $0.index.use(id) }
      try self.evict { $0.cost - $0.cost(of: id) + bytes.count <= limit }
      try self.write(bytes, as: id)
      return true
    }
  }

  private func write(_ bytes: [UInt8], as id: BlobID) throws(FileSystemError) {
    let temporary = "\(directory)/\(Self.temporaryName)"
    try fileSystem.removeIfThere(temporary)
    let now = clock.now.nanoseconds
    do throws(FileSystemError) {
      let file = try fileSystem.openFile(temporary, .makingNew)
      do throws(FileSystemError) {
        try fileSystem.write(bytes, to: file, at: 0)
      } catch {
        _ = try? fileSystem.closeFile(file)
        throw error
      }
      try fileSystem.closeFile(file)
      _ = try? fileSystem.setModified(temporary, to: now)
      try fileSystem.rename(temporary, to: path(of: id))
    } catch {
      // Report the first error; the next write removes what is left.
      _ = try? fileSystem.removeIfThere(temporary)
      throw error
    }
    state.withLock { state in
      state.index.put(Entry(stamp: now, lastUse: now), for: id, cost: bytes.count)
    }
  }

  /// Removes a damaged file, unless it has been repaired; returns whether it was removed.
  func drop(_ id: BlobID) async throws -> Bool {
    try await exclusively("A damaged file can't be removed from \(directory).") {
      guard case .damaged = self.read(id) else { return false }
      try self.remove(id)
      return true
    }
  }

  /// Removes the file of an asset, if there is one.
  func forget(_ id: BlobID) async throws {
    try await exclusively("An asset can't be removed from \(directory).") { try self.remove(id) }
  }

  /// Removes the files of all assets.
  func forgetAll() async throws {
    try await exclusively("The assets can't be removed from \(directory).") {
      for id in self.state.withLock({ $0.index.keys }) { try self.remove(id) }
    }
  }

  /// Scans the directory, removes leftovers, and evicts files above the limit.
  func open() async throws {
    try await exclusively("The assets in \(directory) can't be opened.") {}
  }

  /// Scans the directory without changing it.
  func look() throws {
    do throws(FileSystemError) {
      try scan()
    } catch {
      throw error.fieldError("The assets in \(directory) can't be listed.")
    }
  }

  private func remove(_ id: BlobID) throws(FileSystemError) {
    try fileSystem.removeIfThere(path(of: id))
    state.withLock { _ = $0.index.remove(id) }
  }

  /// Removes the least recently used files until `isEnough` returns `true`.
  private func evict(
    until isEnough: @Sendable (borrowing CostLRU<BlobID, Entry>) -> Bool
  ) throws(FileSystemError) {
    while let id = state.withLock({ isEnough($0.index) ? nil : $0.index.oldestKey }) {
      try remove(id)
      state.withLock { $0.evictions += 1 }
    }
  }

  /// Runs `body` with a current index, while no other cache changes the directory.
  private func exclusively<Result: Sendable>(
    _ message: @autoclosure @Sendable () -> String, _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    guard isWritable else {
      throw FieldError(.readOnly, "The assets in \(directory) were opened read-only.")
    }
    return try await asyncLock.withLock {
      do {
        try fileSystem.makeDirectories(directory)
        // If the system has emptied the directory, the open lock file locks nothing.
        if try fileSystem.status(at: "\(directory)/\(Self.lockName)") == nil { lock.close() }
        return try await lock.hold {
          do {
            try takeTurn()
            return try body()
          } catch {
            // The change may be incomplete, so the next turn scans the directory.
            state.withLock { $0.isScanned = false }
            throw error
          }
        }
      } catch let error as FileSystemError {
        throw error.fieldError(message())
      }
    }
  }

  /// Brings the index up to date and announces a change to all other caches.
  ///
  /// The number is incremented before anything changes, so that even a process that dies halfway
  /// has notified the others. In a new lock file the number begins with the time, far from any
  /// number that an earlier file reached.
  private func takeTurn() throws(FileSystemError) {
    let file = try fileSystem.openFile("\(directory)/\(Self.lockName)", .writing)
    defer { _ = try? fileSystem.closeFile(file) }
    let status = try fileSystem.status(of: file)
    let bytes = try fileSystem.read(file, at: 0, count: 8)
    let found: UInt64? = bytes.count == 8 ? bytes.fixed(at: 0) : nil
    let isMine = state.withLock { state in
      state.isScanned && state.hasTidied && found != nil && state.turn == found
        && state.lockFile?.isSameFile(as: status) == true
    }
    let turn = (found ?? UInt64(bitPattern: clock.now.nanoseconds)) &+ 1
    var next: [UInt8] = []
    next.append(fixed: turn)
    try fileSystem.write(next, to: file, at: 0)
    state.withLock { state in
      state.turn = turn
      state.lockFile = status
    }
    if isMine { return }
    // A temporary file that exists while the lock is held belongs to no running process.
    try fileSystem.removeIfThere("\(directory)/\(Self.temporaryName)")
    state.withLock { $0.hasTidied = true }
    try scan()
    let limit = limits.diskBytes
    try evict { $0.cost <= limit }
  }

  /// Rebuilds the index from the directory, ignoring other files.
  private func scan() throws(FileSystemError) {
    let now = clock.now.nanoseconds
    var found: [(id: BlobID, size: Int, stamp: Int64)] = []
    for name in try names() {
      guard name.hasSuffix(Self.suffix),
        let id = BlobID(hexadecimal: String(name.dropLast(Self.suffix.count))),
        let status = try fileSystem.status(at: "\(directory)/\(name)"), !status.isDirectory
      else { continue }
      found.append((id, status.size, status.modified))
    }
    state.withLock { state in
      let files = found.map { file in
        // A time in the future, from before the clock was set back, only proves that the file was
        // used.
        let known = state.index.peek(file.id)?.lastUse ?? .min
        return (file, lastUse: max(min(file.stamp, now), known))
      }
      var index = CostLRU<BlobID, Entry>()
      for (file, lastUse) in files.sorted(by: {
        ($0.lastUse, $0.0.stamp, $0.0.id.hexadecimal)
          < ($1.lastUse, $1.0.stamp, $1.0.id.hexadecimal)
      }) {
        index.put(Entry(stamp: file.stamp, lastUse: lastUse), for: file.id, cost: file.size)
      }
      state.index = index
      state.isScanned = true
    }
  }

  private func names() throws(FileSystemError) -> [String] {
    do throws(FileSystemError) {
      return try fileSystem.names(in: directory)
    } catch  where error.isNotFound {
      return []
    }
  }
}

extension BlobID {
  /// The 32 bytes of the digest.
  var bytes: [UInt8] {
    let digits = hexadecimal.utf8.map { $0 <= UInt8(ascii: "9") ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

extension Date {
  /// The nanoseconds since 1970, clamped to 64 bits.
  fileprivate var nanoseconds: Int64 {
    let value = timeIntervalSince1970 * 1e9
    return value.isNaN ? 0 : Int64(max(min(value, 9.2e18), -9.2e18))
  }
}
