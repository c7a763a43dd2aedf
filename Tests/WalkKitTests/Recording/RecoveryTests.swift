import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A walk that was interrupted when the app quit", .timeLimit(.minutes(60)))
struct RecoveryTests {
  private let bench = RecordingBench()

  /// A walk with all that a walk can have.
  private func busyWalk(_ bench: RecordingBench) async throws -> WalkRecorder {
    let walk = try await bench.start(["mesh", "tori"], goal: .nearest(of: [place("park", 90)]))
    await bench.walk(walk, north: 0...40)
    try await walk.addPhoto([1, 2, 3])
    try await walk.pause()
    bench.clock.advance(by: .seconds(30))
    try await walk.resume()
    await bench.walk(walk, north: 40...60, east: 5)
    try await walk.addNote("cat", kind: .note)
    try await walk.leave(Pet.ID(rawValue: "tori"))
    await bench.walk(walk, north: 61...120, east: 5)
    return walk
  }

  @Test("an interrupted walk is restored completely, and equals the uninterrupted one")
  func equalsUndisturbed() async throws {
    let walk = try await busyWalk(bench)
    let live = walk.current
    let crashed = bench.restarted(after: .zero)
    let found = try #require(try await crashed.unfinished().first)
    #expect(found.id == walk.id)
    #expect(found.start == walk.start)
    #expect(found.figures == live.figures)
    #expect(found.elapsed == live.elapsed)
    #expect(found.duration == live.duration)
    #expect(found.lastPoint == live.lastPoint)
    #expect(found.photoCount == 1)
    #expect(found.notes.map(\.text) == ["cat"])
    #expect(found.pets.map(\.left) == [nil, found.pets[1].left])
    #expect(found.wasRunning)
    #expect(found.goal == live.goal)

    let undisturbed = try await walk.finish(weather: .clear)
    let route = bench.diary.route(of: walk.id)
    let other = FakeDiary()
    let again = try #require(
      try await crashed.sessions.unfinished(saving: other).first)
    var recovered = try await again.finish(weather: .clear)
    #expect(other.route(of: walk.id) == route)
    #expect(other.photos(of: walk.id) == [[1, 2, 3]])
    recovered.photos = undisturbed.photos
    #expect(recovered == undisturbed)
  }

  @Test("an interrupted walk after a power failure is the same up to the last sync")
  func powerCut() async throws {
    for seed in Sample.of(1...40 as ClosedRange<UInt64>, inDebug: 15) {
      let bench = RecordingBench()
      let walk = try await busyWalk(bench)
      // The last flush was that of leaving.
      let next = bench.restarted(powerCut: seed)
      let found = try #require(try await next.unfinished().first, "seed \(seed)")
      let points = found.figures.pointCount
      #expect(points >= 62 && points <= walk.current.figures.pointCount, "seed \(seed)")
      try await walk.pause()
      let all = try await walk.finish()
      let whole = try #require(bench.diary.route(of: all.id)).segments.flatMap(\.self)
      let diary = FakeDiary()
      let again = try #require(try await next.sessions.unfinished(saving: diary).first)
      let finished = try await again.finish()
      let route = try #require(diary.route(of: finished.id)).segments.flatMap(\.self)
      #expect(route == Array(whole.prefix(points)), "seed \(seed)")
    }
  }

  @Test("an interrupted walk is resumed in a new segment, and the time in between doesn't count")
  func goesOn() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    let next = bench.restarted(after: .seconds(300))
    let found = try #require(try await next.unfinished().first)
    let resumed = try await found.resume()
    #expect(resumed.state == .running)
    #expect(resumed.id == walk.id)
    #expect(try await next.unfinished().isEmpty)
    await next.walk(resumed, north: 100...110)
    let finished = try await resumed.finish()
    #expect(next.diary.route(of: finished.id)?.segments.map(\.count) == [11, 11])
    #expect(finished.duration == .seconds(11 + 11))
    #expect(finished.elapsed == .seconds(11 + 300 + 11))
    #expect(abs(finished.distance.meters - 30) < 0.1)
  }

  @Test("an interrupted walk returns its route when it is resumed, and later with the new points")
  func route() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    let before = try await walk.route()
    let next = bench.restarted()
    let resumed = try await #require(try await next.unfinished().first).resume()
    #expect(try await resumed.route() == before)
    await next.walk(resumed, north: 100...110)
    let route = try await resumed.route()
    #expect(route.segments.map(\.count) == [11, 11])
    let finished = try await resumed.finish()
    #expect(next.diary.route(of: finished.id) == route)
    await #expect(throws: FieldError.self) { try await resumed.route() }
  }

  @Test("an interrupted walk survives several interruptions")
  func manyCrashes() async throws {
    var bench = bench
    var walk = try await bench.start()
    for round in 0..<5 {
      await bench.walk(walk, north: (round * 20)...(round * 20 + 10))
      bench = bench.restarted()
      walk = try await #require(try await bench.unfinished().first).resume()
    }
    let finished = try await walk.finish()
    #expect(bench.diary.route(of: finished.id)?.segments.map(\.count) == [11, 11, 11, 11, 11])
    #expect(finished.duration == .seconds(55))
  }

  @Test("an interrupted walk ends at its last point by default")
  func endsAtLastPoint() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    bench.clock.advance(by: .seconds(50))
    try await walk.addNote("late")
    let next = bench.restarted()
    let found = try #require(try await next.unfinished().first)
    #expect(try await found.finish().elapsed == .seconds(11))

    let other = RecordingBench()
    let second = try await other.start()
    await other.walk(second, north: 0...10)
    let third = other.restarted()
    let told = try #require(try await third.unfinished().first)
    let end = told.start.addingTimeInterval(30)
    let finished = try await told.finish(end: end)
    #expect(finished.end == end)
    #expect(finished.duration == .seconds(30))
  }

  @Test("an interrupted walk doesn't end before its last point, or in the far future")
  func oddEnds() async throws {
    for end in [Date.distantPast, Date(timeIntervalSinceReferenceDate: .nan), .distantFuture] {
      let bench = RecordingBench()
      let walk = try await bench.start()
      await bench.walk(walk, north: 0...10)
      let found = try #require(try await bench.restarted().unfinished().first)
      let finished = try await found.finish(end: end)
      #expect(finished.elapsed >= .seconds(11))
      #expect(finished.elapsed <= .seconds(3_155_760_000))
    }
  }

  @Test("an interrupted walk without a single point can be finished, too")
  func withoutPoints() async throws {
    let walk = try await bench.start()
    bench.clock.advance(by: .seconds(40))
    try await walk.pause()
    let found = try #require(try await bench.restarted().unfinished().first)
    #expect(found.lastPoint == nil)
    #expect(!found.wasRunning)
    let finished = try await found.finish()
    #expect(finished.duration == .seconds(40))
    #expect(finished.distance == .zero)
  }

  @Test("an interrupted walk stays until the user decides, and is deleted when it is discarded")
  func discarded() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    try await walk.addPhoto([1, 2, 3])
    let next = bench.restarted()
    for _ in 0..<3 { #expect(try await next.unfinished().count == 1) }
    let found = try #require(try await next.unfinished().first)
    try await found.discard()
    #expect(try await next.unfinished().isEmpty)
    let error = await #expect(throws: FieldError.self) { try await found.finish() }
    #expect(error?.code == .walkIsTaken)
    #expect(next.files.paths.allSatisfy { !$0.hasSuffix(".journal") })
  }

  @Test(
    "an interrupted walk isn't found while it is being recorded, by the same process or another")
  func livesElsewhere() async throws {
    let folder = try TemporaryFolder()
    let storage = Storage.directory(folder.url)
    let sessions = WalkSessions(storage: storage)
    let walk = try await sessions.start(
      pets: [Pet.ID(rawValue: "mesh")], saving: bench.diary)
    #expect(try await sessions.unfinished(saving: bench.diary).isEmpty)
    // Another description of the open file is to the lock what another process is.
    let others = WalkSessions(storage: .directory(folder.url))
    #expect(try await others.unfinished(saving: bench.diary).isEmpty)
    try await sessions.close()
    #expect(await walk.record(bench.fix(0)).reason == .notRunning)
    let found = try #require(try await others.unfinished(saving: bench.diary).first)
    let resumed = try await found.resume()
    let error = await #expect(throws: FieldError.self) { try await found.resume() }
    #expect([.walkIsTaken, .petIsOut].contains(error?.code))
    try await resumed.discard()
  }

  @Test("an interrupted walk of a storage in memory is found by the next diary on the same storage")
  func inMemory() async throws {
    let storage = Storage.inMemory
    var walk: WalkRecorder? = try await WalkSessions(storage: storage).start(
      pets: [Pet.ID(rawValue: "mesh")], saving: bench.diary)
    let id = walk?.id
    let next = WalkSessions(storage: storage)
    #expect(try await next.unfinished(saving: bench.diary).isEmpty)
    walk = nil
    #expect(try await next.unfinished(saving: bench.diary).map(\.id) == [id])
  }

  @Test("an interrupted walk between saving and cleaning up is known as saved, and not restored")
  func savedButNotTidied() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    bench.files.failAlways("remove")
    let finished = try await walk.finish()
    #expect(bench.diary.walks == [finished])
    let next = bench.restarted()
    #expect(next.files.paths.contains { $0.hasSuffix(".journal") })
    #expect(try await next.unfinished().isEmpty)
    #expect(next.files.paths.allSatisfy { !$0.hasSuffix(".journal") })
    #expect(bench.diary.saveCount == 1)
  }

  @Test(
    "an interrupted walk is listed with others, oldest first, and a damaged one doesn't hide them")
  func several() async throws {
    for pet in ["a", "b", "c"] {
      let walk = try await bench.start([pet])
      await bench.walk(walk, north: 0...10)
    }
    let next = bench.restarted()
    let path = next.files.paths.filter { $0.hasSuffix(".journal") }[1]
    next.files[path] = Array((next.files[path] ?? []).prefix(7))
    let found = try await next.unfinished()
    #expect(found.map { $0.pets[0].pet.rawValue } == ["a", "c"])
    #expect(next.sessions.cuts.count == 1)
    #expect(next.sessions.cuts[0].savedAs != nil)
  }

  @Test(
    "an interrupted walk has everything before the damage if its journal is truncated at any byte",
    .heavy)
  func cutAnywhere() async throws {
    let walk = try await busyWalk(bench)
    let path = try #require(bench.files.paths.first { $0.hasSuffix(".journal") })
    let bytes = try #require(bench.files[path])
    let whole = walk.current.figures.pointCount
    var last = 0
    for count in Sample.of(0..<bytes.count, 60) + [bytes.count] {
      let files = MemoryFileSystem()
      try files.makeDirectories(RecordingBench.journals)
      files[path] = Array(bytes.prefix(count))
      let found = try await RecordingBench(files: files).unfinished().first
      let points = found?.figures.pointCount ?? 0
      #expect(points >= last && points <= whole, "cut at \(count)")
      last = points
    }
    #expect(last == whole)
  }

  @Test("an interrupted walk keeps the photos of other unfinished walks if one is discarded")
  func sharedPhotos() async throws {
    func take(_ pet: String) async throws {
      let walk = try await bench.start([pet])
      try await walk.addPhoto([1, 2, 3])
    }
    try await take("a")
    try await take("b")
    let next = bench.restarted()
    let found = try await next.unfinished()
    try await found[0].discard()
    let finished = try await found[1].finish()
    #expect(next.diary.photos(of: finished.id) == [[1, 2, 3]])
    #expect(
      !next.files.paths.contains { $0.contains(".blobs/") && !$0.hasSuffix(".lock") })
  }

  @Test("an interrupted walk is erased with the rest, and so is one that is being recorded")
  func eraseAll() async throws {
    let unfinished = try await bench.start(["a"])
    await unfinished.record(bench.fix(0))
    let next = bench.restarted()
    let live = try await next.start(["b"])
    #expect(try await next.sessions.eraseAll() == [])
    #expect(live.state == .discarded)
    #expect(try await next.unfinished().isEmpty)
  }

  @Test("an interrupted walk in a canceled task throws a cancellation")
  func cancelled() async throws {
    let walk = try await bench.start()
    await walk.record(bench.fix(0))
    let next = bench.restarted()
    let found = try #require(try await next.unfinished().first)
    for call in 0..<4 {
      let task = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        switch call {
        case 0: _ = try await next.unfinished()
        case 1: _ = try await found.resume()
        case 2: _ = try await found.finish()
        default: try await found.discard()
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try await next.unfinished().count == 1)
  }
}
