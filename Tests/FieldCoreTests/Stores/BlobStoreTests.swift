import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("A store of blobs")
struct BlobStoreTests {
  private let folder: TemporaryFolder
  private var directory: URL { folder.url.appending(path: "photos.blobs") }

  init() throws { folder = try TemporaryFolder() }

  private func stores(grace: Duration = .zero) -> [any BlobStore] {
    [InMemoryBlobStore(), FileBlobStore(directory, grace: grace)]
  }

  private func file(_ id: BlobID) -> URL { directory.appending(path: id.hexadecimal) }

  @Test("a store of blobs returns what was stored, by the ID of its content")
  func putAndGet() async throws {
    for store in stores() {
      for bytes in [[], [1], Array("photo".utf8), [UInt8](repeating: 7, count: 100_000)]
        as [[UInt8]]
      {
        let lease = try await store.put(bytes)
        #expect(lease.id == BlobID(of: bytes))
        #expect(try await store.bytes(of: lease.id) == bytes)
        #expect(try await store.contains(lease.id))
        #expect(try await store.status(of: lease.id)?.byteCount == bytes.count)
        #expect(try await store.put(bytes).id == lease.id)
      }
      let unknown = BlobID(of: [9, 9])
      #expect(try await store.bytes(of: unknown) == nil)
      #expect(try await store.contains(unknown) == false)
      try await store.remove(unknown)
      let lease = try await store.put([1])
      try await store.remove(lease.id)
      #expect(try await store.bytes(of: lease.id) == [1], "a record is about to refer to it")
      lease.end()
      try await store.remove(lease.id)
      #expect(try await store.bytes(of: lease.id) == nil)
      #expect(try await store.status(of: lease.id) == nil)
    }
  }

  @Test("a store of blobs sweeps unreferenced blobs, and nothing that is leased")
  func sweep() async throws {
    for store in stores() {
      let kept = try await store.put([1])
      let leased = try await store.put([2])
      let twice = [try await store.put([3]), try await store.put([3])]
      let orphan = try await store.put([4])
      kept.end()
      orphan.end()
      twice[0].end()
      #expect(try await store.sweep(keeping: [kept.id]) == [orphan.id])
      #expect(try await store.contains(kept.id))
      #expect(try await store.contains(leased.id))
      #expect(try await store.contains(twice[1].id))
      #expect(try await store.contains(orphan.id) == false)
      leased.end()
      leased.end()
      twice[1].end()
      #expect(try await store.sweep(keeping: [kept.id]) == [leased.id, twice[1].id])
    }
  }

  @Test("a store of blobs doesn't remove a blob whose record is committed during the check")
  func committedMeanwhile() async throws {
    for store in stores() {
      let id = try await put([1], in: store)
      let records = Lock<Set<BlobID>>([])
      // The record came after the question, and its lease has ended before the answer.
      try await store.remove(id) {
        let isInUse = records.withLock { $0.contains(id) }
        let lease = try await store.put([1])
        records.withLock { _ = $0.insert(id) }
        lease.end()
        return isInUse
      }
      #expect(try await store.contains(id))
      let other = try await put([2], in: store)
      let swept = try await store.sweep {
        let kept = records.withLock(\.self)
        try await store.put([2]).end()
        return kept
      }
      #expect(swept == [])
      // A lease that ended before spares nothing, whatever else is being removed at the time.
      try await store.remove(id) {
        _ = try await put([3], in: store)
        try await store.remove(BlobID(of: [3])) { false }
        #expect(try await store.contains(BlobID(of: [3])) == false)
        try await store.remove(other) { false }
        return true
      }
      #expect(try await store.contains(id))
      #expect(try await store.contains(other) == false)
    }
  }

  private func put(_ bytes: [UInt8], in store: any BlobStore) async throws -> BlobID {
    let lease = try await store.put(bytes)
    lease.end()
    return lease.id
  }

  @Test("a store of blobs ends a lease when it is released")
  func leaseEnds() async throws {
    for store in stores() {
      let id = try await store.put([1]).id
      #expect(try await store.sweep(keeping: []) == [id])
    }
  }

  @Test(
    "a store of blobs shares its leases among the stores of a directory, and spares young blobs")
  func sharedLeases() async throws {
    let lease = try await FileBlobStore(directory, grace: .zero).put([1])
    #expect(try await FileBlobStore(directory, grace: .zero).sweep(keeping: []) == [])
    lease.end()
    #expect(try await FileBlobStore(directory).sweep(keeping: []) == [])
    #expect(try await FileBlobStore(directory, grace: .zero).sweep(keeping: []) == [lease.id])
  }

  @Test("a store of blobs reports bytes that differ from those stored, and heals after another put")
  func damage() async throws {
    let store = FileBlobStore(directory, grace: .zero)
    let lease = try await store.put(Array("photo".utf8))
    for damaged in ["phot", "phoho", "photo!", ""] {
      try Data(damaged.utf8).write(to: file(lease.id))
      let error = await #expect(throws: FieldError.self) { try await store.bytes(of: lease.id) }
      #expect(error?.code == .damaged)
    }
    try await store.put(Array("photo".utf8)).end()
    #expect(try await store.bytes(of: lease.id) == Array("photo".utf8))
  }

  @Test("a store of blobs ignores other files")
  func foreignFiles() async throws {
    let store = FileBlobStore(directory, grace: .zero)
    try await store.put([1]).end()
    try Data().write(to: directory.appending(path: "README"))
    #expect(try await store.sweep(keeping: []).count == 1)
    #expect(FileManager.default.fileExists(atPath: directory.appending(path: "README").path))
  }

  @Test("a store of blobs neither stores nor removes if it is read-only")
  func readOnly() async throws {
    try await FileBlobStore(directory).put([1]).end()
    let store = FileBlobStore(directory, access: .readOnly)
    #expect(try await store.bytes(of: BlobID(of: [1])) == [1])
    for use in [
      { _ = try await store.put([2]) }, { try await store.remove(BlobID(of: [1])) },
      { _ = try await store.sweep(keeping: []) },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: FieldError.self) { try await use() }
      #expect(error?.code == .readOnly)
    }
  }

  @Test(
    "a store of blobs contains stored blobs after a power failure at any call",
    arguments: [1, 2, 3] as [UInt64])
  func crash(seed: UInt64) async throws {
    var call = 0
    while true {
      call += 1
      let fileSystem = MemoryFileSystem()
      fileSystem.fail(at: call, .crash)
      let store = FileBlobStore(
        path: "/blobs", grace: .zero, clock: .system, fileSystem: fileSystem)
      var put: [[UInt8]] = []
      for number in 0..<4 as Range<UInt8> {
        let bytes = [UInt8](repeating: number, count: 50)
        if (try? await store.put(bytes)) != nil { put.append(bytes) }
      }
      if fileSystem.callCount < call { break }
      let after = FileBlobStore(
        path: "/blobs", grace: .zero, clock: .system,
        fileSystem: fileSystem.afterCrash(seed: seed &* 7919 &+ UInt64(call)))
      for bytes in put {
        #expect(try await after.bytes(of: BlobID(of: bytes)) == bytes, "seed \(seed), call \(call)")
      }
      try await after.put([1, 2, 3]).end()
      #expect(try await after.bytes(of: BlobID(of: [1, 2, 3])) == [1, 2, 3])
    }
    #expect(call > 20)
  }

  @Test("a store of blobs keeps them even if its directory's name couldn't be synced at first")
  func directoryName() async throws {
    let fileSystem = MemoryFileSystem()
    func store(_ files: MemoryFileSystem) -> FileBlobStore {
      FileBlobStore(path: "/kit/named.blobs", grace: .zero, clock: .system, fileSystem: files)
    }
    for count in 0..<2 {
      fileSystem.failCalls("syncDirectory", after: count)
      await #expect(throws: FieldError.self) { try await store(fileSystem).put([1]) }
    }
    let next = fileSystem.afterCrash(seed: nil)
    try await store(next).put([1]).end()
    for seed in 1...20 as ClosedRange<UInt64> {
      let after = store(next.afterCrash(seed: seed))
      #expect(try await after.bytes(of: BlobID(of: [1])) == [1], "seed \(seed)")
    }
  }

  @Test(
    "a store of blobs reports what failed, and leaves nothing incomplete", arguments: [ENOSPC, EIO])
  func failures(error: Int32) async throws {
    var call = 0
    while true {
      call += 1
      let fileSystem = MemoryFileSystem()
      fileSystem.fail(at: call, .partialFailure(error))
      let store = FileBlobStore(
        path: "/blobs", grace: .zero, clock: .system, fileSystem: fileSystem)
      do {
        try await store.put([1, 2, 3, 4]).end()
      } catch let failure as FieldError {
        #expect([.io, .diskFull].contains(failure.code), "call \(call)")
      }
      if fileSystem.callCount < call { break }
      try await store.put([1, 2, 3, 4]).end()
      #expect(try await store.bytes(of: BlobID(of: [1, 2, 3, 4])) == [1, 2, 3, 4])
    }
  }

  @Test(
    "a store of blobs has IDs that are the SHA-256 of the content",
    .enabled(if: Tool.isThere("sha256sum")))
  func digests() throws {
    #expect(
      BlobID(of: Array("abc".utf8)).hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    var chance = SeededGenerator(seed: 1)
    for count in [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000, 4097] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
      let file = folder.url.appending(path: "bytes")
      try Data(bytes).write(to: file)
      let judge = String(decoding: try Tool.run("sha256sum", file.path), as: UTF8.self)
      #expect(judge.hasPrefix(BlobID(of: bytes).hexadecimal), "\(count) bytes")
    }
  }

  @Test(
    "a store of blobs has IDs that are never paths",
    arguments: [
      "", "../../etc/passwd", String(repeating: "A", count: 64),
      "\(String(repeating: "a", count: 63))/",
    ])
  func badIDs(text: String) throws {
    #expect(BlobID(hexadecimal: text) == nil)
    let json = try JSONEncoder().encode([text])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([BlobID].self, from: json) }
    let id = BlobID(of: [1])
    #expect(try JSONDecoder().decode([BlobID].self, from: JSONEncoder().encode([id])) == [id])
    #expect(BlobID(hexadecimal: id.hexadecimal) == id)
  }
}
