import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("Sightings added concurrently", .timeLimit(.minutes(60)))
struct SightingSharingTests {
  @Test("concurrently added sightings have unique numbers without a gap")
  func manyCallers() async throws {
    for storage in [Storage.inMemory, .directory(try TemporaryFolder().url)] {
      let zoo = Zoo.offline(storage)
      let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<100 {
          group.addTask {
            try await zoo.addSighting(name: "\(index)", photo: Photos.jpeg(index)).number
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(numbers.sorted() == Array(0..<100))
      #expect(try await zoo.listing().map(\.sequence) == (0..<100).reversed())
      try await zoo.close()
    }
  }

  @Test("sightings added through two zoos in one directory never have the same number")
  func twoZoos() async throws {
    let folder = try TemporaryFolder()
    let zoos = [
      Zoo.offline(.directory(folder.url), seed: 1), Zoo.offline(.directory(folder.url), seed: 2),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<40 {
        group.addTask {
          try await zoos[index % 2].addSighting(name: "\(index)", photo: Photos.jpeg(index))
        }
      }
      try await group.waitForAll()
    }
    for zoo in zoos {
      #expect(try await zoo.sightings().map(\.number) == (0..<40).reversed())
      try await zoo.close()
    }
  }

  @Test("sightings added as if by two processes never have the same number, and no photo is lost")
  func twoProcesses() async throws {
    let folder = try TemporaryFolder()
    let zoos = (1...2).map { Zoo.unshared(in: folder.url, seed: $0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<30 {
        group.addTask {
          try await zoos[index % 2].addSighting(name: "\(index)", photo: Photos.jpeg(index))
        }
      }
      try await group.waitForAll()
    }
    for zoo in zoos {
      let listing = try await zoo.listing()
      #expect(listing.map(\.sequence) == (0..<30).reversed())
      #expect(listing.problems.isEmpty)
    }
    for zoo in zoos { try await zoo.close() }
  }

  @Test("sightings added by another process appear in the list")
  func otherProcess() async throws {
    let folder = try TemporaryFolder()
    let (one, other) = (
      Zoo.unshared(in: folder.url, seed: 1), Zoo.unshared(in: folder.url, seed: 2)
    )
    try await one.addSighting(name: "石虎", photo: Photos.jpeg(1))
    #expect(try await other.listing().map(\.name) == ["石虎"])
    let added = try await other.addSighting(name: "雲豹", photo: Photos.jpeg(2))
    #expect(added.number == 1)
    #expect(try await one.listing().map(\.name) == ["雲豹", "石虎"])
    try await one.close()
    try await other.close()
  }
}

extension Zoo {
  /// A zoo that shares nothing with the others of its directory in this process, as if it were in
  /// another process.
  static func unshared(
    in folder: URL, seed: Int, fileSystem: any FileSystem = PosixFileSystem(),
    clock: any FieldClock = .system
  ) -> Zoo {
    let generator = Lock(SeededGenerator(seed: UInt64(seed)))
    return Zoo(
      sources: NoSource().sources, repository: InMemoryStore(),
      sightings: FileStore<Sighting>(
        unsharedPath: folder.appending(path: "sightings.store").path, fileSystem: fileSystem,
        clock: clock),
      photos: FileBlobStore(
        path: folder.appending(path: "sightings.blobs").path, grace: .seconds(3600),
        clock: clock, fileSystem: fileSystem),
      pictures: AssetCache(storage: .inMemory, transport: StubbornTransport()), clock: clock,
      random: { generator.withLock { $0.next() } })
  }
}

/// A transport that never answers with anything but an error.
struct StubbornTransport: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    throw FieldError(.offline, "there is no network")
  }
}
