import FieldCore
import FieldFakes
import Foundation
import TestSupport

@testable import WalkKit

/// A diary that keeps what it is given in memory, and fails when it is told to.
final class FakeDiary: WalkSaving {
  private struct State {
    var saved: [Walk.ID: Walk] = [:]
    var finished: [Walk.ID: FinishedWalk] = [:]
    var photos: [Walk.ID: [[UInt8]]] = [:]
    var failures: [any Error] = []
    var saveCount = 0
  }

  private let state = Lock(State())
  /// Waits at this before it saves.
  private let gate: Gate?

  init(gate: Gate? = nil) { self.gate = gate }

  /// Makes the next saves fail.
  func fail(_ errors: any Error...) { state.withLock { $0.failures += errors } }

  var walks: [Walk] { state.withLock { $0.saved.values.sorted { $0.start < $1.start } } }
  var saveCount: Int { state.withLock { $0.saveCount } }
  func route(of id: Walk.ID) -> WalkRoute? { state.withLock { $0.finished[id]?.route } }
  func photos(of id: Walk.ID) -> [[UInt8]]? { state.withLock { $0.photos[id] } }

  func save(_ finished: FinishedWalk) async throws -> Walk {
    try await gate?.wait()
    let failure = state.withLock { state in
      state.saveCount += 1
      return state.failures.isEmpty ? nil : state.failures.removeFirst()
    }
    if let failure { throw failure }
    var photos: [[UInt8]] = []
    for photo in finished.photos { photos.append(try await finished.bytes(of: photo) ?? []) }
    var walk = finished.walk
    walk.photos = finished.photos.map {
      WalkPhoto(id: $0.id, takenAt: $0.takenAt, coordinate: $0.coordinate, blob: $0.blob)
    }
    return state.withLock { [walk, photos] state in
      if let saved = state.saved[walk.id] { return saved }
      state.saved[walk.id] = walk
      state.finished[walk.id] = finished
      state.photos[walk.id] = photos
      return walk
    }
  }

  func admit(_ pets: [Pet.ID]) async throws {}

  func savedWalk(_ id: Walk.ID) async throws -> Walk? { state.withLock { $0.saved[id] } }

  func durableWalk(_ id: Walk.ID) async throws -> Walk? { try await savedWalk(id) }
}

/// Holds whoever waits until it is opened.
final class Gate: Sendable {
  private let opened: AsyncStream<Void>
  private let opener: AsyncStream<Void>.Continuation
  private let arrived: AsyncStream<Void>
  private let arrival: AsyncStream<Void>.Continuation

  init() {
    (opened, opener) = AsyncStream.makeStream()
    (arrived, arrival) = AsyncStream.makeStream()
  }

  func wait() async throws {
    arrival.yield()
    for await _ in opened { break }
    try Task.checkCancellation()
  }

  /// Returns when somebody waits.
  func someone() async { for await _ in arrived { break } }
  func open() { opener.finish() }
}

/// A machine on which walks are recorded: its clock, its files, its diary.
struct RecordingBench {
  static let home = point(0, 0)
  static let journals = "/kit/walks.journals"

  let clock: ManualClock
  let files: MemoryFileSystem
  let diary: FakeDiary
  let sessions: WalkSessions
  /// Leases on blobs are known by their directory in the whole process, so no two benches share one.
  private let drafts: String

  init(
    drafts: String = "/kit/\(UUID().uuidString).blobs",
    files: MemoryFileSystem = MemoryFileSystem(), diary: FakeDiary = FakeDiary(),
    clock: ManualClock = ManualClock(), options: RecordingOptions = .standard,
    random: @escaping @Sendable () -> Double = { 0.5 }
  ) {
    self.drafts = drafts
    self.clock = clock
    self.files = files
    self.diary = diary
    let count = Lock(0)
    let prefix = String(Int(clock.now.timeIntervalSince1970))
    let journals = JournalDirectory(path: Self.journals, fileSystem: files)
    let blobs = FileBlobStore(path: drafts, grace: .zero, clock: clock, fileSystem: files)
    sessions = WalkSessions(
      findPlaces: { (journals, blobs) }, clock: clock, options: options, random: random,
      newID: {
        count.withLock {
          $0 += 1
          return "\(prefix)-\($0)"
        }
      })
  }

  /// The machine after the process has ended without notice, or after a power cut.
  func restarted(
    powerCut seed: UInt64? = nil, after pause: Duration = .seconds(60),
    options: RecordingOptions = .standard
  ) -> RecordingBench {
    clock.advance(by: pause)
    // The clock of a new process counts from another moment.
    let next = ManualClock(now: clock.now)
    next.advance(by: .seconds(3))
    next.set(now: clock.now)
    return RecordingBench(
      drafts: drafts, files: files.afterCrash(seed: seed), diary: diary, clock: next,
      options: options)
  }

  /// A place so many metres north and east of home.
  static func point(_ north: Double, _ east: Double) -> Coordinate {
    let latitude = 37.5452335 + north / 110_990
    let longitude = 127.0571024 + east / 88_360
    guard let point = try? Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("\(north), \(east) is too far from home")
    }
    return point
  }

  func start(
    _ pets: [String] = ["mesh"], goal: WalkGoal? = nil
  ) async throws -> WalkRecorder {
    try await sessions.start(
      pets: pets.map(Pet.ID.init(rawValue:)), goal: goal, saving: diary)
  }

  func unfinished() async throws -> [UnfinishedWalk] {
    try await sessions.unfinished(saving: diary)
  }

  func fix(
    _ north: Double, _ east: Double = 0, accuracy: Double = 8, age: Double = 0,
    elevation: Double? = nil
  ) -> LocationFix {
    LocationFix(
      coordinate: Self.point(north, east), accuracy: .meters(accuracy),
      time: clock.now.addingTimeInterval(-age), elevation: elevation)
  }

  /// Records a fix a second on a straight way, and returns what came of each.
  @discardableResult
  func walk(
    _ recorder: WalkRecorder, north: ClosedRange<Int>, east: Double = 0, step: Double = 1.5,
    accuracy: Double = 8
  ) async -> [FixResult] {
    var results: [FixResult] = []
    for number in north {
      clock.advance(by: .seconds(1))
      results.append(
        await recorder.record(fix(Double(number) * step, east, accuracy: accuracy)))
    }
    return results
  }
}

/// A place to go to.
func place(_ name: String, _ north: Double, _ east: Double = 0) -> Place {
  Place(
    id: Place.ID(rawValue: name), name: name, coordinate: RecordingBench.point(north, east))
}

extension Sequence<FixResult> {
  var areAccepted: Bool { allSatisfy { $0.isAccepted } }
}
