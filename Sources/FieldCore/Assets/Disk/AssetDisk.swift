internal import FieldFoundation

/// The files of a cache: one for each asset, named by the SHA-256 of its key.
///
/// A file is never changed: it is written under another name and renamed, so a reader needs no lock and
/// sees a whole file or none. Everything that changes the directory is done while a lock among processes
/// is held, and begins by raising a number in the lock file; who finds there another number than its own
/// last one looks at the directory anew. So the limit is held for all caches of a directory together.
///
/// The order of use is kept in memory. A file's time of modification tells it after a restart, as exactly
/// as an hour.
final class AssetDisk: Sendable {
  struct Entry: Sendable {
    /// The file's time of modification, in nanoseconds since 1970.
    var stamp: Int64
    /// When this cache last used it, or `stamp`.
    var lastUse: Int64
  }

  struct State: Sendable {
    var index = CostLRU<BlobID, Entry>()
    /// Whether the index is known to be that of the directory.
    var isScanned = false
    var hasTidied = false
    var turn: UInt64?
    var lockFile: FileStatus?
    var evictions = 0
  }

  /// What became of reading a file.
  enum Reading: Sendable {
    case missing
    case asset(KeptAsset)
    case damaged(String)
    case failure(FieldError)
  }

  static let suffix = ".asset"
  private static let temporaryName = ".new"
  private static let lockName = ".lock"
  /// How far a file's time of modification may be from its last use.
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

  /// How many files there are, how many bytes they have, and how many were removed to make room.
  var usage: (count: Int, bytes: Int, evictions: Int) {
    state.withLock { ($0.index.count, $0.index.cost, $0.evictions) }
  }

  func path(of id: BlobID) -> String { "\(directory)/\(id.hexadecimal)\(Self.suffix)" }

  // MARK: reading

  /// The asset of a file.
  func read(_ id: BlobID) -> Reading {
    do throws(FileSystemError) {
      let file = try fileSystem.openFile(path(of: id), .reading)
      // Nothing was written, so closing has nothing to report.
      defer { _ = try? fileSystem.closeFile(file) }
      let status = try fileSystem.status(of: file)
      guard status.size <= AssetFile.largestHeader + limits.largestAsset else {
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
      // Another process has removed it, or the system has emptied the directory.
      state.withLock { if $0.index.peek(id) != nil { $0.isScanned = false } }
      return .missing
    } catch {
      return .failure(error.fieldError("an asset cannot be read from \(directory)"))
    }
  }

  /// When the asset of a file was last confirmed, by its header alone; nil when there is none.
  func confirmation(of id: BlobID) -> Date? {
    guard let file = try? fileSystem.openFile(path(of: id), .reading) else { return nil }
    defer { _ = try? fileSystem.closeFile(file) }
    guard let size = try? fileSystem.status(of: file).size,
      let head = try? fileSystem.read(file, at: 0, count: min(size, AssetFile.largestHeader)),
      let header = try? AssetFile.header(of: head, fileSize: size, key: id.bytes)
    else { return nil }
    return header.asset.confirmedAt
  }

  /// Notes that a file was used.
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
      // The file of another cache joins the index when that is made anew.
      if state.isScanned { return true }
      // Until the directory has been looked at, what is read is all that is known of it.
      state.index.put(
        Entry(stamp: status.modified, lastUse: status.modified), for: id, cost: status.size)
      return false
    }
    if !isForeign { use(id) } else if Self.isCoarse(status.modified, now) { touch(id, now) }
  }

  private func touch(_ id: BlobID, _ now: Int64) {
    // What it costs when this fails is the file's place in the order after a restart.
    if isWritable { _ = try? fileSystem.setModified(path(of: id), to: now) }
  }

  private static func isCoarse(_ stamp: Int64, _ now: Int64) -> Bool {
    let (distance, isFar) = now.subtractingReportingOverflow(stamp)
    return isFar || distance.magnitude >= coarseness.magnitude
  }

  // MARK: writing

  /// Keeps an asset, after making room for it; false when it is not wanted any more, or is too large.
  func store(
    _ asset: KeptAsset, as id: BlobID, isWanted: @escaping @Sendable () -> Bool
  ) async throws -> Bool {
    let bytes = AssetFile.bytes(of: asset, key: id.bytes)
    let limit = limits.diskBytes
    return try await exclusively("an asset cannot be kept in \(directory)") {
      guard isWanted() else { return false }
      guard bytes.count <= limit else {
        // What is there is older than what could not be kept.
        try self.remove(id)
        return false
      }
      // The older file goes last, so that it stays when the new one cannot be written.
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
      // The first error is the one that matters; the next write removes what is left.
      _ = try? fileSystem.removeIfThere(temporary)
      throw error
    }
    state.withLock { state in
      state.index.put(Entry(stamp: now, lastUse: now), for: id, cost: bytes.count)
    }
  }

  /// Removes a file that was found damaged, unless it is in order by now; tells whether it was.
  func drop(_ id: BlobID) async throws -> Bool {
    try await exclusively("a damaged file cannot be removed from \(directory)") {
      guard case .damaged = self.read(id) else { return false }
      try self.remove(id)
      return true
    }
  }

  /// Removes the file of an asset, when it is there.
  func forget(_ id: BlobID) async throws {
    try await exclusively("an asset cannot be removed from \(directory)") { try self.remove(id) }
  }

  /// Removes the files of all assets.
  func forgetAll() async throws {
    try await exclusively("the assets cannot be removed from \(directory)") {
      for id in self.state.withLock({ $0.index.keys }) { try self.remove(id) }
    }
  }

  /// Looks at the directory, and removes what was left in it and what is too much.
  func open() async throws {
    try await exclusively("the assets of \(directory) cannot be opened") {}
  }

  /// Looks at the directory, and changes nothing.
  func look() throws {
    do throws(FileSystemError) {
      try scan()
    } catch {
      throw error.fieldError("the assets of \(directory) cannot be looked at")
    }
  }

  private func remove(_ id: BlobID) throws(FileSystemError) {
    try fileSystem.removeIfThere(path(of: id))
    state.withLock { _ = $0.index.remove(id) }
  }

  /// Removes files until it is enough, those first that were not used for the longest time.
  private func evict(
    until isEnough: @Sendable (borrowing CostLRU<BlobID, Entry>) -> Bool
  ) throws(FileSystemError) {
    while let id = state.withLock({ isEnough($0.index) ? nil : $0.index.oldestKey }) {
      try remove(id)
      state.withLock { $0.evictions += 1 }
    }
  }

  /// Runs `body` while no other cache of the directory changes it, knowing what is in it.
  private func exclusively<Result: Sendable>(
    _ message: @autoclosure @Sendable () -> String, _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    guard isWritable else {
      throw FieldError(.readOnly, "the assets of \(directory) are for reading only")
    }
    return try await asyncLock.withLock {
      do {
        try fileSystem.makeDirectories(directory)
        // Where the system has emptied the directory, the lock file that is open locks nothing.
        if try fileSystem.status(at: "\(directory)/\(Self.lockName)") == nil { lock.close() }
        return try await lock.hold {
          do {
            try takeTurn()
            return try body()
          } catch {
            // What was done of it is not known: the next turn begins with a look at the directory.
            state.withLock { $0.isScanned = false }
            throw error
          }
        }
      } catch let error as FileSystemError {
        throw error.fieldError(message())
      }
    }
  }

  /// Sees to it that the index is that of the directory, and that all others see a change coming.
  ///
  /// The number is raised before anything is changed, so that a process that dies in the middle has
  /// told the others, too. A lock file that is new begins with the time, far from what an earlier one
  /// had come to.
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
    // A temporary file that is there while the lock is held is nobody's any more.
    try fileSystem.removeIfThere("\(directory)/\(Self.temporaryName)")
    state.withLock { $0.hasTidied = true }
    try scan()
    let limit = limits.diskBytes
    try evict { $0.cost <= limit }
  }

  /// Makes the index that of the directory; what is none of its files is left alone.
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
        // A time in the future, from before the clock was set back, says only that the file was used.
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
  /// Nanoseconds since 1970, as far as 64 bits go.
  fileprivate var nanoseconds: Int64 {
    let value = timeIntervalSince1970 * 1e9
    return value.isNaN ? 0 : Int64(max(min(value, 9.2e18), -9.2e18))
  }
}
