import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import FieldCore

@Suite("Claims on blobs")
struct BlobClaimTests {
  private let folder: TemporaryFolder
  private var directory: URL { folder.url.appending(path: "photos.blobs") }

  init() throws { folder = try TemporaryFolder() }

  private func stores() -> [any BlobStore] {
    [InMemoryBlobStore(), FileBlobStore(directory, grace: .zero)]
  }

  private func put(_ bytes: [UInt8], in store: any BlobStore) async throws -> BlobID {
    let lease = try await store.put(bytes)
    lease.end()
    return lease.id
  }

  private func sweep(
    _ store: any BlobStore, releasing ids: Set<BlobID> = [], keeping used: Set<BlobID>? = []
  ) async throws {
    try await store.sweepUnclaimed(releasing: ids) { used }
  }

  @Test("claims on blobs keep a blob that no record refers to any longer")
  func claimed() async throws {
    for store in stores() {
      let lost = try await put([1], in: store)
      let orphan = try await put([2], in: store)
      let used = try await put([3], in: store)
      try await store.claim([lost])
      try await sweep(store, keeping: [used, lost])
      #expect(try await !store.contains(orphan))
      try await sweep(store, keeping: [used])
      #expect(try await store.contains(lost))
      #expect(try await store.contains(used))
      // What was in use is claimed by that.
      try await sweep(store)
      #expect(try await store.contains(used))
    }
  }

  @Test("claims on blobs without records protect unclaimed ones, whose records may also be lost")
  func recordsAreLost() async throws {
    let store = FileBlobStore(directory, grace: .zero)
    let (lost, unclaimed, released) = (
      try await put([1], in: store), try await put([2], in: store), try await put([3], in: store)
    )
    try await store.claim([lost, released])
    try await sweep(store, releasing: [released])
    #expect(try await store.contains(lost))
    #expect(try await store.contains(unclaimed))
    #expect(try await !store.contains(released))
    // The record is restored.
    try await sweep(store, keeping: [lost])
    #expect(try await !store.contains(unclaimed))
  }

  @Test(
    "claims on blobs don't outlive a record whose removal a power failure interrupts or follows")
  func powerFailsInRemoval() async throws {
    for call in 1...20 {
      for seed in 0..<8 as Range<UInt64> {
        let path = "/\(UUID().uuidString)"
        let fileSystem = MemoryFileSystem()
        let store = FileBlobStore(path: path, grace: .zero, clock: .system, fileSystem: fileSystem)
        let (kept, gone) = (try await put([1], in: store), try await put([2], in: store))
        try await store.claim([kept, gone])
        try fileSystem.syncDirectory(path + "/.unclaimed")
        fileSystem.fail(at: fileSystem.callCount + call, .crash)
        var used: Set<BlobID> = [kept, gone]
        do {
          try await store.release([gone])
          used = [kept]
          try await sweep(store, releasing: [gone], keeping: used)
        } catch {}
        let next = FileBlobStore(
          path: path, grace: .zero, clock: .system, fileSystem: fileSystem.afterCrash(seed: seed))
        try await sweep(next, keeping: used)
        #expect(try await next.contains(kept), "call \(call), seed \(seed)")
        #expect(try await next.contains(gone) == used.contains(gone), "call \(call), seed \(seed)")
      }
    }
  }

  @Test("claims and partial files aren't left by a put that fails", arguments: [EIO, ENOSPC])
  func failedPut(error: Int32) async throws {
    try await Trial.atEveryCall(.failure(error), atLeast: 10) { trial in
      _ = try await put([1], in: trial.store)
      trial.begin()
      let isStored = (try? await put([2], in: trial.store)) != nil
      let id = BlobID(of: [2])
      #expect(trial.files["\(trial.path)/.new"] == nil, trial.what)
      let isThere = trial.files["\(trial.path)/\(id)"] != nil
      #expect(!isStored || isThere)
      let hasMark = trial.files["\(trial.path)/.unclaimed/\(id)"] != nil
      #expect(hasMark == isThere, trial.what)
    }
  }

  @Test(
    "claims on blobs aren't left by a put that a power failure interrupts",
    arguments: 1...8 as ClosedRange<UInt64>)
  func powerFailsInPut(seed: UInt64) async throws {
    try await Trial.atEveryCall(.crash, atLeast: 10) { trial in
      _ = try await put([1], in: trial.store)
      trial.begin()
      _ = try? await put([2], in: trial.store)
      let (next, files) = trial.afterCrash(seed: seed)
      try await sweep(next)
      // A claimed blob without a record would have kept the others from being removed.
      let blobs = files.paths.filter { $0.hasPrefix(trial.path) && !$0.hasSuffix("/.lock") }
      #expect(blobs == [], trial.what)
    }
  }

  @Test("claims aren't left by a put into directories that another process made and didn't sync")
  func powerFailsInFirstPut() async throws {
    func store(_ files: MemoryFileSystem) -> FileBlobStore {
      FileBlobStore(path: "/photos", grace: .zero, clock: .system, fileSystem: files)
    }
    for call in 1... {
      let files = MemoryFileSystem()
      for path in ["/photos", "/photos/.unclaimed"] { try files.makeDirectory(path) }
      let calls = files.callCount
      files.fail(at: calls + call, .crash)
      _ = try? await put([1], in: store(files))
      for seed in 1...20 as ClosedRange<UInt64> {
        let after = files.afterCrash(seed: seed)
        try await sweep(store(after))
        let blobs = after.paths.filter { !$0.hasSuffix("/.lock") }
        #expect(blobs == [], "call \(call), seed \(seed)")
      }
      if files.callCount < calls + call { break }
    }
  }

  @Test(
    "claims of an earlier version, beside the blobs, are known wherever moving them was cut off",
    arguments: [0, 1, 2, 3] as [UInt64])
  func oldMarks(seed: UInt64) async throws {
    try await Trial.atEveryCall(.crash, atLeast: 10) { trial in
      let (used, unused, released) = (BlobID(of: [1]), BlobID(of: [2]), BlobID(of: [3]))
      for byte in 1...3 as ClosedRange<UInt8> {
        let path = "\(trial.path)/\(BlobID(of: [byte]))"
        trial.files[path] = [byte]
        trial.files[path + ".unclaimed"] = []
      }
      trial.begin()
      do {
        try await sweep(trial.store, releasing: [released], keeping: [used])
        try await trial.store.claim([used])
      } catch {}
      let (next, files) = trial.afterCrash(seed: seed)
      try await sweep(next, keeping: [used, try await put([4], in: next)])
      #expect(try await next.contains(used))
      #expect(try await !next.contains(unused))
      #expect(try await !next.contains(released))
      #expect(!files.paths.contains { $0.hasSuffix(".unclaimed") }, trial.what)
    }
  }

  @Test("claims on blobs survive another put, and end with the blob")
  func putAgain() async throws {
    for store in stores() {
      let id = try await put([1], in: store)
      try await store.claim([id])
      _ = try await put([1], in: store)
      try await sweep(store)
      #expect(try await store.contains(id))
      try await store.remove(id)
      _ = try await put([1], in: store)
      try await sweep(store)
      #expect(try await !store.contains(id))
    }
  }

  @Test("claims on blobs aren't made by a removal that ends while the blob is stored again")
  func putWhileRemoving() async throws {
    let store = FileBlobStore(directory, grace: .zero)
    let lease = try await store.put([1])
    // What `remove` does after it has removed the file.
    store.removeMarks(ofRemoved: [lease.id])
    lease.end()
    try await sweep(store)
    #expect(try await !store.contains(lease.id))
  }

  @Test("claims on blobs end when the blob is released, and not before it is known to be unused")
  func released() async throws {
    for store in stores() {
      let id = try await put([1], in: store)
      try await store.claim([id])
      try await sweep(store, releasing: [id], keeping: [id])
      try await sweep(store)
      #expect(try await store.contains(id), "it was in use")
      try await sweep(store, releasing: [id], keeping: nil)
      #expect(try await store.contains(id), "nobody knows what is in use")
      try await sweep(store)
      #expect(try await !store.contains(id))
    }
  }

  @Test("claims on blobs spare a leased blob that was released")
  func leased() async throws {
    for store in stores() {
      let lease = try await store.put([1])
      try await sweep(store, releasing: [lease.id])
      #expect(try await store.contains(lease.id))
      lease.end()
      try await sweep(store)
      #expect(try await !store.contains(lease.id))
    }
  }

  @Test("claims on blobs protect nothing from erasing, and the grace period only unclaimed blobs")
  func erased() async throws {
    let store = FileBlobStore(directory)
    let lost = try await put([1], in: store)
    try await store.claim([lost])
    let young = try await put([2], in: store)
    #expect(try await store.sweep { [] } == [lost])
    #expect(try await store.contains(young), "another process may be about to refer to it")
    #expect(try await FileBlobStore(directory, grace: .zero).sweep { [] } == [young])
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(Set(names) == [".lock", ".unclaimed"])
  }

  @Test("claims on blobs are released if a permanent sweep spares a blob because it is young")
  func youngAndSwept() async throws {
    let id = try await put([1], in: FileBlobStore(directory))
    try await FileBlobStore(directory).claim([id])
    #expect(try await FileBlobStore(directory).sweep(keeping: []) == [])
    try await sweep(FileBlobStore(directory, grace: .zero))
    #expect(try await !FileBlobStore(directory).contains(id))
  }

  @Test(
    "claims on blobs of a store that keeps none cause nothing to be removed except released blobs")
  func customStore() async throws {
    let store = PlainBlobs()
    let (orphan, gone, used) = (
      try await put([1], in: store), try await put([2], in: store), try await put([3], in: store)
    )
    try await store.claim([orphan])
    try await sweep(store, releasing: [gone, used], keeping: nil)
    #expect(try await store.contains(gone))
    try await sweep(store, releasing: [gone, used], keeping: [used])
    #expect(try await store.contains(orphan))
    #expect(try await !store.contains(gone))
    #expect(try await store.contains(used))
  }

  @Test("claims on blobs can't be changed through a read-only store")
  func readOnly() async throws {
    let store = FileBlobStore(directory, access: .readOnly)
    for use in [
      { try await store.claim([]) },
      { try await store.sweepUnclaimed(releasing: []) { [] } },
    ] as [() async throws -> Void] {
      let error = await #expect(throws: FieldError.self) { try await use() }
      #expect(error?.code == .readOnly)
    }
  }

  @Test(
    "claims on blobs hold after the process has died at any call, and so do the blobs",
    arguments: [false, true])
  func crash(losesPower: Bool) async throws {
    try await Trial.atEveryCall(.crash, atLeast: 20) { trial in
      let store = trial.store
      let claimed = try await put([1], in: store)
      try await store.claim([claimed])
      try await sweep(store, keeping: [claimed])
      trial.begin()
      var acknowledged: Set<BlobID> = [claimed]
      do {
        let new = try await put([2], in: store)
        try await store.claim([new])
        if !losesPower { acknowledged.insert(new) }
        try await sweep(store, releasing: [], keeping: [claimed, new])
        acknowledged.insert(new)
        try await sweep(store, releasing: [new], keeping: [claimed, new])
      } catch {}
      let (after, _) = trial.afterCrash(seed: losesPower ? UInt64(trial.call) : nil)
      // The opening after a loss of power finds the blobs in use.
      if losesPower { try await sweep(after, keeping: acknowledged) }
      // All records are lost.
      try await sweep(after)
      for id in acknowledged { #expect(try await after.contains(id), trial.what) }
    }
  }
}

/// A store in memory, of whose calls one goes wrong.
private final class Trial {
  let path = "/\(UUID().uuidString)"
  let files = MemoryFileSystem()
  let store: FileBlobStore
  let fault: MemoryFileSystem.Fault
  let call: Int
  private var faultyCall = Int.max

  var what: Comment { "call \(call)" }

  private init(_ fault: MemoryFileSystem.Fault, _ call: Int) {
    (self.fault, self.call) = (fault, call)
    store = FileBlobStore(path: path, grace: .zero, clock: .system, fileSystem: files)
  }

  /// Plants the fault, once the store is prepared.
  func begin() {
    faultyCall = files.callCount + call
    files.fail(at: faultyCall, fault)
  }

  func afterCrash(seed: UInt64?) -> (FileBlobStore, MemoryFileSystem) {
    let files = files.afterCrash(seed: seed)
    let store = FileBlobStore(path: path, grace: .zero, clock: .system, fileSystem: files)
    return (store, files)
  }

  /// Makes trials with the fault at the first call, at the second, and so on, until it is beyond the
  /// last one.
  static func atEveryCall(
    _ fault: MemoryFileSystem.Fault, atLeast count: Int, _ body: (Trial) async throws -> Void
  ) async throws {
    for call in 1... {
      let trial = Trial(fault, call)
      try await body(trial)
      guard trial.files.callCount >= trial.faultyCall else { return #expect(call > count) }
    }
  }
}

/// A store that only does what it has to.
private struct PlainBlobs: BlobStore {
  let base = InMemoryBlobStore()

  func put(_ bytes: [UInt8]) async throws -> BlobLease { try await base.put(bytes) }
  func bytes(of id: BlobID) async throws -> [UInt8]? { try await base.bytes(of: id) }
  func contains(_ id: BlobID) async throws -> Bool { try await base.contains(id) }
  func remove(_ id: BlobID) async throws { try await base.remove(id) }

  func sweep(keeping ids: Set<BlobID>) async throws -> Set<BlobID> {
    try await base.sweep(keeping: ids)
  }
}
