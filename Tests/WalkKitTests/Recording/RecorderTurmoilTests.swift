import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

/// Walks with a goal on a device that fails, with clocks that are set and processes that end, as the
/// standard policy records them: what the one process has shown, the next one finds.
@Suite("A walk under stress", .timeLimit(.minutes(60)))
struct RecorderTurmoilTests {
  private struct Trial {
    let seed: UInt64
    var chance: SeededGenerator
    var bench = RecordingBench()
    var walk: WalkRecorder
    var watcher: WalkWatcher
    var north = 0.0
    var way = 1.0
    var step = 0
    var photos: [[UInt8]] = []

    init(seed: UInt64) async throws {
      self.seed = seed
      chance = SeededGenerator(seed: seed)
      walk = try await bench.start(
        goal: .nearest(of: [place("far", 2000), place("park", Double(seed % 5) * 60)]))
      watcher = WalkWatcher(walk)
    }

    var what: Comment { "seed \(seed), step \(step)" }
    mutating func draw(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &chance) }

    /// Lets the time go on, and waits for the flush that may be due.
    func wait(_ duration: Duration) async throws {
      bench.clock.advance(by: duration)
      let (walk, clock) = (walk, bench.clock)
      try await eventually {
        clock.sleeperCount > 0 || walk.core.withLock { $0.flusher == nil }
      }
    }

    mutating func act() async throws {
      switch draw(40) {
      case 0: _ = try? await walk.pause()
      case 1, 2: _ = try? await walk.resume()
      case 3:
        let photo = [UInt8(step % 251), UInt8(draw(200))]
        if (try? await walk.addPhoto(photo)) != nil { photos.append(photo) }
      case 4: _ = try? await walk.addNote("\(step)")
      case 5: _ = await walk.checkGoal()
      case 6: bench.clock.set(now: bench.clock.now.addingTimeInterval(Double(draw(4000) - 3000)))
      case 7: bench.files.failAlways(["write", "sync", "truncate"][draw(3)], ENOSPC)
      case 8...10: bench.files.failAlways(nil)
      case 11: way = -way
      case 12: try await wait(.seconds(draw(90)))
      case 13: await walk.record(bench.fix(north + 900, accuracy: 5))
      case 14, 15:
        // Standing still, where a fix is good and no point of the route.
        try await wait(.seconds(5))
        await walk.record(bench.fix(north + Double(draw(10)) / 10, accuracy: 20))
      default:
        try await wait(.seconds(1))
        north += way * Double(draw(40)) / 10
        await walk.record(bench.fix(north, Double(draw(3)), accuracy: Double(3 + draw(50))))
      }
    }

    func check(_ before: Duration) async throws {
      try #require(try await watcher.seesLast(of: walk), what)
      let sight = WalkSight(walk.current)
      #expect(walk.current.elapsed >= before, what)
      #expect(walk.current.duration <= walk.current.elapsed, what)
      #expect((walk.current.unsavedCount == 0) || sight.savingFailure != nil, what)
    }

    /// The process ends, and the next one finds what this one has shown.
    mutating func end() async throws -> UnfinishedWalk {
      // Another process that looks meanwhile finds nothing that it could take.
      let other = RecordingBench(files: bench.files, clock: bench.clock)
      #expect(try await other.unfinished().isEmpty, what)
      let last = walk.current
      bench = bench.restarted(after: .seconds(draw(4000)))
      let found = try #require(try await bench.unfinished().first, what)
      #expect(found.figures == last.figures, what)
      #expect(found.lastPoint == last.lastPoint, what)
      #expect(found.photoCount == last.photoCount, what)
      #expect(found.notes.count == last.noteCount, what)
      #expect(found.goal?.place == last.goal?.place, what)
      #expect(found.goal?.isReached == last.goal?.isReached, what)
      #expect(found.goal?.earnsReward == last.goal?.earnsReward, what)
      #expect(found.duration <= last.duration, what)
      return found
    }
  }

  @Test(
    "a walk under stress is seen as it is, and recovered as it was seen", .heavy,
    arguments: Sample.of(1...16 as ClosedRange<UInt64>, 3))
  func random(seed: UInt64) async throws {
    var trial = try await Trial(seed: seed)
    for step in 0..<300 {
      trial.step = step
      let before = trial.walk.current.elapsed
      try await trial.act()
      try await trial.check(before)
      guard trial.draw(50) == 0, trial.walk.current.unsavedCount == 0 else { continue }
      trial.bench.files.failAlways(nil)
      trial.walk = try await trial.end().resume()
      trial.watcher = WalkWatcher(trial.walk)
    }
    trial.bench.files.failAlways(nil)
    try await trial.wait(.seconds(5))
    if trial.walk.current.unsavedCount > 0 { _ = try? await trial.walk.addNote("drain") }
    let goal = trial.walk.current.goal
    switch seed % 4 {
    case 0:
      try await trial.end().discard()
      #expect(try await trial.bench.unfinished().isEmpty)
      #expect(!trial.bench.files.paths.contains { $0.contains("journal") }, trial.what)
    case 1:
      let saved = try await trial.end().finish()
      #expect((saved.reward != nil) == (goal?.earnsReward == true), trial.what)
      #expect(trial.bench.diary.photos(of: saved.id) == trial.photos, trial.what)
    default:
      trial.bench.diary.fail(FieldError(.io, "no"))
      await #expect(throws: FieldError.self) { try await trial.walk.finish() }
      if seed % 4 == 2 {
        let saved = try await trial.walk.finish()
        #expect((saved.reward != nil) == (goal?.earnsReward == true), trial.what)
        #expect(trial.bench.diary.photos(of: saved.id) == trial.photos, trial.what)
        let route = trial.bench.diary.route(of: saved.id)
        #expect(route?.figures().distance == saved.distance, trial.what)
      } else {
        let duration = trial.walk.current.duration
        let saved = try await trial.end().finish()
        #expect(saved.duration == duration, trial.what)
        #expect(trial.bench.diary.photos(of: saved.id) == trial.photos, trial.what)
      }
    }
  }
}
