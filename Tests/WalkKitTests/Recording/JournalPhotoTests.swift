import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("Photos of a walk whose journal is damaged", .timeLimit(.minutes(60)))
struct JournalPhotoTests {
  /// What the user does with the part of the walk that is left.
  enum Choice: String, CaseIterable, Sendable { case leave, resume, finish, discard }

  private static let photos: [[UInt8]] = (0..<3).map { [1, 2, $0] }

  private let drafts = "/kit/\(UUID().uuidString).blobs"

  /// The files of a walk with photos between its fixes, whose process has died.
  private func interrupted() async throws -> (files: MemoryFileSystem, journal: String) {
    let bench = RecordingBench(drafts: drafts)
    let walk = try await bench.start()
    for (index, photo) in Self.photos.enumerated() {
      try await walk.addPhoto(photo)
      await bench.walk(walk, north: (3 * index)...(3 * index + 2))
    }
    return (bench.files, "\(RecordingBench.journals)/\(walk.id).journal")
  }

  /// What a new process finds.
  private func restarted(_ files: MemoryFileSystem) -> RecordingBench {
    let clock = ManualClock()
    clock.advance(by: .seconds(600))
    return RecordingBench(
      drafts: drafts, files: files.afterCrash(seed: nil), diary: FakeDiary(), clock: clock)
  }

  private func there(_ bench: RecordingBench) -> Set<Int> {
    Set(
      Self.photos.indices.filter { index in
        let id = BlobID(of: Self.photos[index]).hexadecimal
        return bench.files.paths.contains { $0.hasSuffix("/\(id)") }
      })
  }

  /// Decides on the walk, records another one, and looks again; returns the photos that were let go.
  private func use(_ bench: RecordingBench, _ choice: Choice, other: [UInt8]) async throws -> Int {
    var released = 0
    if let walk = try await bench.unfinished().first {
      switch choice {
      case .leave: break
      case .resume:
        let recorder = try await walk.resume()
        try await recorder.addPhoto([7])
        try await recorder.finish()
        released = walk.photoCount
      case .finish:
        try await walk.finish()
        released = walk.photoCount
      case .discard:
        try await walk.discard()
        released = walk.photoCount
      }
    }
    let next = try await bench.start(["other"])
    try await next.addPhoto(other)
    try await next.finish()
    _ = try await bench.unfinished()
    return released
  }

  @Test(
    "photos stay with the part of a journal that was set aside, whichever byte is damaged",
    arguments: Choice.allCases)
  func everyByte(choice: Choice) async throws {
    let (files, journal) = try await interrupted()
    let whole = try #require(files[journal])
    var (count, lost, cases) = (0, 0, [String]())
    var chance = SeededGenerator(seed: Sample.seed())
    for place in Sample.of(whole.indices, 30) {
      let next = restarted(files)
      var bytes = whole
      bytes[place] ^= 1 << Int.random(in: 0..<8, using: &chance)
      next.files[journal] = bytes
      let released = try await use(next, choice, other: [9])
      let expected = Set(Self.photos.indices.dropFirst(released))
      let missing = expected.subtracting(there(next))
      count += expected.count
      lost += missing.count
      if !missing.isEmpty { cases.append("byte \(place): \(missing.sorted())") }
    }
    #expect(count > Sample.rounds(100, 10))
    #expect(lost == 0, "\(lost) of \(count): \(cases.count) cases, \(cases.prefix(5))")
  }

  @Test("photos stay with a journal that was set aside if another walk has the same photo")
  func samePhoto() async throws {
    let (files, journal) = try await interrupted()
    let whole = try #require(files[journal])
    let next = restarted(files)
    var bytes = whole
    bytes[60] ^= 1
    next.files[journal] = bytes
    let released = try await use(next, .leave, other: Self.photos[2])
    #expect(released == 0)
    #expect(there(next) == [0, 1, 2])
  }

  @Test("photos of a damaged journal are deleted when everything is erased")
  func erased() async throws {
    let (files, journal) = try await interrupted()
    let next = restarted(files)
    next.files[journal]?[60] ^= 1
    _ = try await use(next, .leave, other: [9])
    #expect(there(next).count == 3)
    #expect(try await next.sessions.eraseAll().isEmpty)
    #expect(there(next).isEmpty)
    #expect(next.files.paths.allSatisfy { !$0.contains("damaged") })
  }

  @Test("photos of a finished walk are deleted, even if the process dies at any call")
  func endIsCutOff() async throws {
    for choice in [Choice.finish, .discard] {
      var last = 0
      for call in Sample.steps(from: 1, apart: 3) {
        last = call
        let (files, _) = try await interrupted()
        let next = restarted(files)
        let walk = try #require(try await next.unfinished().first)
        let calls = next.files.callCount
        next.files.fail(at: calls + call, .crash)
        do {
          if choice == .finish { try await walk.finish() } else { try await walk.discard() }
        } catch {}
        let clock = ManualClock()
        clock.advance(by: .seconds(1200))
        let after = RecordingBench(
          drafts: drafts, files: next.files.afterCrash(seed: nil), diary: next.diary, clock: clock)
        let isLeft = try await !after.unfinished().isEmpty
        #expect(there(after).count == (isLeft ? 3 : 0), "\(choice), call \(call)")
        if next.files.callCount < calls + call { break }
      }
      #expect(last > 10)
    }
  }
}
