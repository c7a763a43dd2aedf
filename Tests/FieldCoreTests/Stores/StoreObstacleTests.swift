import FieldCore
import FieldLibc
import Foundation
import Testing
import TestSupport

@Suite("A store with unusual files or devices", .timeLimit(.minutes(60)))
struct StoreObstacleTests {
  private let folder: TemporaryFolder
  private var directory: URL { folder.url.appending(path: "data") }
  private var file: URL { directory.appending(path: "notes.store") }

  init() throws { folder = try TemporaryFolder() }

  private func store(_ access: StoreAccess = .readWrite) -> FileStore<Note> {
    FileStore(unsharedPath: file.path, access: access)
  }

  private func code(_ body: () async throws -> Void) async -> FieldError.Code? {
    await #expect(throws: FieldError.self) { try await body() }?.code
  }

  // MARK: Missing directories

  @Test("a store reports that its directory is missing, and starts over when it is opened again")
  func directoryIsDeleted() async throws {
    let store = store()
    try await store.put(Note(1))
    try FileManager.default.removeItem(at: directory)
    #expect(try await store.all == [Note(1)], "readers keep what they have")
    #expect(await code { try await store.put(Note(2)) } == .needsReopening)
    #expect(try await store.open().recordCount == 0)
    try await store.put(Note(3))
    #expect(try await self.store().all == [Note(3)])
  }

  @Test("a store doesn't report success for an opening after its directory was moved")
  func directoryIsMoved() async throws {
    let store = store()
    try await store.put(Note(1))
    let elsewhere = folder.url.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: directory, to: elsewhere)
    #expect(await code { try await store.open() } == .needsReopening)
    #expect(await code { try await store.put(Note(2)) } == .needsReopening)
    try FileManager.default.moveItem(at: elsewhere, to: directory)
    #expect(try await store.open().recordCount == 1)
    try await store.put(Note(3))
    #expect(try await store.all == [Note(1), Note(3)])
  }

  @Test("a store keeps what readers have if its file is deleted just before it is opened")
  func fileIsDeletedMeanwhile() async throws {
    let fileSystem = MemoryFileSystem()
    let path = "/data/notes.store"
    let writer = FileStore<Note>(unsharedPath: path, fileSystem: fileSystem)
    let reader = FileStore<Note>(
      unsharedPath: path, access: .readOnly, fileSystem: fileSystem)
    try await writer.put(Note(1))
    let first = try #require(fileSystem[path])
    try await writer.put(Note(2))
    #expect(try await reader.all.count == 2)
    // Another file is there when it is looked at, and none when it is opened.
    fileSystem[path] = first
    fileSystem.failAlways("open", ENOENT)
    #expect(try await reader.all.count == 2)
    #expect(try await writer.all.count == 2)
    #expect(await code { try await writer.put(Note(3)) } == .io)
    #expect(fileSystem[path] == first)
    fileSystem.failAlways(nil)
    #expect(try await reader.all == [Note(1)])
    try await writer.put(Note(3))
    #expect(try await reader.all == [Note(1), Note(3)])
  }

  // MARK: Full and read-only devices

  @Test(
    "a store with a torn end on a full disk is readable, and accepts commits once there is room")
  func tornOnFullDisk() async throws {
    let fileSystem = MemoryFileSystem()
    let path = "/data/notes.store"
    func store() -> FileStore<Note> { FileStore(unsharedPath: path, fileSystem: fileSystem) }
    try await store().put(Note(1))
    let torn = try #require(fileSystem[path]) + [1, 2, 3]
    fileSystem[path] = torn
    fileSystem.failAlways("write", ENOSPC)
    let full = store()
    let report = try await full.open()
    #expect(report.cuts.map(\.savedAs) == [nil])
    #expect(report.cuts.map(\.byteCount) == [3])
    #expect(report.hasUnreadParts)
    #expect(try await full.all == [Note(1)])
    #expect(await code { try await full.put(Note(2)) } == .diskFull)
    #expect(fileSystem[path] == torn)
    #expect(try await full.all == [Note(1)])
    fileSystem.failAlways(nil)
    try await full.put(Note(2))
    #expect(try await full.all == [Note(1), Note(2)])
    #expect(fileSystem[path + ".damaged-1"] == [1, 2, 3])
    #expect(full.openingReport?.cuts.map(\.savedAs?.path) == [path + ".damaged-1"])
  }

  @Test("a store on a read-only volume is readable, and rejects commits for that reason")
  func readOnlyVolume() async throws {
    let fileSystem = MemoryFileSystem()
    let path = "/data/notes.store"
    func store() -> FileStore<Note> { FileStore(unsharedPath: path, fileSystem: fileSystem) }
    try await store().put(Note(1))
    fileSystem.isReadOnly = true
    let reader = store()
    #expect(try await reader.open().recordCount == 1)
    #expect(try await reader.all == [Note(1)])
    let error = await #expect(throws: FieldError.self) { try await reader.put(Note(2)) }
    #expect(error?.code == .readOnly)
    #expect((error?.underlying as? FileSystemError)?.number == EROFS)
    #expect(await code { try await reader.eraseAll() } == .readOnly)
    try await reader.close()
    let blobs = FileBlobStore(
      path: "/data/notes.blobs", grace: .zero, clock: .system, fileSystem: fileSystem)
    #expect(await code { _ = try await blobs.put([1]) } == .readOnly)
    let journals = TextJournals(fileSystem)
    #expect(await code { _ = try journals.make() } == .readOnly)
    fileSystem.isReadOnly = false
    let again = store()
    try await again.put(Note(2))
    #expect(try await again.all == [Note(1), Note(2)])
    #expect(fileSystem.openCount > 0)
  }

  @Test("a store reports that its volume has become read-only, and resumes when that ends")
  func volumeBecomesReadOnly() async throws {
    let fileSystem = MemoryFileSystem()
    let store = FileStore<Note>(unsharedPath: "/data/notes.store", fileSystem: fileSystem)
    try await store.put(Note(1))
    fileSystem.isReadOnly = true
    #expect(await code { try await store.put(Note(2)) } == .readOnly)
    #expect(try await store.all == [Note(1)])
    fileSystem.isReadOnly = false
    _ = try await store.open()
    try await store.put(Note(3))
    #expect(try await store.all.last == Note(3))
  }

  // MARK: Paths that aren't files

  @Test(
    "a store is rejected if a pipe or a device is at its path, which stays unchanged",
    arguments: 0..<3)
  func notAFile(kind: Int) async throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let target = folder.url.appending(path: "target")
    switch kind {
    case 0: #expect(unsafe mkfifo(file.path, 0o600) == 0)
    case 1:
      #expect(unsafe mkfifo(target.path, 0o600) == 0)
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    default:
      // The test's own device; only root may create one.
      guard unsafe mknod(target.path, S_IFCHR | 0o600, dev_t(1 << 8 | 3)) == 0 else { return }
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
    }
    for access in [StoreAccess.readWrite, .readOnly] {
      let store = store(access)
      #expect(await code { try await store.open() } == .notAFile)
      #expect(await code { _ = try await store.snapshot() } == .notAFile)
    }
    #expect(await code { try await self.store().eraseAll() } == .notAFile)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: file.resolvingSymlinksInPath().path)
    #expect(attributes[.type] as? FileAttributeType != .typeRegular)
    let blobs = FileBlobStore(directory)
    let id = BlobID(of: [1])
    #expect(unsafe mkfifo(directory.appending(path: id.hexadecimal).path, 0o600) == 0)
    #expect(await code { _ = try await blobs.bytes(of: id) } == .notAFile)
    let journals = TextJournals(PosixFileSystem(), directory.path)
    #expect(unsafe mkfifo(directory.appending(path: "a.journal").path, 0o600) == 0)
    #expect(await code { _ = try journals.open() } == .notAFile)
    #expect(await code { _ = try journals.directory.peek("a") } == .notAFile)
  }

  @Test("a store isn't taken for a pipe or a device if the system can't tell what it is")
  func failingStatus() async throws {
    var error = #expect(throws: FileSystemError.self) {
      try PosixFileSystem.openFile(-1, at: "/data/notes.store")
    }
    #expect(error?.number == EBADF && error?.call == "fstat")
    #expect(error?.fieldError("").code == .io)
    // A device that was removed while it was read.
    error = FileSystemError(ENXIO, call: "pread", path: "/data/notes.store")
    #expect(error?.fieldError("").code == .io)
    error?.call = "open"
    #expect(error?.fieldError("").code == .notAFile)
    // No failure passes for a missing file.
    let long = "/tmp/" + String(repeating: "x", count: 300)
    #expect(await code { _ = try LocalFile.exists(at: long) } == .io)
    #expect(try !LocalFile.exists(at: "/tmp/there is no such file/at all"))
    #expect(try LocalFile.exists(at: folder.url.path))
    let missing = #expect(throws: FieldError.self) {
      try TransportBody.file(folder.url.appending(path: "missing")).bytes()
    }
    #expect(missing?.message.hasPrefix("There is no file at") == true)
    let unreadable = #expect(throws: FieldError.self) {
      try TransportBody.file(URL(filePath: long)).bytes()
    }
    #expect(unreadable?.message.hasSuffix("can't be read.") == true)
  }

  @Test("a store doesn't write through a link at the path of its lock file")
  func linkedLock() async throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let victim = folder.url.appending(path: "victim")
    try Data("whole".utf8).write(to: victim)
    try FileManager.default.createSymbolicLink(
      at: directory.appending(path: "notes.store.lock"), withDestinationURL: victim)
    #expect(await code { try await store().put(Note(1)) } == .io)
    #expect(try Data(contentsOf: victim) == Data("whole".utf8))
  }

  @Test(
    "a store doesn't write through a link at the path of a blob's mark or lock",
    arguments: [true, false])
  func linkedMark(isLock: Bool) async throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let victim = folder.url.appending(path: "victim")
    try Data("whole".utf8).write(to: victim)
    let blobs = FileBlobStore(directory, grace: .zero)
    let id = try await blobs.put([1]).id
    try await blobs.claim([id])
    let link = directory.appending(path: isLock ? ".lock" : ".unclaimed/\(id)")
    if isLock { try FileManager.default.removeItem(at: link) }
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
    #expect(await code { try await blobs.release([id]) } == .io)
    #expect(try Data(contentsOf: victim) == Data("whole".utf8))
  }

  // MARK: Erasing

  @Test("a store contains no bytes of erased records, however small it is")
  func erasedBytes() async throws {
    let store = store()
    try await store.put(Note(1, "a secret"))
    #expect(try Data(contentsOf: file).range(of: Data("a secret".utf8)) != nil)
    try await store.eraseAll()
    #expect(try Data(contentsOf: file).range(of: Data("a secret".utf8)) == nil)
    #expect(try await self.store().all.isEmpty)
  }

  // MARK: Files larger than memory

  private func grow(_ file: URL, to size: UInt64) throws {
    let handle = try FileHandle(forWritingTo: file)
    try handle.truncate(atOffset: size)
    try handle.close()
  }

  @Test("a store needs neither memory nor space on the device for a sparse file")
  func sparse() async throws {
    let size = Sample.rounds(2 << 30, 128 << 20, inDebug: 40 << 20)
    try await store().put(Note(1))
    let whole = try Data(contentsOf: file).count
    try grow(file, to: UInt64(size))
    let files = MeasuredFileSystem()
    let reader = FileStore<Note>(
      unsharedPath: file.path, access: .readOnly, fileSystem: files)
    #expect(try await reader.all == [Note(1)])
    #expect(reader.openingReport?.cuts.map(\.byteCount) == [size - whole])
    let writer = FileStore<Note>(unsharedPath: file.path, fileSystem: files)
    let report = try await writer.open()
    #expect(report.cuts.map(\.offset) == [whole])
    try await writer.put(Note(2))
    #expect(try await writer.all == [Note(1), Note(2)])
    let saved = try #require(report.cuts.first?.savedAs)
    #expect(try PosixFileSystem().status(at: saved.path)?.size == size - whole)
    // While it is open, another process extends it.
    try grow(file, to: UInt64(size))
    try await writer.put(Note(3))
    #expect(try await writer.all.count == 3)
    let journal = TextJournals(files, directory.path)
    try journal.make().close()
    try grow(directory.appending(path: "a.journal"), to: UInt64(size))
    #expect(try journal.directory.peek("a")?.payloads.count == 1)
    let found = try #require(try journal.read())
    #expect(found.texts == ["first"])
    #expect(found.cut.map { $0.offset + $0.byteCount } == size)
    #expect(try journal.directory.mentioned(among: [BlobID(of: [1])]) == [])
    #expect(files.largestRead.withLock { $0 } < 32 << 20)
    #expect(files.writtenCount.withLock { $0 } < 8 << 20)
  }

  @Test(
    "a blob whose file has grown sparse is damaged, and is read in small pieces",
    .enabled(if: Sample.isOptimized, "Hashing 40 MiB takes long, so only release builds do it."))
  func sparseBlob() async throws {
    let files = MeasuredFileSystem()
    let blobs = FileBlobStore(
      path: directory.path, grace: .zero, clock: .system, fileSystem: files)
    let (large, whole) = ([UInt8](repeating: 7, count: 17 << 20), try await blobs.put([1]))
    try grow(directory.appending(path: whole.id.hexadecimal), to: 40 << 20)
    #expect(await code { _ = try await blobs.bytes(of: whole.id) } == .damaged)
    #expect(files.largestRead.withLock { $0 } <= 1 << 20)
    let id = try await blobs.put(large).id
    #expect(try await blobs.bytes(of: id) == large)
  }
}

/// The device's file system, which records how much is read at once and how much is written.
private final class MeasuredFileSystem: FileSystem {
  private let files = PosixFileSystem()
  let largestRead = Lock(0)
  let writtenCount = Lock(0)

  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    largestRead.withLock { $0 = max($0, count) }
    return try files.read(file, at: offset, count: count)
  }
  func write(_ bytes: [UInt8], to file: OpenFile, at offset: Int) throws(FileSystemError) {
    writtenCount.withLock { $0 += bytes.count }
    try files.write(bytes, to: file, at: offset)
  }
  func openFile(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try files.openFile(path, mode)
  }
  func closeFile(_ file: OpenFile) throws(FileSystemError) { try files.closeFile(file) }
  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try files.truncate(file, to: size)
  }
  func sync(_ file: OpenFile) throws(FileSystemError) { try files.sync(file) }
  func syncDirectory(_ path: String) throws(FileSystemError) { try files.syncDirectory(path) }
  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try files.status(at: path)
  }
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try files.status(of: file)
  }
  func rename(_ old: String, to new: String) throws(FileSystemError) {
    try files.rename(old, to: new)
  }
  func remove(_ path: String) throws(FileSystemError) { try files.remove(path) }
  func makeDirectory(_ path: String) throws(FileSystemError) { try files.makeDirectory(path) }
  func names(in path: String) throws(FileSystemError) -> [String] { try files.names(in: path) }
  func tryLock(_ file: OpenFile) throws(FileSystemError) -> Bool { try files.tryLock(file) }
  func unlock(_ file: OpenFile) throws(FileSystemError) { try files.unlock(file) }
  func canonical(_ path: String) -> String { files.canonical(path) }
}
