import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Where a store's files may be, and how they are kept", .timeLimit(.minutes(60)))
struct PlacementTests {
  private static let path = "/data/notes.store"

  private let files = MemoryFileSystem()

  private func placed(_ placement: FilePlacement) -> PlacedFileSystem {
    PlacedFileSystem(files, placement)
  }

  private func store(
    _ placement: FilePlacement, access: StoreAccess = .readWrite
  ) -> FileStore<Note> {
    FileStore(unsharedPath: Self.path, access: access, fileSystem: placed(placement))
  }

  private func blobs(_ placement: FilePlacement) -> FileBlobStore {
    FileBlobStore(
      path: "/data/notes.blobs", grace: .zero, clock: .system, fileSystem: placed(placement))
  }

  private func code(_ body: () async throws -> Void) async -> FieldError.Code? {
    await #expect(throws: FieldError.self) { try await body() }?.code
  }

  /// Makes every kind of file: those of a store, of its compaction and of a damaged part of it, of a
  /// blob, and of a journal.
  private func fill(_ placement: FilePlacement) async throws {
    let first = store(placement)
    for step in 0..<20 { try await first.put(Note(1, String(repeating: "\(step)", count: 12_000))) }
    #expect(files.log.filter { $0.contains("rename") }.count >= 2, "nothing was compacted")
    try await first.close()
    files[Self.path]? += [1, 2, 3]
    let second = store(placement)
    #expect(try await second.open().cuts.count == 1)
    _ = try await blobs(placement).put([1])
    let journal = try TextJournals(placed(placement)).make()
    try journal.append("second")
    journal.close()
  }

  @Test("a store protects every file that it writes")
  func protection() async throws {
    try await fill(FilePlacement(protection: .completeUnlessOpen))
    #expect(files.paths.count >= 6)
    for path in files.paths {
      #expect(files.protection(of: path) == .completeUnlessOpen, "\(path)")
      #expect(!files.isExcludedFromBackup(path), "\(path)")
    }
  }

  @Test("a store leaves the protection to the platform unless it is chosen")
  func noProtection() async throws {
    try await fill(FilePlacement())
    for path in files.paths { #expect(files.protection(of: path) == nil, "\(path)") }
  }

  @Test("a store keeps no file that can't be protected")
  func protectionFails() async throws {
    let placement = FilePlacement(protection: .complete)
    files.failAlways("setProtection")
    #expect(await code { try await store(placement).put(Note(1)) } == .io)
    #expect(await code { _ = try await blobs(placement).put([1]) } == .io)
    #expect(throws: FieldError.self) { try TextJournals(placed(placement)).make() }
    #expect(files.paths == ["/data/notes.blobs/.lock", "/data/notes.store.lock"])
    files.failAlways(nil)
    try await store(placement).put(Note(1))
    #expect(files.protection(of: Self.path) == .complete)
  }

  @Test("a store excludes what can be fetched again from backups, also after a rewrite")
  func backup() async throws {
    try await fill(FilePlacement(isBackedUp: false))
    for path in files.paths { #expect(files.isExcludedFromBackup(path), "\(path)") }
    #expect(Note.isBackedUp)
    #expect(!Leaf.isBackedUp)
  }

  @Test("a store refuses a network volume and an iCloud container before anything is made")
  func unsuitable() async throws {
    for volume in [FileLocation.network, .ubiquitous] {
      files.volume = volume
      let placement = FilePlacement()
      #expect(await code { try await store(placement).put(Note(1)) } == .remoteVolume)
      #expect(
        await code { _ = try await store(placement, access: .readOnly).snapshot() }
          == .remoteVolume)
      #expect(await code { _ = try await blobs(placement).put([1]) } == .remoteVolume)
      #expect(await code { _ = try TextJournals(placed(placement)).make() } == .remoteVolume)
      #expect(files.paths.isEmpty)
      #expect(!files.log.contains { $0.contains("makeDirectory") })
    }
    let placement = FilePlacement(allowsNetworkVolumes: true)
    #expect(await code { try await store(placement).put(Note(1)) } == .remoteVolume)
    files.volume = .network
    try await store(placement).put(Note(1))
    #expect(try await store(placement).all == [Note(1)])
  }

  @Test("a store sees on this machine that a folder is on its disk")
  func machine() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "new/notes.store").path
    #expect(try PosixFileSystem().location(of: path) == .local)
  }

  @Test(
    "a store's files are where their URL says, whatever characters it contains",
    arguments: ["notes", "my notes", "100%", "a%20b", "備忘錄", "a#b?c"])
  func names(name: String) async throws {
    let folder = try TemporaryFolder()
    for file in [
      folder.url.appending(path: "\(name).store"),
      folder.url.appending(path: "\(name)/", directoryHint: .isDirectory),
    ] {
      let store = FileStore<Note>(file)
      try await store.put(Note(1))
      try await store.close()
      #expect(FileManager.default.fileExists(atPath: file.absoluteURL.path))
    }
  }

  @Test(
    "a store knows the kinds of volumes of Linux",
    arguments: [
      ("/", FileLocation.local), ("/home/a", .network), ("/home", .network), ("/homes", .local),
      ("/home/local/b", .local), ("/mnt/my share/c", .network), ("/mnt/my", .local),
      ("/fuse/x", .network), ("/overlay/x", .local), ("/mnt/twice/x", .local),
    ])
  func mounts(path: String, location: FileLocation) {
    let table = MountTable(
      """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      31 22 0:40 / /home rw shared:2 master:3 - nfs4 server:/home rw
      32 31 8:2 / /home/local rw - xfs /dev/sdb1 rw
      33 22 0:41 / /mnt/my\\040share rw - cifs //server/share rw
      34 22 0:42 / /fuse rw - fuse.sshfs server: rw
      35 22 0:43 / /overlay rw - fuse.fuse-overlayfs overlay rw
      36 22 0:44 / /mnt/twice rw - nfs server:/twice rw
      37 22 8:3 / /mnt/twice rw - ext4 /dev/sdc1 rw
      a line of another kind
      """)
    #expect(table.location(of: path) == location)
  }

  @Test("a store takes an unknown table of volumes for a local disk")
  func noMounts() {
    #expect(MountTable("").location(of: "/x") == .local)
  }
}

private struct Leaf: CatalogRecord {
  var id: Int
}
