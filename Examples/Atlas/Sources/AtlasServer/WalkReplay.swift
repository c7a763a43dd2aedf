import FieldFakes
import FieldKit
import Foundation

/// A type that plays the track through a recorder, and finds its walk again after a crash.
actor WalkReplay {
  /// A place on the page's map: longitude, latitude, elevation.
  typealias Place = [Double]

  /// A fix that the recorder refused.
  struct Refusal: Codable, Sendable {
    var place: Place
    var reason: String
  }

  /// The walk as it stands.
  struct State: Codable, Sendable {
    var id: String?
    var phase: String
    var meters = 0.0
    var seconds = 0
    var climb = 0.0
    var points = 0
    var step = 0
    var steps: Int
    /// The west, south, east, and north of the map.
    var box: [Double]
    var isRecorded: Bool
    var splits: [Split] = []
    var restoredPoints: Int?
  }

  struct Split: Codable, Sendable {
    var meters: Double
    var seconds: Double?
    var climb: Double?
  }

  /// The changes since the last event.
  struct News: Codable, Sendable {
    var places: [Place]
    var refusals: [Refusal]
    var state: State
  }

  private let diary: WalkDiary
  private let clock: ManualClock
  private let hub: Hub
  private let track: WalkTrack
  /// The time between two deliveries on the page.
  private let pace: Duration
  /// Rejected fixes are no part of a walk, so its journal doesn't contain them.
  private let refusalFile: URL
  private var recorder: WalkRecorder?
  private var task: Task<Void, Never>?
  private var step = 0
  private var places: [Place] = []
  private var refusals: [Refusal] = [] {
    didSet {
      guard refusals.count != oldValue.count else { return }
      try? JSONEncoder().encode(refusals).write(to: refusalFile, options: .atomic)
    }
  }
  private var restoredPoints: Int?
  private var finished: String?
  /// The inventory's entry for the current walk.
  private let counted = Locked<InventoryItem?>(nil)

  init(
    diary: WalkDiary, clock: ManualClock, hub: Hub, track: WalkTrack, folder: URL,
    pace: Duration = .milliseconds(45)
  ) {
    self.diary = diary
    self.clock = clock
    self.hub = hub
    self.track = track
    self.pace = pace
    refusalFile = folder.appending(path: "refused-fixes.json")
  }

  nonisolated var inventory: InventoryItem? { counted.withLock { $0 } }

  // MARK: Restoring

  /// Seeds the diary at the first start, and takes up a walk that a crash has cut off.
  func prepare() async throws {
    if try await diary.pets().isEmpty { try await seed() }
    // atlas:begin walks
    // Every accepted fix was in the journal before `record(_:)` returned, so a killed process loses none.
    if let walk = try await diary.unfinished().first {
      restoredPoints = walk.figures.pointCount
      clock.set(now: max(Date(), (walk.lastPoint?.time ?? Date()).addingTimeInterval(1)))
      let recorder = try await walk.resume()
      try await recorder.pause()
      places = try await recorder.route().segments.joined().map {
        [$0.coordinate.longitude, $0.coordinate.latitude, $0.elevation ?? 0]
      }
      // atlas:end walks
      if let data = try? Data(contentsOf: refusalFile) {
        refusals = (try? JSONDecoder().decode([Refusal].self, from: data)) ?? []
      }
      self.recorder = recorder
      step = nextStep(after: walk.lastPoint?.coordinate)
    }
    publish(News(places: [], refusals: [], state: state))
  }

  /// The step behind the one at a place.
  private func nextStep(after place: Coordinate?) -> Int {
    guard let place else { return 0 }
    let index = track.steps.lastIndex { step in
      abs(step.latitude - place.latitude) < 1e-9 && abs(step.longitude - place.longitude) < 1e-9
        && step.accuracy > 0 && step.lag == 0
    }
    return (index ?? -1) + 1
  }

  /// Records six weeks of short walks, so that there are a calendar and badges.
  private func seed() async throws {
    var random = SplitMix(state: 7)
    let today = Date()
    clock.set(now: today.addingTimeInterval(-43 * 86_400))
    let pet = try await diary.register(
      PetRegistration(
        name: "토리", breed: .welshCorgi, gender: .male, birth: CalendarDay("2020-01-31"),
        weight: .kilograms(11)))
    try await diary.addPlace(
      "山頂",
      at: Coordinate(
        latitude: track.steps[30].latitude, longitude: track.steps[30].longitude))
    for day in 0..<42 where random.next() % 5 != 0 || day > 36 {
      clock.set(
        now: today.addingTimeInterval(Double(day - 42) * 86_400 + Double(random.next() % 7_200)))
      let walk = try await diary.start(pets: [pet.id], goal: .nearest(of: diary.places(.goal)))
      for number in 0..<(30 + Int(random.next() % 90)) {
        _ = try await record(track.steps[number], with: walk)
      }
      try await walk.finish(
        weather: [.clear, .clouds, .rain][Int(random.next() % 3)], dust: .good)
    }
    clock.set(now: Date())
  }

  // MARK: Playing

  // atlas:begin walks
  /// Passes one delivery of the receiver to the recorder, which decides whether it's on the route.
  private func record(_ step: WalkTrack.Step, with walk: WalkRecorder) async throws -> FixResult {
    clock.advance(by: .seconds(Int(step.wait.rounded())))
    return await walk.record(
      LocationFix(
        coordinate: try Coordinate(latitude: step.latitude, longitude: step.longitude),
        accuracy: .meters(step.accuracy), time: clock.now.addingTimeInterval(-step.lag),
        elevation: step.elevation))
  }
  // atlas:end walks

  /// Starts a walk, or resumes the one that was restored or paused.
  func play() async throws {
    guard task == nil else { return }
    if let recorder {
      if recorder.state == .paused { try await recorder.resume() }
    } else {
      guard let pet = try await diary.pets().first else { return }
      clock.set(now: max(Date(), clock.now))
      recorder = try await diary.start(pets: [pet.id])
      step = 0
      places = []
      refusals = []
      restoredPoints = nil
      finished = nil
    }
    publish(News(places: [], refusals: [], state: state))
    task = Task { await run() }
  }

  /// Pauses the walk.
  func pause() async throws {
    task?.cancel()
    await task?.value
    task = nil
    if let recorder, recorder.state == .running { try await recorder.pause() }
    publish(News(places: [], refusals: [], state: state))
  }

  /// Finishes the walk where it is.
  func finish() async throws {
    try await pause()
    guard let recorder else { return }
    let walk = try await recorder.finish(weather: .clear, dust: .good)
    finished = walk.id.rawValue
    self.recorder = nil
    restoredPoints = nil
    publish(News(places: [], refusals: [], state: state))
  }

  private func run() async {
    var newPlaces: [Place] = []
    var newRefusals: [Refusal] = []
    while let recorder, step < track.steps.count, !Task.isCancelled {
      let next = track.steps[step]
      let place = [next.longitude, next.latitude, next.elevation]
      guard let result = try? await record(next, with: recorder) else { break }
      if let reason = result.reason {
        newRefusals.append(Refusal(place: place, reason: reason.rawValue))
      } else {
        newPlaces.append(place)
      }
      step += 1
      if step % 5 == 0 || !newRefusals.isEmpty {
        places += newPlaces
        refusals += newRefusals
        publish(News(places: newPlaces, refusals: newRefusals, state: state))
        newPlaces = []
        newRefusals = []
      }
      do { try await Task.sleep(for: pace) } catch { break }
    }
    places += newPlaces
    refusals += newRefusals
    publish(News(places: newPlaces, refusals: newRefusals, state: state))
    guard step >= track.steps.count, let recorder else { return }
    if let walk = try? await recorder.finish(weather: .clear, dust: .good) {
      finished = walk.id.rawValue
      self.recorder = nil
      restoredPoints = nil
      task = nil
      publish(News(places: [], refusals: [], state: state))
    }
  }

  // MARK: State

  /// Everything that the page needs to draw the walk.
  var all: News { News(places: places, refusals: refusals, state: state) }

  private var state: State {
    guard let recorder else {
      return State(
        id: finished, phase: finished == nil ? "idle" : "saved", step: step,
        steps: track.steps.count, box: track.box, isRecorded: track.isRecorded)
    }
    let progress = recorder.current
    let figures = progress.figures
    return State(
      id: recorder.id.rawValue, phase: progress.state.rawValue, meters: figures.distance.meters,
      seconds: Int(progress.duration.components.seconds), climb: figures.climb?.meters ?? 0,
      points: figures.pointCount, step: step, steps: track.steps.count, box: track.box,
      isRecorded: track.isRecorded,
      splits: figures.splits.map {
        Split(
          meters: $0.distance.meters, seconds: $0.recordedTime.map { $0 / .seconds(1) },
          climb: $0.climb?.meters)
      }, restoredPoints: restoredPoints)
  }

  private func publish(_ news: News) {
    counted.withLock { item in
      item =
        recorder == nil
        ? nil
        : InventoryItem(kit: "walk under way", count: news.state.points, checksum: "—")
    }
    hub.send("walk", news, isSticky: false)
  }
}
