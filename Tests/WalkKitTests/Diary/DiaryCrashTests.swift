import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

/// Every call to the file system is made to fail, or is the last one before the machine stops: what a
/// step stores is there whole afterwards, or not at all.
@Suite("A step of the diary", .timeLimit(.minutes(60)), .heavy)
struct DiaryCrashTests {
  /// A step that is interrupted.
  enum Step: String, CaseIterable, Sendable {
    case register, save, deletePet, deleteWalk, newPortrait, importing
    case adding, trimming, addingPhoto, removingPhoto
  }

  /// What a diary has in it.
  struct Content: Hashable {
    var pets: Set<Pet>
    var walks: Set<Walk>
  }

  /// A diary in a file system of its own; the names of its files are no others'.
  private func bench(_ fileSystem: MemoryFileSystem, _ name: String) -> DiaryBench {
    let blobs = FileBlobStore(
      path: "/\(name).blobs", grace: .zero, clock: ManualClock(now: DiaryBench.noon),
      fileSystem: fileSystem)
    let store = FileStore<WalkRecord>(
      unsharedPath: "/\(name).store", fileSystem: fileSystem)
    return DiaryBench(records: store, blobs: blobs)
  }

  private func prepare(_ bench: DiaryBench) async throws {
    let first = try await bench.diary.register(DiaryBench.form("a", photo: Data([1])))
    bench.clock.advance(by: .seconds(1))
    let second = try await bench.diary.register(DiaryBench.form("b", photo: Data([2])))
    try await bench.save("own", of: [first], photos: [[3], [4]])
    try await bench.save("shared", of: [first, second], hour: 1, photos: [[4], [5]])
  }

  private func run(_ step: Step, _ bench: DiaryBench) async throws {
    let pets = try await bench.diary.pets()
    switch step {
    case .register:
      try await bench.diary.register(DiaryBench.form("c", photo: Data([6])))
    case .save:
      try await bench.save("new", of: [pets[1]], hour: 2, photos: [[7], [8]], points: 9)
    case .deletePet: try await bench.diary.delete(pets[0].id)
    case .deleteWalk: try await bench.diary.delete(Walk.ID(rawValue: "shared"))
    case .newPortrait: try await bench.diary.update(pets[0].id, PetChanges(photo: Data([9])))
    case .importing:
      let old = #"{"Pets":[{"name":"d","walks":[{"date":"2020-02-14 19:18:00","duration":17}]}]}"#
      try await bench.diary.add(WalkImport(reading: Data(old.utf8), clock: bench.clock))
    case .adding:
      let route = WalkRoute(segments: [try TrackSamples.walk(count: 9, seed: 1)])
      try await bench.diary.addWalk(pets: [pets[0].id], route: route)
    case .trimming:
      let noon = DiaryBench.noon
      try await bench.diary.trim("own", to: noon + 5...noon + 1_200)
    case .addingPhoto: try await bench.diary.addPhoto(Data([9]), to: "own")
    case .removingPhoto: try await bench.diary.removePhoto("own-0", from: "own")
    }
  }

  private func content(_ bench: DiaryBench) async throws -> Content {
    Content(
      pets: Set(try await bench.diary.pets()), walks: Set(try await bench.diary.allWalks()))
  }

  private func names(_ content: Content) -> [String] {
    (content.pets.map(\.name) + content.walks.map { "\($0.start)" }).sorted()
  }

  /// Everything that the records refer to can be read.
  private func requireBytes(_ bench: DiaryBench, _ when: String) async throws {
    for pet in try await bench.diary.pets() {
      if pet.photo != nil { _ = try await bench.diary.portrait(of: pet.id) }
    }
    for walk in try await bench.diary.allWalks() {
      for photo in walk.photos { _ = try await bench.diary.photo(photo) }
      _ = try await bench.diary.route(of: walk.id)
    }
  }

  @Test(
    "a step of the diary is complete or doesn't exist after a crash at any call",
    arguments: Step.allCases)
  func crash(_ step: Step) async throws {
    let wanted = try await outcomes(of: step)
    var seen: Set<Content> = []
    for call in [1] + Sample.of(1...wanted.calls, 4) + [wanted.calls] {
      let fileSystem = MemoryFileSystem()
      let name = "\(UUID())"
      let bench = bench(fileSystem, name)
      try await prepare(bench)
      fileSystem.fail(at: fileSystem.callCount + call, .crash)
      // Nothing is promised to a process that dies here.
      _ = try? await run(step, bench)
      for seed in [nil, 1, 2, 3] as [UInt64?] {
        let after = self.bench(fileSystem.afterCrash(seed: seed), name)
        let content = try await content(after)
        #expect(
          content == wanted.before || content == wanted.after,
          "call \(call), seed \(seed.map(String.init) ?? "none"): \(fileSystem.log.last ?? "")")
        try await requireBytes(after, "call \(call)")
        seen.insert(content)
      }
    }
    #expect(seen == [wanted.before, wanted.after])
  }

  @Test(
    "a step of the diary is complete or doesn't exist, and can be repeated, on a full device",
    arguments: Step.allCases)
  func full(_ step: Step) async throws {
    let wanted = try await outcomes(of: step)
    for call in [1] + Sample.of(1...wanted.calls, 4) + [wanted.calls] {
      let fileSystem = MemoryFileSystem()
      let name = "\(UUID())"
      let bench = bench(fileSystem, name)
      try await prepare(bench)
      fileSystem.fail(at: fileSystem.callCount + call, .partialFailure(ENOSPC))
      let code = await code { try await run(step, bench) }
      let again = self.bench(fileSystem.afterCrash(seed: nil), name)
      let content = try await content(again)
      if code == nil {
        #expect(content == wanted.after, "call \(call)")
      } else {
        #expect(content == wanted.before || content == wanted.after, "call \(call)")
      }
      try await requireBytes(again, "call \(call)")
      if content == wanted.before {
        try await run(step, again)
        let done = try await self.content(again)
        // Done later and by other chance, so ids and times are others.
        #expect(names(done) == names(wanted.after), "again after call \(call)")
      }
    }
  }

  /// What there is before and after a step that nothing disturbs, and how many calls it makes.
  private func outcomes(
    of step: Step
  ) async throws -> (before: Content, after: Content, calls: Int) {
    let fileSystem = MemoryFileSystem()
    let bench = bench(fileSystem, "\(UUID())")
    try await prepare(bench)
    let before = try await content(bench)
    let calls = fileSystem.callCount
    try await run(step, bench)
    let stepCalls = fileSystem.callCount - calls
    let after = try await content(bench)
    try #require(before != after)
    return (before, after, stepCalls)
  }
}
