import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

/// A walk as a first-year student would write it down: all that happened, in order.
private struct WalkModel {
  enum Event {
    case point(TrackPoint)
    case paused, resumed, recovered
    case joined(String)
    case left(String)
    case photo([UInt8])
    case note(String)
    case ending
  }

  /// What happened, and how many milliseconds after the start.
  var log: [(elapsed: Int, event: Event)] = []

  var points: [TrackPoint] { segments.flatMap(\.self) }

  var segments: [[TrackPoint]] {
    var segments: [[TrackPoint]] = [[]]
    for (_, event) in log {
      switch event {
      case .point(let point):
        if let time = point.time, let last = segments.last?.last?.time,
          time.timeIntervalSince(last) >= 60
        {
          segments.append([])
        }
        segments[segments.count - 1].append(point)
      case .paused, .resumed, .recovered, .ending: segments.append([])
      default: break
      }
    }
    return segments.filter { !$0.isEmpty }
  }

  /// How many milliseconds count, until the last event or until a later moment.
  func active(at end: Int? = nil) -> Int {
    var (sum, since, isRunning) = (0, 0, true)
    for (elapsed, event) in log {
      if isRunning, case .recovered = event {} else if isRunning { sum += elapsed - since }
      since = elapsed
      switch event {
      case .paused, .ending: isRunning = false
      case .resumed, .recovered: isRunning = true
      default: break
      }
    }
    if let end, isRunning { sum += end - since }
    return sum
  }

  var pets: [String] {
    log.reduce(into: ["mesh"]) { pets, entry in
      switch entry.event {
      case .joined(let pet): pets.append(pet)
      case .left(let pet): pets.removeAll { $0 == pet }
      default: break
      }
    }
  }

  var photos: [[UInt8]] {
    log.compactMap { if case .photo(let bytes) = $0.event { bytes } else { nil } }
  }

  var notes: [String] {
    log.compactMap { if case .note(let text) = $0.event { text } else { nil } }
  }

  var isRunning: Bool {
    log.reduce(true) { isRunning, entry in
      switch entry.event {
      case .paused, .ending: false
      case .resumed, .recovered: true
      default: isRunning
      }
    }
  }
}

@Suite("A walk and a simple model of it", .timeLimit(.minutes(60)))
struct RecorderModelTests {
  /// A walk that is walked at random.
  private struct Trial {
    let seed: UInt64
    var chance: SeededGenerator
    var bench: RecordingBench
    var walk: WalkRecorder
    var model = WalkModel()
    var watchers: [WalkWatcher] = []
    let start: Date
    /// How many of the events were on the device when all was on it last.
    var sure = 0
    var north = 0.0
    var step = 0
    var isOutlierFar = false

    static let options = RecordingOptions(
      fixes: FixPolicy(minimumDistance: .zero, stillDuration: .seconds(1_000_000)))

    init(seed: UInt64) async throws {
      self.seed = seed
      chance = SeededGenerator(seed: seed)
      bench = RecordingBench(options: Self.options)
      walk = try await bench.start()
      start = walk.start
    }

    var what: Comment { "seed \(seed), step \(step)" }
    var elapsed: Int { Int((bench.clock.now.timeIntervalSince(start) * 1000).rounded()) }
    mutating func draw(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &chance) }
    mutating func note(_ event: WalkModel.Event) { model.log.append((elapsed, event)) }

    /// Lets the time go on, and waits for the flush that may be due.
    mutating func wait(_ duration: Duration) async throws {
      bench.clock.advance(by: duration)
      let (walk, clock) = (walk, bench.clock)
      try await eventually {
        clock.sleeperCount > 0 || walk.core.withLock { $0.flusher == nil }
      }
    }

    mutating func fix() async throws {
      try await wait(.seconds(1))
      north += Double(draw(30)) / 10
      let fix = bench.fix(north, accuracy: Double(3 + draw(40)), elevation: Double(draw(9)))
      let result = await walk.record(fix)
      switch result {
      case .accepted, .notSaved: note(.point(fix.point))
      case .ignored: break
      }
      #expect((result.reason == nil) == model.isRunning, what)
    }

    mutating func badFix() async throws {
      let before = walk.current.figures
      var fix = bench.fix(north + 1)
      switch draw(6) {
      case 0: fix.accuracy = .meters(.nan)
      case 1: fix.accuracy = .meters(-1)
      case 2: fix.time = fix.time.addingTimeInterval(-11)
      case 3: fix.accuracy = .meters(51)
      case 4:
        isOutlierFar.toggle()
        fix.coordinate = RecordingBench.point(isOutlierFar ? 30_000 : -30_000, 0)
        fix.time = fix.time.addingTimeInterval(0.001)
      default: fix.time = Date(timeIntervalSinceReferenceDate: .nan)
      }
      // The first point may be anywhere, and the second of two far ones may be right.
      if walk.current.lastPoint == nil { return }
      #expect(await walk.record(fix).reason != nil, what)
      #expect(walk.current.figures == before, what)
      // So that the next outlier agrees with none.
      try await wait(.seconds(1))
      if model.isRunning { try await self.fix() }
    }

    mutating func act() async throws {
      switch draw(36) {
      case 0:
        #expect(model.isRunning == ((try? await walk.pause()) != nil), what)
        if model.isRunning { note(.paused) }
      case 1, 2:
        #expect(!model.isRunning == ((try? await walk.resume()) != nil), what)
        if !model.isRunning { note(.resumed) }
      case 3:
        let pet = ["tori", "mesh", "dog"][draw(3)]
        let isNew = (try? await walk.join(Pet.ID(rawValue: pet))) != nil
        #expect(isNew == !model.pets.contains(pet), what)
        if isNew { note(.joined(pet)) }
      case 4:
        let pet = ["tori", "mesh", "dog"][draw(3)]
        let isGone = (try? await walk.leave(Pet.ID(rawValue: pet))) != nil
        #expect(isGone == model.pets.contains(pet), what)
        if isGone { note(.left(pet)) }
      case 5:
        let photo = [UInt8](repeating: UInt8(step % 251), count: 1 + draw(9))
        if (try? await walk.addPhoto(photo)) != nil { note(.photo(photo)) }
      case 6:
        if (try? await walk.addNote("\(step)")) != nil { note(.note("\(step)")) }
      case 7, 8: try await badFix()
      case 9: try await wait(.seconds(1 + draw(9)))
      case 10: try await wait(.seconds(draw(70)))
      case 11: bench.files.failAlways("write", ENOSPC)
      case 12: bench.files.failAlways("sync", EIO)
      case 13...15: bench.files.failAlways(nil)
      case 16:
        let call = bench.files.callCount + 1 + draw(5)
        bench.files.fail(at: call, draw(2) == 0 ? .failure(EIO) : .partialFailure(ENOSPC))
      case 17: watchers.append(WalkWatcher(walk))
      case 18: if !watchers.isEmpty { watchers.remove(at: draw(watchers.count)) }
      default: try await fix()
      }
      if !walk.journal.isDirty, walk.current.unsavedCount == 0 { sure = model.log.count }
    }

    /// Ends all that fails, calls that are yet to fail among it.
    func repair() {
      bench.files.failAlways(nil)
      for _ in 0..<8 { _ = try? bench.files.names(in: "/") }
    }

    mutating func check() async throws {
      let progress = walk.current
      #expect(WalkRoute(segments: model.segments).figures() == progress.figures, what)
      #expect(progress.lastPoint == model.points.last, what)
      #expect(progress.pets.map(\.rawValue).sorted() == model.pets.sorted(), what)
      #expect(progress.photoCount == model.photos.count, what)
      #expect(progress.noteCount == model.notes.count, what)
      #expect(progress.elapsed == .milliseconds(elapsed), what)
      #expect(progress.duration == .milliseconds(model.active(at: elapsed)), what)
      #expect(progress.state == (model.isRunning ? .running : .paused), what)
      for watcher in watchers { try #require(try await watcher.seesLast(of: walk), what) }
    }

    /// The process ends, or the power; the next one finds the walk.
    mutating func end(powerCut: UInt64?) async throws -> UnfinishedWalk {
      watchers = []
      let old = bench
      var unsaved: Int
      repeat {
        // A flush may be writing what waits in memory.
        unsaved = walk.current.unsavedCount
        bench = old.restarted(powerCut: powerCut, options: Self.options)
      } while walk.current.unsavedCount != unsaved
      let found = try #require(try await bench.unfinished().first, what)
      let points = model.points
      if powerCut == nil {
        // What waits in memory was told to be unsaved.
        model.log.removeLast(unsaved)
      } else {
        // Some of what was not forced onto the device may be there, in order.
        let least = WalkModel(log: Array(model.log.prefix(sure)))
        #expect(found.figures.pointCount >= least.points.count, what)
        #expect(found.photoCount >= least.photos.count, what)
        while model.log.count > sure, !isModel(of: found) { model.log.removeLast() }
      }
      #expect(isModel(of: found), what)
      #expect(model.points == Array(points.prefix(found.figures.pointCount)), what)
      return found
    }

    private func isModel(of found: UnfinishedWalk) -> Bool {
      found.figures == WalkRoute(segments: model.segments).figures()
        && found.photoCount == model.photos.count && found.notes.map(\.text) == model.notes
        && found.wasRunning == model.isRunning
        && found.pets.filter { $0.left == nil }.map(\.pet.rawValue).sorted() == model.pets.sorted()
    }

    mutating func goOn(_ found: UnfinishedWalk) async throws {
      walk = try await found.resume()
      note(.recovered)
      sure = model.log.count
    }

    func checkSaved(_ saved: Walk, active: Int) {
      let route = bench.diary.route(of: saved.id)
      #expect(route?.segments == model.segments, what)
      #expect(route?.figures().distance == saved.distance, what)
      #expect(saved.duration == .milliseconds(active), what)
      #expect(saved.notes.map(\.text) == model.notes, what)
      #expect(bench.diary.photos(of: saved.id) == model.photos, what)
    }
  }

  @Test(
    "a walk and its model agree on everything, and observers see the final state", .heavy,
    arguments: Sample.of(1...16 as ClosedRange<UInt64>, 3))
  func random(seed: UInt64) async throws {
    var trial = try await Trial(seed: seed)
    for step in 0..<260 {
      trial.step = step
      try await trial.act()
      try await trial.check()
      if trial.draw(60) == 0 {
        let found = try await trial.end(powerCut: trial.draw(2) == 0 ? nil : seed &+ UInt64(step))
        try await trial.goOn(found)
        try await trial.check()
      }
    }
    trial.repair()
    let watcher = WalkWatcher(trial.walk)
    if trial.draw(2) == 0 {
      trial.bench.diary.fail(FieldError(.io, "no"))
      await #expect(throws: FieldError.self, trial.what) { try await trial.walk.finish() }
      #expect(try await watcher.seesLast(of: trial.walk), trial.what)
    }
    let active = Int(trial.walk.current.duration / .milliseconds(1))
    #expect(active == trial.model.active(at: trial.elapsed), trial.what)
    let saved = try await trial.walk.finish()
    trial.checkSaved(saved, active: active)
    let sight = WalkSight(trial.walk.current)
    #expect(sight.savingFailure == nil, trial.what)
    #expect(sight.counts[2] == 0, trial.what)
    #expect(try await watcher.seesLast(of: trial.walk), trial.what)
  }
}
