import FieldCore
import Foundation
import TestSupport

/// The files of a device, which survive its processes.
final class DeviceFiles: Sendable {
  private let present = Lock(MemoryFileSystem())
  /// When inodes were changed last, in nanoseconds of the device's clock.
  let changes = Lock<[UInt64: Int64]>([:])

  /// Whether the power has failed since the last start of the device.
  let hasFailed = Lock(false)

  /// The file system since the last start of the device.
  var system: MemoryFileSystem { present.withLock(\.self) }

  /// Starts the device again.
  func restart(powerCut seed: UInt64?) {
    present.withLock { $0 = $0.afterCrash(seed: seed) }
    hasFailed.withLock { $0 = false }
  }
}

/// What a process sees of a device's files, and the end of it at any call.
///
/// Each process has paths of its own for the same files, because what stores share within a process
/// they find by path. Files have the time of the device's clock, as the grace of blobs requires.
final class ProcessFiles: FileSystem {
  /// What happens at a call to the file system.
  enum Mishap: Sendable, Hashable {
    case kill
    case powerCut
    case failure(Int32)
    case partialFailure(Int32)
  }

  private struct State {
    var isDead = false
    var open: Set<OpenFile> = []
    var mishap: (callsLeft: Int, kind: Mishap)?
  }

  private static let lastNumber = Lock(0)

  /// The directory in which this process sees the device's files.
  let root: String
  private let device: DeviceFiles
  private let system: MemoryFileSystem
  private let now: @Sendable () -> Date
  private let state = Lock(State())

  init(_ device: DeviceFiles, now: @escaping @Sendable () -> Date) {
    let number = Self.lastNumber.withLock {
      $0 += 1
      return $0
    }
    root = "/process-\(number)"
    self.device = device
    self.now = now
    system = device.system
  }

  var isDead: Bool { state.withLock(\.isDead) }

  /// Lets something happen after some calls; nil calls that off.
  func set(_ kind: Mishap?, after count: Int = 0) {
    state.withLock { $0.mishap = kind.map { (count, $0) } }
  }

  /// Ends the process: its files are closed, and it can't do anything more.
  func kill() {
    let open = state.withLock { state in
      defer { state.open = [] }
      state.isDead = true
      return state.open
    }
    for file in open.sorted(by: { $0.descriptor < $1.descriptor }) {
      _ = try? system.closeFile(file)
    }
  }

  private func inner(_ path: String) -> String {
    guard path.hasPrefix(root) else { return path }
    return path.count == root.count ? "/" : String(path.dropFirst(root.count))
  }

  private func begin(_ call: String) throws(FileSystemError) {
    let kind: Mishap? = state.withLock { state in
      guard let mishap = state.mishap else { return nil }
      state.mishap = mishap.callsLeft == 0 ? nil : (mishap.callsLeft - 1, mishap.kind)
      return mishap.callsLeft == 0 ? mishap.kind : nil
    }
    let next = system.callCount + 1
    switch kind {
    case .kill: kill()
    case .powerCut:
      device.hasFailed.withLock { $0 = true }
      system.fail(at: next, .crash)
    case .failure(let number): system.fail(at: next, .failure(number))
    case .partialFailure(let number): system.fail(at: next, .partialFailure(number))
    case nil: break
    }
    if isDead { throw FileSystemError(EIO, call: call, path: "a process that has ended") }
  }

  private func touch(_ inode: UInt64) {
    let time = Int64(now().timeIntervalSince1970 * 1e9)
    device.changes.withLock { $0[inode] = time }
  }

  private func dated(_ status: FileStatus) -> FileStatus {
    var status = status
    status.modified += device.changes.withLock { $0[status.inode] ?? 0 }
    return status
  }

  func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try begin("open")
    let file = try system.openFile(inner(path), mode)
    state.withLock { _ = $0.open.insert(file) }
    if mode == .makingNew, let status = try? system.status(of: file) { touch(status.inode) }
    return file
  }

  func closeFile(_ file: OpenFile) throws(FileSystemError) {
    guard state.withLock({ $0.open.remove(file) }) != nil else { return }
    // A descriptor is closed even if the call fails.
    defer { _ = try? system.closeFile(file) }
    try begin("close")
  }

  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try begin("read")
    return try system.read(file, at: offset, count: count)
  }

  func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(FileSystemError) {
    try begin("write")
    try system.write(bytes, to: file, at: offset)
    if let status = try? system.status(of: file) { touch(status.inode) }
  }

  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try begin("truncate")
    try system.truncate(file, to: size)
    if let status = try? system.status(of: file) { touch(status.inode) }
  }

  func sync(_ file: OpenFile) throws(FileSystemError) {
    try begin("sync")
    try system.sync(file)
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    try begin("syncDirectory")
    try system.syncDirectory(inner(path))
  }

  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try begin("status")
    return try system.status(at: inner(path)).map(dated)
  }

  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try begin("fstatus")
    return dated(try system.status(of: file))
  }

  func rename(_ old: String, to new: String) throws(FileSystemError) {
    try begin("rename")
    try system.rename(inner(old), to: inner(new))
  }

  func remove(_ path: String) throws(FileSystemError) {
    try begin("remove")
    try system.remove(inner(path))
  }

  func setModified(_ path: String, to nanoseconds: Int64) throws(FileSystemError) {
    try begin("setModified")
    guard let status = try system.status(at: inner(path)) else { return }
    device.changes.withLock { $0[status.inode] = nanoseconds }
  }

  func makeDirectory(_ path: String) throws(FileSystemError) {
    try begin("makeDirectory")
    try system.makeDirectory(inner(path))
  }

  func names(in path: String) throws(FileSystemError) -> [String] {
    try begin("names")
    return try system.names(in: inner(path)).sorted()
  }

  func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool {
    try begin("lock")
    return try system.tryLock(file)
  }

  func unlock(_ file: OpenFile) throws(FileSystemError) {
    try begin("unlock")
    try system.unlock(file)
  }

  func canonical(_ path: String) -> String { path }
}
