package import FieldCore
internal import Foundation

/// A file system in memory that keeps apart what was written and what is on the device.
///
/// Any call can be made to fail. A crash loses what was not synced: of the writes, cuts and names since
/// the last sync any subset may have reached the device, and a write may have reached it in part.
///
/// A sync that fails gives up what it should have written, as Linux does: the content still has it, and
/// a later sync succeeds without it, unless it is written again.
package final class MemoryFileSystem: FileSystem {
  /// What goes wrong at a call.
  package enum Fault: Sendable {
    /// The call does nothing and fails.
    case failure(Int32)
    /// The call does a half of its work and fails.
    case partialFailure(Int32)
    /// The machine stops in the middle of the call; every later call fails.
    case crash
  }

  private enum Write: Sendable {
    case bytes([UInt8], at: Int)
    case cut(Int)
  }

  private struct Inode: Sendable {
    var content: [UInt8] = []
    var durable: [UInt8] = []
    var pending: [Write] = []
    var modified: Int64 = 0
    var protection: FileProtection?
    var isExcludedFromBackup = false
  }

  private enum Naming: Sendable {
    case name(String, UInt64)
    case remove(String)
    case rename(String, String)
  }

  private struct State: Sendable {
    var inodes: [UInt64: Inode] = [:]
    var names: [String: UInt64] = [:]
    var durableNames: [String: UInt64] = [:]
    var pendingNames: [Naming] = []
    var directories: Set<String> = ["/"]
    var files: [Int32: UInt64] = [:]
    var locks: [UInt64: Int32] = [:]
    var lastInode: UInt64 = 1
    var lastFile: Int32 = 2
    var callCount = 0
    var faults: [Int: Fault] = [:]
    var failing: [String: (error: Int32, left: Int)] = [:]
    /// The number of calls of each name that succeed before they fail.
    var spared: [String: Int] = [:]
    var hasCrashed = false
    var isReadOnly = false
    /// The number of the last call before the device was locked.
    var lastUnlockedCall: Int?
    var lockedCalls: Set<String> = []
    var location = FileLocation.local
    var log: [String] = []
  }

  private let state = Lock(State())

  /// Makes an empty file system.
  package init() {}

  /// How many calls were made.
  package var callCount: Int { state.withLock { $0.callCount } }

  /// What the calls were, for messages.
  package var log: [String] { state.withLock { $0.log } }

  /// How many files are open.
  package var openCount: Int { state.withLock { $0.files.count } }

  /// Makes one call go wrong, counted from 1.
  package func fail(at call: Int, _ fault: Fault) { state.withLock { $0.faults[call] = fault } }

  /// Makes every call of a name fail from now on; nil ends that.
  package func failAlways(_ call: String?, _ error: Int32 = EIO) {
    state.withLock { $0.failing = call.map { [$0: (error, .max)] } ?? [:] }
  }

  /// Whether all writing calls fail, as on a volume that is mounted read-only.
  package var isReadOnly: Bool {
    get { state.withLock { $0.isReadOnly } }
    set { state.withLock { $0.isReadOnly = newValue } }
  }

  /// The kind of the volume that everything is on.
  package var volume: FileLocation {
    get { state.withLock { $0.location } }
    set { state.withLock { $0.location = newValue } }
  }

  /// Locks the device after the next few calls; nil unlocks it.
  ///
  /// What a locked phone refuses is the content of files, while names can be changed. With
  /// `refusesAll`, every call fails.
  package func lockDevice(after count: Int?, refusesAll: Bool = false) {
    state.withLock { state in
      state.lastUnlockedCall = count.map { $0 + state.callCount }
      state.lockedCalls = refusesAll ? Self.contentCalls.union(Self.nameCalls) : Self.contentCalls
    }
  }

  /// The protection class of a file.
  package func protection(of path: String) -> FileProtection? {
    state.withLock { state in state.names[path].flatMap { state.inodes[$0]?.protection } }
  }

  /// Whether backups leave out a file.
  package func isExcludedFromBackup(_ path: String) -> Bool {
    state.withLock { state in
      state.names[path].flatMap { state.inodes[$0]?.isExcludedFromBackup } ?? false
    }
  }

  /// Makes every call of a name fail after the next few.
  package func failCalls(_ call: String, after count: Int, _ error: Int32 = EIO) {
    state.withLock {
      $0.spared[call] = count
      $0.failing[call] = (error, .max)
    }
  }

  /// Makes the next calls of a name fail, and no more.
  package func failNext(_ call: String, times: Int = 1) {
    state.withLock { $0.failing[call] = (EIO, times) }
  }

  /// The content of a file.
  package subscript(path: String) -> [UInt8]? {
    get { state.withLock { state in state.names[path].flatMap { state.inodes[$0]?.content } } }
    set {
      state.withLock { state in
        guard let newValue else {
          state.names[path] = nil
          state.durableNames[path] = nil
          return
        }
        let inode = state.names[path] ?? Self.newInode(&state)
        state.names[path] = inode
        state.durableNames[path] = inode
        state.inodes[inode] = Inode(content: newValue, durable: newValue, modified: Int64(inode))
      }
    }
  }

  /// The names of all files.
  package var paths: [String] { state.withLock { $0.names.keys.sorted() } }

  /// The machine after a crash: what was synced is there, of the rest a random part.
  ///
  /// Without a seed, only the process has died: all that was written is there, synced or not.
  package func afterCrash(seed: UInt64?) -> MemoryFileSystem {
    let next = MemoryFileSystem()
    var state = state.withLock { $0 }
    if let seed {
      var chance = SeededGenerator(seed: seed)
      for naming in state.pendingNames {
        // Names reach the device in order or, in a bad case, not at all from some point on.
        if Int.random(in: 0..<4, using: &chance) == 0 { break }
        Self.apply(naming, to: &state.durableNames)
      }
      state.names = state.durableNames
      for (number, inode) in state.inodes {
        var content = inode.durable
        for write in inode.pending { Self.apply(write, partly: &chance, to: &content) }
        state.inodes[number] = Inode(
          content: content, durable: content, modified: inode.modified,
          protection: inode.protection, isExcludedFromBackup: inode.isExcludedFromBackup)
      }
      state.durableNames = state.names
      state.pendingNames = []
    }
    state.files = [:]
    state.locks = [:]
    state.callCount = 0
    state.faults = [:]
    state.failing = [:]
    state.spared = [:]
    state.lastUnlockedCall = nil
    state.hasCrashed = false
    state.log = []
    let crashed = state
    next.state.withLock { $0 = crashed }
    return next
  }

  private static func newInode(_ state: inout State) -> UInt64 {
    state.lastInode += 1
    state.inodes[state.lastInode] = Inode()
    return state.lastInode
  }

  private static func apply(
    _ write: Write, partly chance: inout SeededGenerator, to content: inout [UInt8]
  ) {
    switch write {
    case .cut(let size):
      if Bool.random(using: &chance) { content.removeLast(max(content.count - size, 0)) }
    case .bytes(let bytes, let offset):
      switch Int.random(in: 0..<4, using: &chance) {
      case 0: break
      case 1: put(bytes, at: offset, in: &content)
      case 2:
        put(
          Array(bytes.prefix(.random(in: 0...bytes.count, using: &chance))), at: offset,
          in: &content)
      default:
        // The size and the last part reached the device, the first part did not.
        let lost = Int.random(in: 0...bytes.count, using: &chance)
        put([UInt8](repeating: 0, count: lost) + bytes.dropFirst(lost), at: offset, in: &content)
      }
    }
  }

  private static func put(_ bytes: [UInt8], at offset: Int, in content: inout [UInt8]) {
    if content.count < offset + bytes.count {
      content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
    }
    content.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
  }

  private static func apply(_ naming: Naming, to names: inout [String: UInt64]) {
    switch naming {
    case .name(let path, let inode): names[path] = inode
    case .remove(let path): names[path] = nil
    case .rename(let old, let new):
      // A file whose making did not reach the device has no name to change.
      if let inode = names.removeValue(forKey: old) { names[new] = inode }
    }
  }

  // MARK: calls

  private static let writingCalls: Set<String> = [
    "write", "truncate", "rename", "remove", "makeDirectory",
  ]

  private static let contentCalls: Set<String> = [
    "open", "read", "write", "truncate", "sync", "setProtection",
  ]

  private static let nameCalls: Set<String> = [
    "syncDirectory", "status", "fstatus", "rename", "remove", "makeDirectory", "names", "lock",
    "unlock",
  ]

  private func call<Result>(
    _ name: String, _ path: String, partly: (inout State) -> Void = { _ in },
    _ body: (inout State) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    try state.withLock { state throws(FileSystemError) -> Result in
      guard !state.hasCrashed else { throw FileSystemError(EIO, call: name, path: path) }
      state.callCount += 1
      state.log.append("\(state.callCount) \(name) \(path)")
      if state.isReadOnly, Self.writingCalls.contains(name) {
        throw FileSystemError(EROFS, call: name, path: path)
      }
      if let last = state.lastUnlockedCall, state.callCount > last,
        state.lockedCalls.contains(name)
      {
        throw FileSystemError(EPERM, call: name, path: path)
      }
      if let count = state.spared[name], count > 0 {
        state.spared[name] = count - 1
      } else if let (error, left) = state.failing[name] {
        state.failing[name] = left > 1 ? (error, left - 1) : nil
        throw FileSystemError(error, call: name, path: path)
      }
      switch state.faults[state.callCount] {
      case .failure(let error): throw FileSystemError(error, call: name, path: path)
      case .partialFailure(let error):
        partly(&state)
        throw FileSystemError(error, call: name, path: path)
      case .crash:
        partly(&state)
        state.hasCrashed = true
        throw FileSystemError(EIO, call: name, path: path)
      case nil: return try body(&state)
      }
    }
  }

  private static func inode(
    _ file: OpenFile, _ state: State, _ call: String
  ) throws(FileSystemError) -> UInt64 {
    guard let inode = state.files[file.descriptor] else {
      throw FileSystemError(EBADF, call: call, path: "descriptor \(file.descriptor)")
    }
    return inode
  }

  private static func status(_ inode: UInt64, _ state: State) -> FileStatus {
    let file = state.inodes[inode] ?? Inode()
    return FileStatus(
      device: 1, inode: inode, size: file.content.count, modified: file.modified,
      isDirectory: false)
  }

  package func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try call("open", path) { state throws(FileSystemError) -> OpenFile in
      var inode = state.names[path]
      if state.isReadOnly, mode != .reading, inode != nil || mode != .writing {
        throw FileSystemError(EROFS, call: "open", path: path)
      }
      if inode != nil, mode == .makingNew {
        throw FileSystemError(EEXIST, call: "open", path: path)
      }
      if inode == nil, mode == .making || mode == .makingNew {
        guard state.directories.contains(Self.parent(of: path)) else {
          throw FileSystemError(ENOENT, call: "open", path: path)
        }
        let new = Self.newInode(&state)
        state.names[path] = new
        state.pendingNames.append(.name(path, new))
        inode = new
      }
      guard let inode else { throw FileSystemError(ENOENT, call: "open", path: path) }
      state.lastFile += 1
      state.files[state.lastFile] = inode
      return OpenFile(descriptor: state.lastFile)
    }
  }

  package func closeFile(_ file: OpenFile) throws(FileSystemError) {
    defer { state.withLock { Self.close(file, &$0) } }
    try call("close", "\(file.descriptor)") { _ in }
  }

  private static func close(_ file: OpenFile, _ state: inout State) {
    guard let inode = state.files.removeValue(forKey: file.descriptor) else { return }
    if state.locks[inode] == file.descriptor { state.locks[inode] = nil }
  }

  package func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
  {
    try call("read", "\(file.descriptor)") { state throws(FileSystemError) -> [UInt8] in
      let content = state.inodes[try Self.inode(file, state, "read")]?.content ?? []
      return Array(content.dropFirst(offset).prefix(count))
    }
  }

  package func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(FileSystemError) {
    func write(_ bytes: [UInt8], _ state: inout State) throws(FileSystemError) {
      let inode = try Self.inode(file, state, "write")
      Self.put(bytes, at: offset, in: &state.inodes[inode, default: Inode()].content)
      state.inodes[inode]?.pending.append(.bytes(bytes, at: offset))
      state.inodes[inode]?.modified += 1
    }
    try call("write", "\(file.descriptor)") { state in
      try? write(Array(bytes.prefix(bytes.count / 2)), &state)
    } _: { state throws(FileSystemError) in
      try write(bytes, &state)
    }
  }

  package func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try call("truncate", "\(file.descriptor)") { state throws(FileSystemError) in
      let inode = try Self.inode(file, state, "truncate")
      let count = state.inodes[inode]?.content.count ?? 0
      state.inodes[inode]?.content.removeLast(max(count - size, 0))
      state.inodes[inode]?.pending.append(.cut(size))
      state.inodes[inode]?.modified += 1
    }
  }

  package func sync(_ file: OpenFile) throws(FileSystemError) {
    do throws(FileSystemError) {
      try call("sync", "\(file.descriptor)") { state throws(FileSystemError) in
        let inode = try Self.inode(file, state, "sync")
        Self.sync(&state.inodes[inode, default: Inode()])
      }
    } catch {
      state.withLock { state in
        guard !state.hasCrashed, let inode = state.files[file.descriptor] else { return }
        state.inodes[inode]?.pending.removeAll { if case .bytes = $0 { true } else { false } }
      }
      throw error
    }
  }

  private static func sync(_ inode: inout Inode) {
    for write in inode.pending {
      switch write {
      case .bytes(let bytes, let offset): put(bytes, at: offset, in: &inode.durable)
      case .cut(let size): inode.durable.removeLast(max(inode.durable.count - size, 0))
      }
    }
    // The size is right in any case, with zeros where nothing was written.
    let missing = inode.content.count - inode.durable.count
    inode.durable += [UInt8](repeating: 0, count: max(missing, 0))
    inode.pending = []
  }

  package func syncDirectory(_ path: String) throws(FileSystemError) {
    try call("syncDirectory", path) { state in
      state.durableNames = state.names
      state.pendingNames = []
    }
  }

  package func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try call("status", path) { state in
      if state.directories.contains(path) {
        return FileStatus(device: 1, inode: 1, size: 0, modified: 0, isDirectory: true)
      }
      return state.names[path].map { Self.status($0, state) }
    }
  }

  package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try call("fstatus", "\(file.descriptor)") { state throws(FileSystemError) in
      Self.status(try Self.inode(file, state, "fstatus"), state)
    }
  }

  package func rename(_ old: String, to new: String) throws(FileSystemError) {
    func rename(_ state: inout State) {
      guard let inode = state.names.removeValue(forKey: old) else { return }
      state.names[new] = inode
      state.pendingNames.append(.rename(old, new))
    }
    // Half of a rename is one that was done and reported as failed.
    try call("rename", "\(old) \(new)", partly: rename) { state throws(FileSystemError) in
      guard state.names[old] != nil else {
        throw FileSystemError(ENOENT, call: "rename", path: old)
      }
      rename(&state)
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try call("remove", path) { state throws(FileSystemError) in
      guard state.names.removeValue(forKey: path) != nil else {
        throw FileSystemError(ENOENT, call: "remove", path: path)
      }
      state.pendingNames.append(.remove(path))
    }
  }

  package func makeDirectory(_ path: String) throws(FileSystemError) {
    try call("makeDirectory", path) { state throws(FileSystemError) in
      guard state.directories.insert(path).inserted else {
        throw FileSystemError(EEXIST, call: "makeDirectory", path: path)
      }
    }
  }

  package func names(in path: String) throws(FileSystemError) -> [String] {
    try call("names", path) { state in
      state.names.keys.filter { Self.parent(of: $0) == path }.map {
        String($0.dropFirst(path.count + 1))
      }
    }
  }

  package func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    try call("lock", "\(file.descriptor)") { state throws(FileSystemError) -> Bool in
      let inode = try Self.inode(file, state, "lock")
      if let holder = state.locks[inode], holder != file.descriptor { return false }
      state.locks[inode] = file.descriptor
      return true
    }
  }

  package func unlock(_ file: OpenFile) throws(FileSystemError) {
    try call("unlock", "\(file.descriptor)") { state throws(FileSystemError) in
      let inode = try Self.inode(file, state, "unlock")
      if state.locks[inode] == file.descriptor { state.locks[inode] = nil }
    }
  }

  package func canonical(_ path: String) -> String { path }

  package func setProtection(
    _ protection: FileProtection, of path: String
  ) throws(FileSystemError) {
    try call("setProtection", path) { state throws(FileSystemError) in
      guard let inode = state.names[path] else {
        throw FileSystemError(ENOENT, call: "setProtection", path: path)
      }
      state.inodes[inode]?.protection = protection
    }
  }

  // Neither is counted, so that a fault at the nth call stays at the same call.

  package func excludeFromBackup(_ path: String) throws(FileSystemError) {
    state.withLock { state in
      if let inode = state.names[path] { state.inodes[inode]?.isExcludedFromBackup = true }
    }
  }

  package func location(of path: String) throws(FileSystemError) -> FileLocation { volume }
}
