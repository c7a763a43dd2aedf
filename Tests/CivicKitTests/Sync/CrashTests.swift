import CivicKit
import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("An interrupted sync", .timeLimit(.minutes(60)))
struct CivicCrashTests {
  @Test(
    "a sync interrupted by a kill leaves the directory old or new, wherever the file ends", .heavy)
  func killed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "civic.store")
    let fixture = try CivicFixture()
    let directory = Self.directory(FileStore(unsharedPath: path.path), fixture)
    try await directory.refresh()
    let old = try Data(contentsOf: path)
    let before = try await directory.export()
    try fixture.server.put("edm", #"{"edmId":"e9","edmName":"新"}"#)
    fixture.server.delete("mobileApp", key: "a1")
    try fixture.server.setLinks(
      "administrativeUnitInCategory", of: "u4", to: [#"{"unitId":"u4","categoryId":"c3"}"#])
    try await directory.refresh()
    let new = try Data(contentsOf: path)
    let after = try await directory.export()
    #expect(new.starts(with: old) && new.count > old.count && before != after)
    for end in Sample.of(old.count..<new.count, 40) + [new.count] {
      let copy = try TemporaryFolder()
      let file = copy.url.appending(path: "civic.store")
      try new.prefix(end).write(to: file)
      let reopened = Self.directory(FileStore(unsharedPath: file.path), fixture)
      let found = try await reopened.export()
      #expect(found == (end == new.count ? after : before), "cut at \(end) of \(new.count)")
      // The rows and the cursors that describe them never part: the next sync brings the rest.
      try await reopened.refresh()
      #expect(try await reopened.export() == after)
    }
  }

  @Test("a sync interrupted by a full disk throws, changes nothing, and works when there is space")
  func diskFull() async throws {
    let folder = try TemporaryFolder()
    let fixture = try CivicFixture()
    let disk = TightDisk()
    let store = FileStore<CivicRecord>(
      unsharedPath: folder.url.appending(path: "civic.store").path, fileSystem: disk)
    let directory = Self.directory(store, fixture)
    try await directory.refresh()
    let before = try await directory.export()
    try fixture.server.put("edm", #"{"edmId":"e9","edmName":"新"}"#)
    disk.isFull.withLock { $0 = true }
    let error = await #expect(throws: FieldError.self) { try await directory.refresh() }
    #expect(error?.code == .diskFull)
    #expect(error?.code.guidance.group == .device)  // not a failure of the server
    #expect(try await directory.export() == before)
    disk.isFull.withLock { $0 = false }
    #expect(try await directory.refresh().added == 1)
  }

  private static func directory(
    _ store: FileStore<CivicRecord>, _ fixture: CivicFixture
  ) -> CivicDirectory {
    CivicDirectory(
      source: CivicServer(
        CivicService(baseURL: fixture.server.baseURL, project: fixture.server.project),
        transport: fixture.server),
      repository: store,
      feeds: CityFeeds(storage: .inMemory, transport: fixture.server, feeds: []),
      pictures: AssetCache(storage: .inMemory, transport: fixture.server),
      clock: fixture.clock)
  }
}

/// The disk of the machine, which can be full.
private final class TightDisk: FileSystem {
  let isFull = Lock(false)
  private let base = PosixFileSystem()

  func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(FileSystemError) {
    if isFull.withLock({ $0 }) {
      // Half of it fits.
      try base.write(Array(bytes.prefix(bytes.count / 2)), to: file, at: offset)
      throw FileSystemError(ENOSPC, call: "pwrite", path: "civic.store")
    }
    try base.write(bytes, to: file, at: offset)
  }

  func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try base.openFile(path, mode)
  }
  func closeFile(_ file: OpenFile) throws(FileSystemError) { try base.closeFile(file) }
  func read(
    _ file: OpenFile, at offset: Int, count: Int
  ) throws(FileSystemError) -> [UInt8] { try base.read(file, at: offset, count: count) }
  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try base.truncate(file, to: size)
  }
  func sync(_ file: OpenFile) throws(FileSystemError) { try base.sync(file) }
  func syncDirectory(_ path: String) throws(FileSystemError) { try base.syncDirectory(path) }
  func status(at path: String) throws(FileSystemError) -> FileStatus? { try base.status(at: path) }
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus { try base.status(of: file) }
  func rename(_ old: String, to new: String) throws(FileSystemError) {
    try base.rename(old, to: new)
  }
  func remove(_ path: String) throws(FileSystemError) { try base.remove(path) }
  func makeDirectory(_ path: String) throws(FileSystemError) { try base.makeDirectory(path) }
  func names(in path: String) throws(FileSystemError) -> [String] { try base.names(in: path) }
  func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool { try base.tryLock(file) }
  func unlock(_ file: OpenFile) throws(FileSystemError) { try base.unlock(file) }
  func canonical(_ path: String) -> String { base.canonical(path) }
}
