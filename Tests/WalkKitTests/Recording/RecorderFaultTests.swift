import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A walk on a failing device", .timeLimit(.minutes(60)))
struct RecorderFaultTests {
  @Test("a walk continues while the device is full, reports it, and is complete again with space")
  func diskFull() async throws {
    let bench = RecordingBench()
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    bench.files.failAlways("write", ENOSPC)
    let results = await bench.walk(walk, north: 11...20)
    for result in results {
      guard case .notSaved(let error) = result else {
        Issue.record("\(result)")
        continue
      }
      #expect(error.code == .diskFull)
    }
    #expect(walk.state == .running)
    #expect(walk.current.figures.pointCount == 21)
    #expect(walk.current.unsavedCount == 10)
    #expect(try await walk.route().pointCount == 21)
    #expect(walk.current.savingFailure?.code == .diskFull)
    try await walk.pause()
    try await walk.resume()
    #expect(walk.current.unsavedCount == 12)
    bench.files.failAlways(nil)
    #expect(await bench.walk(walk, north: 21...30).areAccepted)
    #expect(walk.current.unsavedCount == 0)
    #expect(walk.current.savingFailure == nil)
    let found = try #require(try await bench.restarted().unfinished().first)
    #expect(found.figures == walk.current.figures)
    #expect(found.figures.segmentCount == 2)
  }

  @Test("a walk can be finished on a full device if the diary has space")
  func finishWhileFull() async throws {
    let bench = RecordingBench()
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    bench.files.failAlways("write", ENOSPC)
    await bench.walk(walk, north: 11...20)
    let finished = try await walk.finish()
    #expect(bench.diary.route(of: finished.id)?.pointCount == 21)
  }

  @Test("a walk on a failing device rejects a photo and a note that it can't keep, completely")
  func refusesPhotos() async throws {
    let bench = RecordingBench()
    let walk = try await bench.start()
    bench.files.failAlways("write", ENOSPC)
    let photo = await #expect(throws: FieldError.self) { try await walk.addPhoto([1]) }
    #expect(photo?.code == .diskFull)
    let note = await #expect(throws: FieldError.self) { try await walk.addNote("cat") }
    #expect(note?.code == .diskFull)
    // Nothing waits for room: the callers know, and there is nothing to warn of.
    #expect(walk.current.savingFailure == nil)
    bench.files.failAlways(nil)
    try await walk.addPhoto([2])
    let finished = try await walk.finish()
    #expect(bench.diary.photos(of: finished.id) == [[2]])
    #expect(finished.notes.isEmpty)
  }

  @Test("a walk on a failing device reports a failed sync, and tries again after the interval")
  func failedFlush() async throws {
    let bench = RecordingBench()
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...3)
    bench.files.failAlways("sync", EIO)
    let first = try await bench.clock.nextSleep()
    #expect(first == .seconds(5))
    bench.clock.advance(by: .seconds(5))
    let second = try await bench.clock.nextSleep()
    #expect(second == .seconds(5))
    var updates = walk.progress.makeAsyncIterator()
    #expect(await updates.next()?.savingFailure?.code == .io)
    bench.files.failAlways(nil)
    bench.clock.advance(by: .seconds(5))
    // A listener that has the failure hears of its end, with no fix between.
    while let failure = await updates.next()?.savingFailure { #expect(failure.code == .io) }
    #expect(walk.current.savingFailure == nil)
    let found = try #require(try await bench.restarted(powerCut: 5).unfinished().first)
    #expect(found.figures.pointCount == 4)
  }

  @Test("a walk reports a failed sync until one succeeds, although fixes can be written")
  func failedFlushStays() async throws {
    let bench = RecordingBench()
    let walk = try await bench.start()
    bench.files.failAlways("sync", EIO)
    try await walk.pause()
    try await walk.resume()
    #expect(await bench.walk(walk, north: 0...3).areAccepted)
    #expect(walk.current.savingFailure?.code == .io)
    #expect(walk.current.unsavedCount == 0)
    bench.files.failAlways(nil)
    try await walk.pause()
    #expect(walk.current.savingFailure == nil)
  }

  @Test("a walk syncs its fixes within the interval, and does nothing if there are none")
  func flushInterval() async throws {
    let bench = RecordingBench(options: RecordingOptions(flushInterval: .seconds(3)))
    let walk = try await bench.start()
    #expect(bench.clock.sleeperCount == 0)
    await bench.walk(walk, north: 0...0)
    #expect(try await bench.clock.nextSleep() == .seconds(3))
    let syncs = { bench.files.log.filter { $0.contains(" sync ") }.count }
    let before = syncs()
    bench.clock.advance(by: .seconds(3))
    try await eventually { syncs() != before }
    #expect(syncs() == before + 1)
    #expect(bench.clock.sleeperCount == 0)
    await bench.walk(walk, north: 1...1)
    _ = try await bench.clock.nextSleep()
    try await walk.finish()
    try await eventually { bench.clock.sleeperCount == 0 }
  }

  @Test("a walk on a failing device reports that its journal was deleted, and can still be saved")
  func journalIsDeleted() async throws {
    let bench = RecordingBench()
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...3)
    try bench.files.remove("\(RecordingBench.journals)/\(walk.id.rawValue).journal")
    #expect(await bench.walk(walk, north: 4...6).areAccepted)
    #expect(walk.current.savingFailure == nil)
    try await walk.pause()
    #expect(walk.current.savingFailure?.code == .conflict)
    let finished = try await walk.finish()
    #expect(bench.diary.route(of: finished.id)?.pointCount == 7)
  }

  @Test("a walk on a failing device isn't discarded if its journal can't be removed")
  func failedDiscard() async throws {
    let bench = RecordingBench()
    let walk = try await bench.start()
    bench.files.failAlways("remove", EIO)
    let error = await #expect(throws: FieldError.self) { try await walk.discard() }
    #expect(error?.code == .io)
    #expect(walk.state == .running)
    bench.files.failAlways(nil)
    #expect(await bench.walk(walk, north: 0...3).areAccepted)
    try await walk.discard()
  }

  /// A walk whose calls go on after a failure, and what it was told.
  private func scripted(_ bench: RecordingBench) async -> (accepted: Int, photos: Int)? {
    var walk: WalkRecorder?
    for _ in 0..<2 where walk == nil { walk = try? await bench.start() }
    guard let walk else { return nil }
    var accepted = await bench.walk(walk, north: 0...5).filter(\.isAccepted).count
    var photos = 0
    if (try? await walk.addPhoto([1, 2, 3])) != nil { photos += 1 }
    _ = try? await walk.pause()
    _ = try? await walk.resume()
    accepted += await bench.walk(walk, north: 6...9).filter(\.isAccepted).count
    _ = try? await walk.pause()
    return (accepted, photos)
  }

  @Test("a walk on a failing device has every accepted fix if the process stops at any call")
  func processStops() async throws {
    var last = 0
    for call in Sample.steps(from: 1, apart: 5) {
      last = call
      let bench = RecordingBench()
      bench.files.fail(at: call, .crash)
      let told = await scripted(bench)
      if bench.files.callCount < call { break }
      let what: Comment = "call \(call): \(bench.files.log.suffix(3))"
      let next = bench.restarted()
      let found = try await next.unfinished()
      #expect(found.count <= 1, what)
      guard let told else { continue }
      let walk = try #require(found.first, what)
      #expect(walk.figures.pointCount >= told.accepted, what)
      #expect(walk.photoCount >= told.photos, what)
      let finished = try await walk.finish()
      #expect(next.diary.photos(of: finished.id)?.count == walk.photoCount, what)
    }
    #expect(last > 40)
  }

  @Test(
    "a walk on a failing device has all its fixes whichever call fails", arguments: [ENOSPC, EIO])
  func oneCallFails(error: Int32) async throws {
    for isPartial in [false, true] {
      var last = 0
      for call in Sample.steps(from: 1, apart: 5) {
        last = call
        let bench = RecordingBench()
        bench.files.fail(at: call, isPartial ? .partialFailure(error) : .failure(error))
        let told = await scripted(bench)
        if bench.files.callCount < call { break }
        let what: Comment = "call \(call): \(bench.files.log.suffix(3))"
        let (_, photos) = try #require(told, what)
        let found = try #require(try await bench.restarted().unfinished().last, what)
        #expect(found.figures.pointCount == 10, what)
        #expect(found.photoCount == photos, what)
      }
      #expect(last > 40)
    }
  }

  @Test(
    "a walk on a failing device keeps a limited number of fixes that can't be written", .heavy,
    .enabled(if: Sample.isOptimized, "It takes 100,000 fixes, so only release builds run it."))
  func boundedBacklog() async throws {
    let bench = RecordingBench(options: RecordingOptions(fixes: .permissive))
    let walk = try await bench.start()
    bench.files.failAlways("write", ENOSPC)
    var kept = 0
    for number in 0..<120_000 {
      let fix = LocationFix(
        coordinate: RecordingBench.point(Double(number % 1000), 0), accuracy: .meters(5),
        time: bench.clock.now.addingTimeInterval(Double(number)))
      _ = await walk.record(fix)
      kept = number + 1
      // Asking costs more than recording.
      if number % 500 == 0, walk.current.unsavedCount < kept { break }
    }
    #expect(kept < 120_000)
    #expect(kept > 86_400)
  }
}
