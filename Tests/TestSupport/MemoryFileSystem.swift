package import FieldCore
internal import Foundation

/// A file system in memory that keeps apart what was written and what is on the device.
///
/// Any call can be made to fail. A crash loses what was not synced: of the writes, cuts and names since
/// the last sync any subset may have reached the device, and any part of a write. Syncing a directory
/// syncs the names in it, and neither its own name nor those in other directories.
///
/// A sync that fails gives up what it should have written, as Linux does: the content still has it, and
/// a later sync succeeds without it, unless it is written again. A sync of a directory can be repeated.
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

  struct Write: Sendable, Hashable {
    enum Change: Sendable, Hashable {
      case bytes([UInt8], at: Int)
      case cut(Int)
    }

    var change: Change
    /// Whether a sync has failed to write it: a later one doesn't, but it may have reached the device.
    var isGivenUp = false
  }

  struct Inode: Sendable, Hashable {
    var content: [UInt8] = []
    var durable: [UInt8] = []
    var pending: [Write] = []
    var modified: Int64 = 0
    var protection: FileProtection?
    var isExcludedFromBackup = false
  }

  /// The change of a name in a directory.
  enum Naming: Sendable, Hashable {
    case name(String, UInt64)
    case remove(String)
    case rename(String, String, UInt64)
    case makeDirectory(String)
  }

  /// The files and directories by their paths.
  struct Names: Sendable, Hashable {
    var files: [String: UInt64] = [:]
    var directories: Set<String> = ["/"]
  }

  struct State: Sendable {
    var inodes: [UInt64: Inode] = [:]
    var present = Names()
    var durable = Names()
    var pendingNames: [Naming] = []
    var files: [Int32: UInt64] = [:]
    var locks: [UInt64: Int32] = [:]
    var lastInode: UInt64 = 1
    var lastFile: Int32 = 2
    var callCount = 0
    var readByteCount = 0
    /// The paths with which files were opened.
    var openedAs: [Int32: String] = [:]
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
    var closedTwice: [Int32] = []
  }

  let state: Lock<State>
  let moments = Lock<[Moment]?>(nil)

  /// Makes an empty file system.
  package init() { state = Lock(State()) }

  /// Makes a file system as a process finds it after the end of all others.
  init(restarted state: State) {
    var state = state
    state.files = [:]
    state.openedAs = [:]
    state.locks = [:]
    state.callCount = 0
    state.readByteCount = 0
    state.faults = [:]
    state.failing = [:]
    state.spared = [:]
    state.lastUnlockedCall = nil
    state.hasCrashed = false
    state.log = []
    self.state = Lock(state)
  }

  /// How many calls were made.
  package var callCount: Int { state.withLock { $0.callCount } }

  /// How many bytes were read from files.
  package var readByteCount: Int { state.withLock { $0.readByteCount } }

  /// What the calls were: the number, the name, the paths, the place and the count of bytes, and the number of
  /// an error.
  package var log: [String] { state.withLock { $0.log } }

  /// The descriptors that were closed again, and might have belonged to another file by then.
  package var closedTwice: [Int32] { state.withLock { $0.closedTwice } }

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
    state.withLock { state in state.present.files[path].flatMap { state.inodes[$0]?.protection } }
  }

  /// Whether backups leave out a file.
  package func isExcludedFromBackup(_ path: String) -> Bool {
    state.withLock { state in
      state.present.files[path].flatMap { state.inodes[$0]?.isExcludedFromBackup } ?? false
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

  /// The content of a file, which is on the device with its name and its directories when it is set.
  package subscript(path: String) -> [UInt8]? {
    get {
      state.withLock { state in state.present.files[path].flatMap { state.inodes[$0]?.content } }
    }
    set {
      state.withLock { state in
        guard let newValue else {
          state.present.files[path] = nil
          state.durable.files[path] = nil
          return
        }
        let inode = state.present.files[path] ?? Self.newInode(&state)
        state.present.files[path] = inode
        state.durable.files[path] = inode
        for directory in sequence(first: Self.parent(of: path), next: { Self.parent(of: $0) }) {
          state.present.directories.insert(directory)
          guard state.durable.directories.insert(directory).inserted else { break }
        }
        state.inodes[inode] = Inode(content: newValue, durable: newValue, modified: Int64(inode))
      }
    }
  }

  /// The names of all files.
  package var paths: [String] { state.withLock { $0.present.files.keys.sorted() } }

  /// The machine after a crash: what was synced is there, of the rest a random part.
  ///
  /// Without a seed, only the process has died: all that was written is there, synced or not.
  package func afterCrash(seed: UInt64?) -> MemoryFileSystem {
    var state = state.withLock { $0 }
    if let seed {
      var chance = SeededGenerator(seed: seed)
      // In a bad case no name is on the device from some point on, in a worse one any may be missing.
      let isInOrder = Bool.random(using: &chance)
      for naming in state.pendingNames {
        let isLost = Int.random(in: 0..<4, using: &chance) == 0
        if isLost, isInOrder { break }
        if !isLost { state.durable.apply(naming) }
      }
      state.durable.removeUnreachable()
      state.present = state.durable
      state.pendingNames = []
      for number in state.inodes.keys.sorted() {
        guard let inode = state.inodes[number] else { continue }
        var content = inode.durable
        for write in inode.pending where !write.isGivenUp {
          Self.apply(write.change, partly: &chance, to: &content)
        }
        state.inodes[number] = Inode(
          content: content, durable: content, modified: inode.modified,
          protection: inode.protection, isExcludedFromBackup: inode.isExcludedFromBackup)
      }
    }
    return MemoryFileSystem(restarted: state)
  }

  static func newInode(_ state: inout State) -> UInt64 {
    state.lastInode += 1
    state.inodes[state.lastInode] = Inode()
    return state.lastInode
  }

  private static func apply(
    _ change: Write.Change, partly chance: inout SeededGenerator, to content: inout [UInt8]
  ) {
    switch change {
    case .cut(let size):
      if Bool.random(using: &chance) { content.removeLast(max(content.count - size, 0)) }
    case .bytes(let bytes, let offset):
      switch Int.random(in: 0..<5, using: &chance) {
      case 0: break
      case 1: put(bytes, at: offset, in: &content)
      case 2:
        put(
          Array(bytes.prefix(.random(in: 0...bytes.count, using: &chance))), at: offset,
          in: &content)
      case 3:
        // Both ends reached the device, and nothing between them.
        let first = Int.random(in: 0...bytes.count, using: &chance)
        let last = Int.random(in: first...bytes.count, using: &chance)
        put(Array(bytes[..<first]), at: offset, in: &content)
        put(Array(bytes[last...]), at: offset + last, in: &content)
      default:
        // The size and the last part reached the device, the first part did not.
        let lost = Int.random(in: 0...bytes.count, using: &chance)
        put([UInt8](repeating: 0, count: lost) + bytes.dropFirst(lost), at: offset, in: &content)
      }
    }
  }

  static func put(_ bytes: [UInt8], at offset: Int, in content: inout [UInt8]) {
    if content.count < offset + bytes.count {
      content += [UInt8](repeating: 0, count: offset + bytes.count - content.count)
    }
    content.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
  }

  // MARK: calls

  private static let writingCalls: Set<String> = [
    "write", "truncate", "rename", "remove", "makeDirectory",
  ]
  private static let syncingCalls: Set<String> = ["sync", "syncDirectory"]

  private static let contentCalls: Set<String> = [
    "open", "read", "write", "truncate", "sync", "setProtection",
  ]

  private static let nameCalls: Set<String> = [
    "syncDirectory", "status", "fstatus", "rename", "remove", "makeDirectory", "names", "lock",
    "unlock",
  ]

  private func call<Result>(
    _ name: String, _ file: OpenFile, _ details: String = "",
    partly: (inout State) -> Void = { _ in },
    _ body: (inout State) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    let path = state.withLock { $0.openedAs[file.descriptor] } ?? "descriptor \(file.descriptor)"
    return try call(name, path + details, partly: partly, body)
  }

  private func call<Result>(
    _ name: String, _ path: String, partly: (inout State) -> Void = { _ in },
    _ body: (inout State) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
    try state.withLock { state throws(FileSystemError) -> Result in
      guard !state.hasCrashed else { throw FileSystemError(EIO, call: name, path: path) }
      state.callCount += 1
      state.log.append("\(state.callCount) \(name) \(path)")
      do throws(FileSystemError) {
        return try answer(name, path, &state, partly, body)
      } catch {
        state.log[state.log.count - 1] += " error \(error.number)"
        throw error
      }
    }
  }

  private func answer<Result>(
    _ name: String, _ path: String, _ state: inout State, _ partly: (inout State) -> Void,
    _ body: (inout State) throws(FileSystemError) -> Result
  ) throws(FileSystemError) -> Result {
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
    case nil:
      let lastInode = state.lastInode
      let result = try body(&state)
      if state.lastInode > lastInode || Self.writingCalls.contains(name)
        || Self.syncingCalls.contains(name)
      {
        note(state)
      }
      return result
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
      var inode = state.present.files[path]
      if state.isReadOnly, mode != .reading, inode != nil || mode != .writing {
        throw FileSystemError(EROFS, call: "open", path: path)
      }
      if inode != nil, mode == .makingNew {
        throw FileSystemError(EEXIST, call: "open", path: path)
      }
      if inode == nil, mode == .making || mode == .makingNew {
        guard state.present.directories.contains(Self.parent(of: path)) else {
          throw FileSystemError(ENOENT, call: "open", path: path)
        }
        let new = Self.newInode(&state)
        state.present.files[path] = new
        state.pendingNames.append(.name(path, new))
        inode = new
      }
      guard let inode else { throw FileSystemError(ENOENT, call: "open", path: path) }
      state.lastFile += 1
      state.files[state.lastFile] = inode
      state.openedAs[state.lastFile] = path
      return OpenFile(descriptor: state.lastFile)
    }
  }

  package func closeFile(_ file: OpenFile) throws(FileSystemError) {
    defer { state.withLock { Self.close(file, &$0) } }
    try call("close", file) { _ in }
  }

  private static func close(_ file: OpenFile, _ state: inout State) {
    state.openedAs[file.descriptor] = nil
    guard let inode = state.files.removeValue(forKey: file.descriptor) else {
      state.closedTwice.append(file.descriptor)
      return
    }
    if state.locks[inode] == file.descriptor { state.locks[inode] = nil }
  }

  package func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
  {
    try call("read", file, " \(offset) \(count)") { state throws(FileSystemError) -> [UInt8] in
      let content = state.inodes[try Self.inode(file, state, "read")]?.content ?? []
      let bytes = Array(content.dropFirst(offset).prefix(count))
      state.readByteCount += bytes.count
      return bytes
    }
  }

  package func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(FileSystemError) {
    func write(_ bytes: [UInt8], _ state: inout State) throws(FileSystemError) {
      let inode = try Self.inode(file, state, "write")
      Self.put(bytes, at: offset, in: &state.inodes[inode, default: Inode()].content)
      state.inodes[inode]?.pending.append(Write(change: .bytes(bytes, at: offset)))
      state.inodes[inode]?.modified += 1
    }
    try call("write", file, " \(offset) \(bytes.count)") { state in
      try? write(Array(bytes.prefix(bytes.count / 2)), &state)
    } _: { state throws(FileSystemError) in
      try write(bytes, &state)
    }
  }

  package func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try call("truncate", file, " \(size)") { state throws(FileSystemError) in
      let inode = try Self.inode(file, state, "truncate")
      let count = state.inodes[inode]?.content.count ?? 0
      state.inodes[inode]?.content.removeLast(max(count - size, 0))
      state.inodes[inode]?.pending.append(Write(change: .cut(size)))
      state.inodes[inode]?.modified += 1
    }
  }

  package func sync(_ file: OpenFile) throws(FileSystemError) {
    do throws(FileSystemError) {
      try call("sync", file) { state throws(FileSystemError) in
        let inode = try Self.inode(file, state, "sync")
        state.inodes[inode, default: Inode()].sync()
      }
    } catch {
      state.withLock { state in
        guard !state.hasCrashed, let inode = state.files[file.descriptor] else { return }
        state.inodes[inode]?.giveUpWrites()
        note(state)
      }
      throw error
    }
  }

  package func syncDirectory(_ path: String) throws(FileSystemError) {
    try call("syncDirectory", path) { state in
      var later: [Naming] = []
      for naming in state.pendingNames {
        if naming.directory == path { state.durable.apply(naming) } else { later.append(naming) }
      }
      state.pendingNames = later
    }
  }

  package func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try call("status", path) { state in
      if state.present.directories.contains(path) {
        return FileStatus(device: 1, inode: 1, size: 0, modified: 0, isDirectory: true)
      }
      return state.present.files[path].map { Self.status($0, state) }
    }
  }

  package func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try call("fstatus", file) { state throws(FileSystemError) in
      Self.status(try Self.inode(file, state, "fstatus"), state)
    }
  }

  package func rename(_ old: String, to new: String) throws(FileSystemError) {
    func rename(_ state: inout State) {
      guard let inode = state.present.files.removeValue(forKey: old) else { return }
      state.present.files[new] = inode
      if Self.parent(of: old) == Self.parent(of: new) {
        state.pendingNames.append(.rename(old, new, inode))
      } else {
        state.pendingNames += [.name(new, inode), .remove(old)]
      }
    }
    // Half of a rename is one that was done and reported as failed.
    try call("rename", "\(old) \(new)", partly: rename) { state throws(FileSystemError) in
      guard state.present.files[old] != nil else {
        throw FileSystemError(ENOENT, call: "rename", path: old)
      }
      rename(&state)
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try call("remove", path) { state throws(FileSystemError) in
      guard state.present.files.removeValue(forKey: path) != nil else {
        throw FileSystemError(ENOENT, call: "remove", path: path)
      }
      state.pendingNames.append(.remove(path))
    }
  }

  package func makeDirectory(_ path: String) throws(FileSystemError) {
    try call("makeDirectory", path) { state throws(FileSystemError) in
      guard state.present.directories.insert(path).inserted else {
        throw FileSystemError(EEXIST, call: "makeDirectory", path: path)
      }
      state.pendingNames.append(.makeDirectory(path))
    }
  }

  package func names(in path: String) throws(FileSystemError) -> [String] {
    try call("names", path) { state in
      let (folder, start) = (path + "/", path.utf8.count + 1)
      return state.present.files.keys.compactMap { file in
        guard file.hasPrefix(folder), let name = String(file.utf8.dropFirst(start)) else {
          return nil
        }
        let slash = name.withUTF8Span { $0.firstOffset(of: UInt8(ascii: "/"), from: 0) }
        return slash == name.utf8.count ? name : nil
      }
    }
  }

  package func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    try call("lock", file) { state throws(FileSystemError) -> Bool in
      let inode = try Self.inode(file, state, "lock")
      if let holder = state.locks[inode], holder != file.descriptor { return false }
      state.locks[inode] = file.descriptor
      return true
    }
  }

  package func unlock(_ file: OpenFile) throws(FileSystemError) {
    try call("unlock", file) { state throws(FileSystemError) in
      let inode = try Self.inode(file, state, "unlock")
      if state.locks[inode] == file.descriptor { state.locks[inode] = nil }
    }
  }

  package func canonical(_ path: String) -> String { path }

  package func setProtection(
    _ protection: FileProtection, of path: String
  ) throws(FileSystemError) {
    try call("setProtection", path) { state throws(FileSystemError) in
      guard let inode = state.present.files[path] else {
        throw FileSystemError(ENOENT, call: "setProtection", path: path)
      }
      state.inodes[inode]?.protection = protection
    }
  }

  // Neither is counted, so that a fault at the nth call stays at the same call.

  package func excludeFromBackup(_ path: String) throws(FileSystemError) {
    state.withLock { state in
      if let inode = state.present.files[path] { state.inodes[inode]?.isExcludedFromBackup = true }
    }
  }

  package func location(of path: String) throws(FileSystemError) -> FileLocation { volume }
}
