import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A walk with several observers", .timeLimit(.minutes(60)))
struct WalkProgressTests {
  private let bench = RecordingBench()

  @Test(
    "an observed walk is reported as it changes: the current state, then the newest, and the end")
  func progress() async throws {
    let walk = try await bench.start()
    var updates = walk.progress.makeAsyncIterator()
    #expect(await updates.next()?.figures.pointCount == 0)
    await bench.walk(walk, north: 0...4)
    let newest = await updates.next()
    #expect(newest?.figures.pointCount == 5)
    #expect(newest?.lastPoint?.coordinate == RecordingBench.point(6, 0))
    try await walk.pause()
    #expect(await updates.next()?.state == .paused)
    try await walk.finish()
    var last: WalkProgress?
    while let next = await updates.next() { last = next }
    #expect(last?.state == .saved)
    var late = walk.progress.makeAsyncIterator()
    #expect(await late.next()?.state == .saved)
    #expect(await late.next() == nil)
  }

  @Test("an observed walk reports the distance to the goal by a fix that isn't on the route")
  func distanceOfKeptBack() async throws {
    let walk = try await bench.start(goal: .place(place("park", 500)))
    await walk.record(bench.fix(0))
    var updates = walk.progress.makeAsyncIterator()
    let before = await updates.next()?.goal?.distance
    bench.clock.advance(by: .seconds(1))
    #expect(await walk.record(bench.fix(0.5)).reason == .tooNear)
    let after = await updates.next()?.goal?.distance
    #expect(try #require(before) > #require(after))
  }

  @Test("an observed walk is reported at each full second of its time, on the move and in a pause")
  func seconds() async throws {
    let walk = try await bench.start()
    bench.clock.advance(by: .milliseconds(300))
    var updates = walk.progress.makeAsyncIterator()
    #expect(await updates.next()?.elapsed == .milliseconds(300))
    #expect(try await nextTick() == .milliseconds(700))
    bench.clock.advance(by: .milliseconds(699))
    #expect(bench.clock.sleeperCount > 0)
    bench.clock.advance(by: .milliseconds(1))
    #expect(await updates.next()?.elapsed == .seconds(1))
    #expect(try await nextTick() == .seconds(1))
    bench.clock.advance(by: .seconds(1))
    #expect(await updates.next()?.elapsed == .seconds(2))
    try await walk.pause()
    let paused = try #require(await updates.next())
    #expect((paused.state, paused.duration) == (.paused, .seconds(2)))
    #expect(try await nextTick() == .seconds(1))
    bench.clock.advance(by: .seconds(1))
    let later = try #require(await updates.next())
    #expect(later.elapsed == .seconds(3))
    #expect(later.duration == .seconds(2))
  }

  /// Waits for the next sleep of the timer, which is shorter than that of the flusher.
  private func nextTick() async throws -> Duration {
    while true {
      let wait = try await bench.clock.nextSleep()
      if wait <= .seconds(1) { return wait }
    }
  }

  @Test("an observed walk runs one timer for all observers, and none without them or after its end")
  func timerEnds() async throws {
    let walk = try await bench.start()
    #expect(bench.clock.sleeperCount == 0)
    let readers = (0..<10).map { _ in
      Task { for await _ in walk.progress {} }
    }
    _ = try await nextTick()
    try await letOthersRun()
    #expect(bench.clock.sleeperCount == 1)
    for reader in readers { reader.cancel() }
    for reader in readers { await reader.value }
    try await eventually { bench.clock.sleeperCount == 0 }

    var updates = walk.progress.makeAsyncIterator()
    _ = await updates.next()
    _ = try await nextTick()
    try await walk.finish()
    while await updates.next() != nil {}
    try await eventually { bench.clock.sleeperCount == 0 }
    #expect(walk.state == .saved)
  }

  @Test("an observed walk is reported to several at once, and a canceled observer ends alone")
  func severalReaders() async throws {
    let walk = try await bench.start()
    let reader = Task { () -> Int in
      var count = 0
      for await _ in walk.progress { count += 1 }
      return count
    }
    var other = walk.progress.makeAsyncIterator()
    _ = await other.next()
    reader.cancel()
    _ = await reader.value
    try await walk.pause()
    #expect(await other.next()?.state == .paused)
  }

  @Test("an observed walk ends its progress when the recorder is released, and is then unfinished")
  func dropped() async throws {
    var walk: WalkRecorder? = try await bench.start()
    let progress = try #require(walk?.progress)
    var updates = progress.makeAsyncIterator()
    #expect(await updates.next() != nil)
    walk = nil
    #expect(await updates.next() == nil)
    #expect(try await bench.unfinished().count == 1)
  }

  @Test("an observed walk stays consistent in canceled calls", arguments: 0..<8)
  func cancelled(call: Int) async throws {
    let walk = try await bench.start()
    await walk.record(bench.fix(0))
    if call == 1 { try await walk.pause() }
    let before = walk.state
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      switch call {
      case 0: try await walk.pause()
      case 1: try await walk.resume()
      case 2: try await walk.addPhoto([1])
      case 3: try await walk.addNote("note")
      case 4: try await walk.join(Pet.ID(rawValue: "tori"))
      case 5: try await walk.leave(Pet.ID(rawValue: "mesh"))
      case 6: try await walk.finish()
      default: try await walk.discard()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(walk.state == before)
    #expect(walk.current.photoCount + walk.current.noteCount == 0)
    #expect(walk.pets == [Pet.ID(rawValue: "mesh")])
    #expect(try await walk.finish().id == walk.id)
  }

  @Test("an observed walk whose saving is canceled is kept, and can be saved again")
  func cancelledSaving() async throws {
    let gate = Gate()
    let bench = RecordingBench(diary: FakeDiary(gate: gate))
    let walk = try await bench.start()
    let task = Task { try await walk.finish() }
    await gate.someone()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(walk.state == .failed)
    gate.open()
    _ = try await walk.finish()
  }

  @Test("an observed walk accepts concurrent calls from many tasks, each atomically")
  func atOnce() async throws {
    let walk = try await bench.start()
    let bench = bench
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            bench.clock.advance(by: .milliseconds(500))
            await walk.record(bench.fix(Double(number), Double(task)))
            if number % 10 == task { _ = try? await walk.addNote("\(task) \(number)") }
            if number % 20 == 5 { _ = try? await walk.addPhoto([UInt8(task), UInt8(number)]) }
          }
        }
      }
    }
    let progress = walk.current
    #expect(progress.noteCount == 20)
    #expect(progress.photoCount == 12)
    let finished = try await walk.finish()
    let route = try #require(bench.diary.route(of: finished.id))
    let times = route.segments.joined().compactMap(\.time)
    #expect(times == times.sorted())
    #expect(route.figures().distance == finished.distance)
  }
}
