import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A walk whose app is suspended", .timeLimit(.minutes(60)))
struct SuspensionTests {
  private let bench = RecordingBench()

  /// The number of journals that are locked.
  private func lockCount() throws -> Int {
    let journals = JournalDirectory(path: RecordingBench.journals, fileSystem: bench.files)
    return try journals.names().count { name in
      guard case .opened(let opened) = try journals.open(name, kind: "walk") else { return true }
      opened.journal.close()
      return false
    }
  }

  @Test("a walk of a suspended app holds no lock, is recorded on, and isn't offered as unfinished")
  func suspended() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...3)
    #expect(try lockCount() == 1)
    try await bench.sessions.suspend()
    #expect(try lockCount() == 0)
    await bench.walk(walk, north: 4...6)
    #expect(walk.current.savingFailure == nil)
    #expect(try await bench.sessions.unfinished(saving: bench.diary).isEmpty)
    #expect(try lockCount() == 0)
    try await bench.sessions.resume()
    #expect(try lockCount() == 1)
    let saved = try await walk.finish()
    #expect(bench.diary.route(of: saved.id)?.segments.joined().count == 7)
    #expect(try lockCount() == 0)
  }

  @Test("a walk that begins while the app is suspended doesn't hold a lock either")
  func begunSuspended() async throws {
    try await bench.sessions.suspend()
    let walk = try await bench.start()
    #expect(try lockCount() == 0)
    await bench.walk(walk, north: 0...2)
    try await walk.finish()
    try await bench.sessions.resume()
  }

  @Test("a walk survives the termination of its suspended app")
  func ended() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...3)
    try await bench.sessions.suspend()
    let next = bench.restarted()
    let found = try await next.sessions.unfinished(saving: next.diary)
    #expect(found.map(\.id) == [walk.id])
  }

  @Test("a walk of a suspended app is rejected if another process has continued it")
  func taken() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...3)
    try await bench.sessions.suspend()
    let journals = JournalDirectory(path: RecordingBench.journals, fileSystem: bench.files)
    let drafts = InMemoryBlobStore()
    let other = WalkSessions(findPlaces: { (journals, drafts) }, clock: bench.clock)
    let unfinished = try #require(try await other.unfinished(saving: bench.diary).first)
    let theirs = try await unfinished.resume()
    let error = await #expect(throws: FieldError.self) { try await bench.sessions.resume() }
    #expect(error?.code == .walkIsTaken)
    await bench.walk(walk, north: 4...5)
    #expect(walk.current.savingFailure != nil)
    try await theirs.finish()
    #expect(bench.diary.walks.map(\.id) == [walk.id])
  }
}
