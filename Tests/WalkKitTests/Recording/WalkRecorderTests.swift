import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("A walk that is being recorded", .timeLimit(.minutes(60)))
struct WalkRecorderTests {
  private let bench = RecordingBench()

  // W3 of Docs/old-apps.md
  @Test(
    "a walk's state changes between the documented states, and in no other way",
    arguments: WalkState.allCases)
  func transitions(state: WalkState) {
    let allowed: [WalkState: [WalkState.Action: WalkState]] = [
      .idle: [.begin: .running, .discard: .discarded],
      .running: [.add: .running, .pause: .paused, .finish: .saving, .discard: .discarded],
      .paused: [.add: .paused, .resume: .running, .finish: .saving, .discard: .discarded],
      .saving: [.save: .saved, .fail: .failed],
      .saved: [:],
      .failed: [.finish: .saving, .discard: .discarded],
      .discarded: [:],
    ]
    for action in WalkState.Action.allCases {
      #expect(state.after(action) == allowed[state]?[action], "\(state) \(action)")
    }
  }

  // W3 of Docs/old-apps.md
  @Test("a walk has timestamps at its start, pauses, resumes, and is saved")
  func life() async throws {
    let start = bench.clock.now
    let walk = try await bench.start()
    #expect(walk.start == start)
    #expect(walk.state == .running)
    try await walk.pause()
    #expect(walk.state == .paused)
    try await walk.resume()
    #expect(walk.state == .running)
    try await walk.pause()
    bench.clock.advance(by: .seconds(60))
    let finished = try await walk.finish(weather: .clear, dust: .good)
    #expect(walk.state == .saved)
    #expect(finished.start == start)
    #expect(finished.weather == .clear)
    #expect(finished.dust == .good)
    #expect(bench.diary.walks.map(\.id) == [walk.id])
    #expect(bench.files.paths.allSatisfy { !$0.hasSuffix(".journal") })
  }

  // W3 of Docs/old-apps.md
  @Test("a walk rejects what its state doesn't allow, with an error")
  func illegal() async throws {
    let walk = try await bench.start()
    let resume = await #expect(throws: FieldError.self) { try await walk.resume() }
    #expect(resume?.code == .walkState)
    try await walk.pause()
    let pause = await #expect(throws: FieldError.self) { try await walk.pause() }
    #expect(pause?.code == .walkState)
    try await walk.finish()
    for call in 0..<6 {
      let error = await #expect(throws: FieldError.self) {
        switch call {
        case 0: try await walk.pause()
        case 1: try await walk.resume()
        case 2: try await walk.addPhoto([1])
        case 3: try await walk.addNote("too late")
        case 4: try await walk.leave(Pet.ID(rawValue: "mesh"))
        default: try await walk.discard()
        }
      }
      #expect(error?.code == .walkState, "\(call)")
    }
    #expect(await walk.record(bench.fix(0)).reason == .notRunning)
  }

  // W3 of Docs/old-apps.md
  @Test(
    "a walk can be finished while it is running, unless the options require a pause first",
    arguments: [true, false])
  func finishingWhileRunning(isAllowed: Bool) async throws {
    let options = RecordingOptions(allowsFinishingWhileRunning: isAllowed)
    let bench = RecordingBench(options: options)
    let walk = try await bench.start()
    if !isAllowed {
      let error = await #expect(throws: FieldError.self) { try await walk.finish() }
      #expect(error?.code == .walkState)
      #expect(walk.state == .running)
      #expect(await walk.record(bench.fix(0)).isAccepted)
      try await walk.pause()
    }
    bench.diary.fail(FieldError(.diskFull, "full"))
    await #expect(throws: FieldError.self) { try await walk.finish() }
    try await walk.finish()
    #expect(walk.state == .saved)
    _ = try await bench.start(["dori"])
    let next = bench.restarted(options: options)
    try await next.unfinished().first?.finish()
    #expect(next.diary.walks.count == 2)
  }

  // W4, 4.5-8 of Docs/old-apps.md
  @Test("a walk measures time by the clock, not by ticks, and pauses don't count")
  func times() async throws {
    let walk = try await bench.start()
    bench.clock.advance(by: .seconds(3600))
    try await walk.pause()
    bench.clock.advance(by: .seconds(600))
    #expect(walk.current.duration == .seconds(3600))
    #expect(walk.current.elapsed == .seconds(4200))
    try await walk.resume()
    bench.clock.advance(by: .seconds(65))
    #expect(walk.current.duration == .seconds(3665))
    let finished = try await walk.finish()
    #expect(finished.duration == .seconds(3665))
    #expect(finished.elapsed == .seconds(4265))
    #expect(finished.end == finished.start.addingTimeInterval(4265))
    bench.clock.advance(by: .seconds(100))
    #expect(walk.current.duration == .seconds(3665))
  }

  // 4.5-8 of Docs/old-apps.md
  @Test("a walk has the same duration if the clock is set during the walk")
  func clockIsSet() async throws {
    let walk = try await bench.start()
    bench.clock.advance(by: .seconds(100))
    bench.clock.set(now: bench.clock.now.addingTimeInterval(-86_400))
    bench.clock.advance(by: .seconds(100))
    let finished = try await walk.finish()
    #expect(finished.duration == .seconds(200))
    #expect(finished.end.timeIntervalSince(finished.start) == 200)
  }

  // 4.5-10 of Docs/old-apps.md
  @Test("a walk has its route, distance, moving time, and climb")
  func figures() async throws {
    let walk = try await bench.start()
    for number in 0...100 {
      bench.clock.advance(by: .seconds(1))
      await walk.record(bench.fix(Double(number) * 1.5, elevation: Double(number) / 5))
    }
    let live = walk.current.figures
    let finished = try await walk.finish()
    let route = try #require(bench.diary.route(of: finished.id))
    #expect(route.pointCount == 101)
    #expect(abs(finished.distance.meters - 150) < 0.1)
    #expect(finished.distance == live.distance)
    #expect(route.figures() == live)
    #expect(finished.movingTime == .seconds(100))
    #expect((finished.climb?.meters ?? 0) > 15)
  }

  @Test("a walk draws and counts nothing across a pause")
  func pauseSplits() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    try await walk.pause()
    bench.clock.advance(by: .seconds(40))
    try await walk.resume()
    await bench.walk(walk, north: 50...60)
    let finished = try await walk.finish()
    #expect(bench.diary.route(of: finished.id)?.segments.map(\.count) == [11, 11])
    #expect(abs(finished.distance.meters - 30) < 0.1)
  }

  // W5, 4.5-5 of Docs/old-apps.md
  @Test("a walk has its photos in the order in which they were taken, large or small")
  func photos() async throws {
    let walk = try await bench.start()
    await walk.record(bench.fix(0))
    let photos = (0..<8).map { [UInt8](repeating: UInt8($0), count: $0 % 2 == 0 ? 90_000 : 3) }
    for photo in photos {
      bench.clock.advance(by: .seconds(1))
      try await walk.addPhoto(Data(photo))
    }
    #expect(walk.current.photoCount == 8)
    let finished = try await walk.finish()
    #expect(bench.diary.photos(of: finished.id) == photos)
    let times = (1...8).map { walk.start.addingTimeInterval(Double($0)) }
    #expect(finished.photos.map(\.takenAt) == times)
    #expect(finished.photos[0].coordinate == RecordingBench.home)
    #expect(bench.files.paths.allSatisfy { !$0.contains(".blobs/") || $0.hasSuffix(".lock") })
  }

  // W5 of Docs/old-apps.md
  @Test("a walk may have no photos; one without bytes is rejected")
  func noPhotos() async throws {
    let walk = try await bench.start()
    let error = await #expect(throws: FieldError.self) { try await walk.addPhoto([UInt8]()) }
    #expect(error?.code == .invalidInput)
    #expect(try await walk.finish().photos.isEmpty)
  }

  @Test("a walk has its notes, with time and place")
  func notes() async throws {
    let walk = try await bench.start()
    await walk.record(bench.fix(0))
    bench.clock.advance(by: .seconds(7))
    try await walk.addNote(kind: .pee, pet: Pet.ID(rawValue: "mesh"))
    try await walk.addNote("met a / cat")
    let finished = try await walk.finish()
    #expect(finished.notes.map(\.kind) == [.pee, .note])
    #expect(finished.notes[0].time == finished.start.addingTimeInterval(7))
    #expect(finished.notes[0].coordinate == RecordingBench.home)
    #expect(finished.notes[1].text == "met a / cat")
  }

  @Test("a walk may have several pets, which join and leave during the walk")
  func pets() async throws {
    let (mesh, tori) = (Pet.ID(rawValue: "mesh"), Pet.ID(rawValue: "tori"))
    let walk = try await bench.start(["mesh", "mesh"])
    #expect(walk.pets == [mesh])
    bench.clock.advance(by: .seconds(10))
    try await walk.join(tori)
    let twice = await #expect(throws: FieldError.self) { try await walk.join(tori) }
    #expect(twice?.code == .petIsOut)
    bench.clock.advance(by: .seconds(10))
    try await walk.leave(mesh)
    let gone = await #expect(throws: FieldError.self) { try await walk.leave(mesh) }
    #expect(gone?.code == .unknownPet)
    let start = walk.start
    let finished = try await walk.finish()
    #expect(
      finished.pets == [
        Walk.Participant(pet: mesh, joined: start, left: start.addingTimeInterval(20)),
        Walk.Participant(pet: tori, joined: start.addingTimeInterval(10)),
      ])
  }

  @Test("a walk needs a pet, and a pet can be on one walk at a time")
  func petIsOut() async throws {
    let none = await #expect(throws: FieldError.self) { try await bench.start([]) }
    #expect(none?.code == .invalidInput)
    let first = try await bench.start(["mesh"])
    let out = await #expect(throws: FieldError.self) { try await bench.start(["tori", "mesh"]) }
    #expect(out?.code == .petIsOut)
    let second = try await bench.start(["tori"])
    let joining = await #expect(throws: FieldError.self) {
      try await second.join(Pet.ID(rawValue: "mesh"))
    }
    #expect(joining?.code == .petIsOut)
    try await first.finish()
    try await second.join(Pet.ID(rawValue: "mesh"))
    try await second.finish()
    _ = try await bench.start(["mesh", "tori"])
  }

  // W11 of Docs/old-apps.md
  @Test("a walk rejects a second call while it is being saved, and the first continues")
  func secondCall() async throws {
    let gate = Gate()
    let bench = RecordingBench(diary: FakeDiary(gate: gate))
    let walk = try await bench.start()
    async let first = walk.finish()
    await gate.someone()
    #expect(walk.state == .saving)
    for call in 0..<4 {
      let error = await #expect(throws: FieldError.self) {
        switch call {
        case 0: try await walk.finish()
        case 1: try await walk.pause()
        case 2: try await walk.addPhoto([1])
        default: try await walk.discard()
        }
      }
      #expect(error?.code == .operationInProgress, "\(call)")
    }
    #expect(await walk.record(bench.fix(0)).reason == .notRunning)
    gate.open()
    let saved = try await first
    #expect(try await walk.finish() == saved)
    #expect(bench.diary.saveCount == 1)
  }

  // W9, W11, 4.5-15 of Docs/old-apps.md
  @Test(
    "a walk that couldn't be saved keeps everything, reports why, and can be saved again")
  func failedSave() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    try await walk.addPhoto([1, 2, 3])
    bench.diary.fail(FieldError(.offline, "no network"))
    let error = await #expect(throws: FieldError.self) {
      try await walk.finish(weather: .rain)
    }
    #expect(error?.code == .offline)
    #expect(walk.state == .failed)
    #expect((walk.current.failure as? FieldError)?.message == "no network")
    bench.clock.advance(by: .seconds(500))
    let finished = try await walk.finish(dust: .bad)
    #expect(walk.state == .saved)
    #expect(walk.current.failure == nil)
    #expect((finished.weather, finished.dust) == (.rain, .bad))
    #expect(finished.elapsed == .seconds(11))
    #expect(bench.diary.photos(of: finished.id) == [[1, 2, 3]])
    #expect(bench.diary.route(of: finished.id)?.pointCount == 11)
  }

  // 4.5-15 of Docs/old-apps.md
  @Test("a walk that couldn't be saved exists after a restart, with its photos")
  func failedSaveAndRestart() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    try await walk.addPhoto([1, 2, 3])
    bench.diary.fail(FieldError(.offline, "no network"))
    await #expect(throws: FieldError.self) { try await walk.finish(weather: .rain) }
    let next = bench.restarted(powerCut: 3, after: .seconds(7000))
    let found = try #require(try await next.unfinished().first)
    #expect(found.photoCount == 1)
    let finished = try await found.finish()
    #expect(finished.weather == .rain)
    #expect(finished.elapsed == .seconds(11))
    #expect(next.diary.photos(of: finished.id) == [[1, 2, 3]])
  }

  @Test("a walk that is discarded leaves nothing, and isn't found again")
  func discarded() async throws {
    let walk = try await bench.start()
    await bench.walk(walk, north: 0...10)
    try await walk.addPhoto([1, 2, 3])
    try await walk.discard()
    #expect(walk.state == .discarded)
    #expect(try await bench.restarted().unfinished().isEmpty)
    #expect(bench.diary.walks.isEmpty)
    #expect(bench.files.paths.allSatisfy { !$0.hasSuffix(".journal") })
  }

  // 4.5-9 of Docs/old-apps.md
  @Test("a walk reaches its goal by its fixes, without an artificial mark")
  func realFixes() async throws {
    let walk = try await bench.start(goal: .place(place("park", 200)))
    #expect(walk.current.goal?.isReached == false)
    await bench.walk(walk, north: 0...140)
    #expect(walk.current.goal?.isReached == true)
  }

  // W11, 4.5-4 of Docs/old-apps.md
  @Test("a walk always ends, whatever error saving throws")
  func foreignError() async throws {
    struct Odd: Error {}
    let walk = try await bench.start()
    bench.diary.fail(Odd())
    let error = await #expect(throws: FieldError.self) { try await walk.finish() }
    #expect(error?.underlying is Odd)
    try await walk.discard()
  }

  @MainActor
  @Test("a walk has its photos in the order of the calls, even if nobody awaited them")
  func photosInOrderOfCalls() async throws {
    let bench = RecordingBench()
    let walk = try await bench.start()
    let size = Sample.rounds(900, 900, inDebug: 250)
    let tasks = (0..<60).map { number in
      Task { @MainActor in
        // The first ones take the longest.
        _ = try await walk.addPhoto(
          [UInt8](repeating: UInt8(number), count: (65 - number) * size))
      }
    }
    for task in tasks { try await task.value }
    let finished = try await walk.finish()
    #expect(bench.diary.photos(of: finished.id)?.map { $0[0] } == Array(0..<60))
  }

  @Test("a walk that is over rejects a note as too late, and not because of a pause")
  func lateNote() async throws {
    let bench = RecordingBench()
    let walk = try await bench.start()
    try await walk.finish()
    let error = await #expect(throws: FieldError.self) { try await walk.addNote("cat") }
    #expect(error?.code == .walkState)
    #expect(error?.message.contains("pause") == false)
  }
}
