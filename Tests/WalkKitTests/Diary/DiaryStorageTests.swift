import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("The diary's storage", .timeLimit(.minutes(60)))
struct DiaryStorageTests {
  @Test(
    "the diary's storage never confuses places or pets if random numbers repeat after a restart")
  func repeatedChance() async throws {
    let storage = Storage.inMemory
    let here = try Coordinate(latitude: 37.5, longitude: 127)
    for name in ["a", "b", "c"] {
      let diary = DiaryBench(storage: storage).diary
      try await diary.addPlace(name, at: here)
      let other = DiaryBench(storage: storage).diary
      try await other.register(DiaryBench.form(name))
    }
    let diary = DiaryBench(storage: storage).diary
    #expect(try await diary.places().map(\.name) == ["a", "b", "c"])
    #expect(Set(try await diary.pets().map(\.name)) == ["a", "b", "c"])
  }

  @Test("the diary's storage is shared by two diaries in one folder")
  func two() async throws {
    let folder = try TemporaryFolder()
    let first = DiaryBench(storage: .directory(folder.url), seed: 1)
    let second = DiaryBench(storage: .directory(folder.url), seed: 2)
    let pet = try await first.diary.register(DiaryBench.form("a"))
    #expect(try await second.diary.pets() == [pet])
    let walk = try await second.save("w", of: [pet], photos: [[1]])
    #expect(try await first.diary.walks(of: pet.id).walks == [walk])
    try await first.diary.delete(pet.id)
    #expect(try await second.diary.walks().isEmpty)
  }

  @Test(
    "the diary's storage keeps what one diary stores while another one sweeps",
    arguments: [true, false], [true, false])
  func sweeping(isOpening: Bool, isInFiles: Bool) async throws {
    let folder = try TemporaryFolder()
    let storage = Storage.inMemory
    let records: any WalkRepository = storage.store(StoredWalks.storeName)
    let blobs: any BlobStore =
      isInFiles
      ? FileBlobStore(folder.url, grace: .zero) : storage.blobStore(StoredWalks.storeName)
    // Without an unclaimed blob, opening wouldn't ask.
    try await blobs.put([9]).end()
    let first = DiaryBench(storage: storage, records: records, blobs: blobs, seed: 1)
    if !isOpening {
      let pet = try await first.diary.register(DiaryBench.form("gone"))
      try await first.save("w", of: [pet])
    }
    // The other diary of the storage stores a pet and a walk after it was asked which blobs are in use.
    let asked = WatchedStore(records)
    let second = DiaryBench(storage: storage, records: asked, blobs: blobs, seed: 2)
    if !isOpening { try await second.diary.open() }
    asked.next(.afterDurableRead) {
      do {
        let pet = try await first.diary.register(DiaryBench.form("new", photo: Data([7])))
        try await first.save("new", of: [pet], photos: [[8]])
      } catch {
        Issue.record(error)
      }
    }
    if isOpening {
      try await second.diary.open()
    } else {
      try await second.diary.delete(#require(try await second.diary.pets().first).id)
    }
    let pet = try #require(try await second.diary.pets().first { $0.name == "new" })
    #expect(try await second.diary.portrait(of: pet.id) == Data([7]))
    let walk = try #require(try await second.diary.walks().first)
    #expect(try await second.diary.photo(walk.photos[0]) == Data([8]))
    #expect(try await second.diary.route(of: walk.id).pointCount == 3)
    // What nothing refers to goes with the next sweep.
    try await second.diary.delete(pet.id)
    #expect(try await blobs.contains(BlobID(of: [8])) == false)
  }

  @Test("the diary's storage reports damaged or missing bytes, and returns everything else")
  func damage() async throws {
    let folder = try TemporaryFolder()
    let bench = DiaryBench(storage: .directory(folder.url))
    let pet = try await bench.diary.register(DiaryBench.form("a"))
    let walk = try await bench.save("w", of: [pet], photos: [[1, 2, 3], [4]])
    let blobs = folder.url.appending(path: "walks.blobs")
    let photo = try #require(walk.photos[0].blob)
    try Data([1, 2, 4]).write(to: blobs.appending(path: photo.hexadecimal))
    let route = try #require(walk.routeBlob)
    try FileManager.default.removeItem(at: blobs.appending(path: route.hexadecimal))
    let diary = DiaryBench(storage: .directory(folder.url)).diary
    #expect(await code { _ = try await diary.photo(walk.photos[0]) } == .damaged)
    #expect(try await diary.photo(walk.photos[1]) == Data([4]))
    #expect(await code { _ = try await diary.route(of: walk.id) } == .blobMissing)
    #expect(await code { _ = try await diary.archive() } != nil)
    #expect(try await diary.walks().walks == [walk])
  }

  @Test("the diary's storage loses nothing in a canceled task")
  func cancellation() async throws {
    let bench = DiaryBench()
    let diary = bench.diary
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await diary.register(DiaryBench.form("a"))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await diary.pets().isEmpty)
    let blobs = try bench.storage.blobs(StoredWalks.storeName)
    #expect(try await blobs.contains(BlobID(of: [UInt8](DiaryBench.jpeg))) == false)
    let pet = try await diary.register(DiaryBench.form("a"))
    let walk = try await bench.save("w", of: [pet], photos: [[1], [2]])
    let photos = Task {
      while !Task.isCancelled { await Task.yield() }
      var count = 0
      for await _ in diary.photos(of: walk) { count += 1 }
      return count
    }
    photos.cancel()
    #expect(await photos.value == 0)
  }

  @Test("the diary's storage has nothing to refresh, and reports that")
  func refresh() async throws {
    let diary = DiaryBench().diary
    #expect(try await diary.refresh(.now).outcome == .notDue)
    #expect(try await diary.nextRefreshDate == nil)
    #expect(diary.dataSources.isEmpty)
  }

  @Test("the diary's storage is empty after erasing, and rejects use after closing")
  func erasing() async throws {
    let folder = try TemporaryFolder()
    let bench = DiaryBench(storage: .directory(folder.url))
    let pet = try await bench.diary.register(DiaryBench.form("a"))
    try await bench.save("w", of: [pet], photos: [[1]])
    try await bench.diary.addPlace("home", kind: .home, at: Coordinate(latitude: 1, longitude: 2))
    _ = try await bench.diary.start(pets: [pet.id])
    try await bench.diary.eraseAll()
    #expect(try await bench.diary.pets().isEmpty)
    #expect(try await bench.diary.walks().isEmpty)
    #expect(try await bench.diary.places().isEmpty)
    #expect(try await bench.diary.unfinished().isEmpty)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: folder.url.appending(path: "walks.blobs").path)
    #expect(left.filter { $0.count == 64 }.isEmpty)
    try await bench.diary.close()
    #expect(await code { _ = try await bench.diary.pets() } == .closed)
  }

  @Test("a diary has no photo of a walk discarded by erasing, and reports walks of other processes")
  func erasingDrafts() async throws {
    let folder = try TemporaryFolder()
    let bench = DiaryBench(storage: .directory(folder.url), seed: 1)
    let pet = try await bench.diary.register(DiaryBench.form("a"))
    let walk = try await bench.diary.start(pets: [pet.id])
    try await walk.addPhoto([1, 2, 3])
    // Another description of the open file is to the lock what another process is.
    let other = DiaryBench(storage: .directory(folder.url), seed: 2)
    let taken = try await other.diary.start(pets: [pet.id])
    try await taken.addPhoto([4, 5])
    func drafts() throws -> Int {
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: "walk-drafts.blobs").path
      ).filter { $0.count == 64 }.count
    }
    #expect(try drafts() == 2)
    let error = await #expect(throws: FieldError.self) { try await bench.diary.eraseAll() }
    #expect(error?.code == .walkIsTaken)
    #expect(error?.message.contains(taken.id.rawValue) == true)
    #expect(walk.state == .discarded)
    #expect(try await bench.diary.pets().isEmpty)
    #expect(try drafts() == 1)
    try await taken.discard()
    #expect(try drafts() == 0)
    try await bench.diary.eraseAll()
  }

  @Test("the diary's storage has the photos of a saved walk once, and none of a discarded one")
  func drafts() async throws {
    let folder = try TemporaryFolder()
    let bench = DiaryBench(storage: .directory(folder.url))
    let pet = try await bench.diary.register(DiaryBench.form("a", photo: nil))
    func photos(_ place: String) throws -> Int {
      try FileManager.default.contentsOfDirectory(
        atPath: folder.url.appending(path: place + ".blobs").path
      ).filter { $0.count == 64 }.count
    }
    let first = try await bench.diary.start(pets: [pet.id])
    try await first.addPhoto([1, 2, 3])
    let saved = try await first.finish()
    #expect(try await bench.diary.photo(saved.photos[0]) == Data([1, 2, 3]))
    let second = try await bench.diary.start(pets: [pet.id])
    try await second.addPhoto([4])
    try await second.discard()
    #expect(try photos("walk-drafts") == 0)
    #expect(try photos("walks") == 1)
  }

  @Test("the diary's storage reports unreadable journals, and the parts it has cut off")
  func journals() async throws {
    let folder = try TemporaryFolder()
    let bench = DiaryBench(storage: .directory(folder.url), seed: 1)
    let pet = try await bench.diary.register(DiaryBench.form("a"))
    let walk = try await bench.diary.start(pets: [pet.id])
    try await bench.diary.close()
    let journals = folder.url.appending(path: "walks.journals")
    let file = journals.appending(path: "\(walk.id).journal")
    try (Data(contentsOf: file) + [1, 2, 3]).write(to: file)
    let newer = JournalHeader(kind: "walk", kindVersion: 9)
    try JournalDirectory(journals).make(
      "newer", newer, first: [UInt8](repeating: 1, count: 12)
    ).close()
    let diary = DiaryBench(storage: .directory(folder.url), seed: 2).diary
    #expect(try await diary.unfinished().map(\.id) == [walk.id])
    #expect(diary.unreadableWalks.mapValues(\.code) == [Walk.ID(rawValue: "newer"): .newerFormat])
    let cut = try #require(diary.journalCuts.first)
    #expect(try Data(contentsOf: #require(cut.savedAs)) == Data([1, 2, 3]))
    #expect(diary.journalCuts.count == 1)
    try await diary.eraseAll()
    #expect(try FileManager.default.contentsOfDirectory(atPath: journals.path) == [])
    #expect(diary.unreadableWalks.isEmpty)
  }

  @Test("the diary's storage keeps places: one home, names in order, changed and removed by ID")
  func places() async throws {
    let diary = DiaryBench().diary
    let here = try Coordinate(latitude: 37.5, longitude: 127)
    let old = try await diary.addPlace("old home", kind: .home, at: here)
    var park = try await diary.addPlace(" park ", at: here)
    let home = try await diary.addPlace("home", kind: .home, at: here)
    #expect(try await diary.places() == [home, park])
    #expect(try await diary.places(.goal) == [park])
    park.name = "a park"
    try await diary.update(park)
    #expect(try await diary.places() == [park, home])
    #expect(await code { try await diary.update(old) } == .unknownPlace)
    #expect(await code { try await diary.addPlace("  ", at: here) } == .invalidInput)
    try await diary.delete(park.id)
    #expect(await code { try await diary.delete(park.id) } == .unknownPlace)
    #expect(try await diary.places() == [home])
  }
}
