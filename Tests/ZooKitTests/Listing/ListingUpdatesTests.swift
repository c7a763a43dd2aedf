import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("The list as it changes", .timeLimit(.minutes(60)))
struct ListingUpdatesTests {
  @Test("the changing list arrives at once, after each change of the zoo, and ends with it")
  func changes() async throws {
    let zoo = Zoo(sources: ScriptedZoo(Samples.animals("大貓熊")).sources, storage: .inMemory)
    var lists = zoo.listingUpdates().makeAsyncIterator()
    #expect(try await lists.next()?.lines == [])
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    #expect(try await lists.next()?.lines == ["0 石虎"])
    try await zoo.refresh()
    #expect(try await lists.next()?.lines == ["0 石虎", "1 大貓熊"])
    try await zoo.editSighting(sighting.id, name: "雲豹")
    #expect(try await lists.next()?.lines == ["0 雲豹", "1 大貓熊"])
    try await zoo.removeSighting(sighting.id)
    #expect(try await lists.next()?.lines == ["1 大貓熊"])
    try await zoo.close()
    #expect(try await lists.next() == nil)
  }

  @Test("the changing list ends immediately if its task is canceled")
  func cancellation() async throws {
    let zoo = Zoo.offline()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var count = 0
      for try await _ in zoo.listingUpdates() {
        count += 1
        start.yield()
      }
      return count
    }
    var first = started.makeAsyncIterator()
    await first.next()
    task.cancel()
    #expect(try await task.value == 1)
  }

  @Test(
    "the changing list arrives when a photo is found to be damaged, and when it is intact again")
  func damage() async throws {
    let folder = try TemporaryFolder()
    let zoo = Zoo.offline(.directory(folder.url))
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    var lists = zoo.listingUpdates().makeAsyncIterator()
    let first = try #require(try await lists.next())
    guard case .file(let file) = first[0].picture else { throw Unexpected() }
    var bytes = Photos.jpeg()
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
    await #expect(throws: FieldError.self) { try await zoo.image(for: sighting) }
    #expect(try await lists.next()?.map(\.problem) == [.photoDamaged])
    // As another process does that is given the same photo.
    try Photos.jpeg().write(to: file)
    #expect(try await zoo.image(for: sighting).data == Photos.jpeg())
    #expect(try await lists.next()?.map(\.problem) == [nil])
    try await zoo.close()
  }

  @Test("the changing list calls no photo lost that an edit replaces while it is created")
  func edited() async throws {
    let blobs = HookedBlobs()
    let zoo = Zoo.offline(photos: blobs)
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(1))
    blobs.beforeStatus { try await zoo.editSighting(sighting.id, photo: Photos.jpeg(2)) }
    let listing = try await zoo.listing()
    #expect(listing.problems.isEmpty)
    #expect(try await zoo.image(for: listing[0]).data == Photos.jpeg(2))
  }

  @Test("the changing list ends with the zoo while a list is created, too")
  func closing() async throws {
    let blobs = HookedBlobs()
    let zoo = Zoo.offline(photos: blobs)
    try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    blobs.beforeStatus { try await zoo.close() }
    var lists = zoo.listingUpdates().makeAsyncIterator()
    #expect(try await lists.next() == nil)
    var after = zoo.listingUpdates().makeAsyncIterator()
    #expect(try await after.next() == nil)
  }

  @Test("the changing list fails if a store can't be opened")
  func failure() async throws {
    let folder = try TemporaryFolder()
    try Data("no store".utf8).write(to: folder.url.appending(path: "sightings.store"))
    let zoo = Zoo.offline(.directory(folder.url))
    await #expect(throws: FieldError.self) {
      for try await _ in zoo.listingUpdates() {}
    }
  }

  @Test("the changing list has photos of a storage without files as stored ones")
  func inMemory() async throws {
    let zoo = Zoo.offline()
    let sighting = try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(4))
    let entry = try await zoo.listing()[0]
    #expect(entry.picture == sighting.photo.map { .stored($0.blob) })
    #expect(entry.picture?.isLocal == true)
    #expect(try await zoo.image(for: entry).data == Photos.jpeg(4))
  }

  @Test("the changing list formats its age as text")
  func age() throws {
    let now = Samples.noon
    for (seconds, text) in [
      (nil, "尚未更新"), (-60, "剛剛更新"), (10, "剛剛更新"), (3_600, "1 小時前更新"), (172_800, "2 天前更新"),
    ] as [(Double?, String)] {
      let listing = ZooListing(
        sightings: [], animals: [], nextNumber: 0,
        lastRefresh: seconds.map { now.addingTimeInterval(-$0) })
      #expect(
        ZooTexts.age(of: listing, at: now).string(in: .traditionalChinese) == text)
    }
  }
}

/// What no test should come to.
private struct Unexpected: Error {}
