import FieldFakes
import FieldKit
import Foundation

/// `day-out walk --simulate FILE.gpx`: plays a track through the recorder, as a phone would have
/// delivered it, and draws the route that comes of it.
///
/// The recorder can't tell it from a walk: its clock is set to the time of each point in turn, and the
/// segments of the file are pauses. Nothing waits, so an hour takes a moment.
struct WalkSimulation {
  private let file: String
  private let drawing: URL

  /// Creates a simulation of a file.
  ///
  /// - Parameter drawing: The path of the drawing. Defaults to a file of the same name in the current folder.
  init(_ file: String, drawing: String? = nil) {
    self.file = file
    let name = URL(filePath: file).deletingPathExtension().lastPathComponent
    self.drawing = URL(filePath: drawing ?? "\(name).svg")
  }

  func run() async throws {
    let document = try WalkCommand.document(file)
    let segments = document.tracks.flatMap(\.segments).filter { !$0.isEmpty }
    guard let first = segments.first?.first else {
      throw UsageError("\(file) has no track to replay")
    }
    // Receivers whose clock is wrong are in 1901; the pet was born later.
    let isLikely = first.time.map { $0.timeIntervalSinceReferenceDate > 0 } == true
    let start = isLikely ? first.time : nil
    let clock = ManualClock(now: start ?? Date(timeIntervalSince1970: 1_767_225_600))
    let diary = WalkDiary(storage: .inMemory, transport: NoNetwork(), clock: clock)
    let pet = try await diary.register(
      PetRegistration(
        name: "mesh", breed: .welshCorgi, gender: .male, birth: CalendarDay("2000-01-01"),
        weight: .kilograms(10), photo: Data([1])))
    let end = segments.last?.last?.coordinate ?? first.coordinate
    let goal = Place(id: Place.ID(rawValue: "end"), name: "the end of the track", coordinate: end)
    let walk = try await diary.start(pets: [pet.id], goal: .place(goal))
    let watcher = Task {
      for await progress in walk.progress { Self.show(progress) }
    }
    defer { watcher.cancel() }
    let ignored = try await play(segments, to: walk, clock)
    let finished = try await walk.finish()
    await watcher.value
    print("")
    let route = try await diary.route(of: finished.id)
    tell(finished, route, segments.joined().count, ignored)
    try Self.picture(of: route).write(to: drawing, atomically: true, encoding: .utf8)
    print("  drawn in \(drawing.path)")
  }

  /// Records all points, and counts what was left out of the route by reason.
  private func play(
    _ segments: [[TrackPoint]], to walk: WalkRecorder, _ clock: ManualClock
  ) async throws -> [String: Int] {
    var ignored: [String: Int] = [:]
    var last: Coordinate?
    for (number, segment) in segments.enumerated() {
      if number > 0 {
        try await walk.pause()
        try await walk.resume()
      }
      for point in segment {
        let way = last?.distance(to: point.coordinate) ?? .zero
        clock.advance(by: Self.wait(until: point.time, clock.now, way))
        last = point.coordinate
        let fix = LocationFix(
          coordinate: point.coordinate, accuracy: point.accuracy ?? .meters(5), time: clock.now,
          elevation: point.elevation)
        if let reason = await walk.record(fix).reason { ignored[reason.rawValue, default: 0] += 1 }
        await Task.yield()
      }
    }
    return ignored
  }

  /// Until the next point; what the way takes at a walk where the file does not say, or says what no walk
  /// can do.
  private static func wait(until time: Date?, _ now: Date, _ way: Distance) -> Duration {
    guard let seconds = time?.timeIntervalSince(now), seconds > 0, seconds < 86_400 else {
      return .milliseconds(Int64(min(max(way.meters / 1.4, 1), 86_400) * 1000))
    }
    return .milliseconds(Int64(seconds * 1000))
  }

  private static func show(_ progress: WalkProgress) {
    let state = progress.state.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
    let reached = progress.goal?.isReached == true ? ", goal reached" : ""
    let line =
      "\r  \(state) \(progress.figures.distance), \(WalkSimulation.clock(progress.duration)), "
      + "\(progress.figures.pointCount) points\(reached)      "
    print(line, terminator: "")
    fflush(nil)
  }

  private static func clock(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  private func tell(_ walk: Walk, _ route: WalkRoute, _ count: Int, _ ignored: [String: Int]) {
    print("  \(route.pointCount) of \(count) points in \(route.segments.count) segments")
    for (reason, number) in ignored.sorted(by: { $0.key < $1.key }) {
      print("  rejected: \(number) \(reason)")
    }
    print("  \(walk.distance), moving \(Self.clock(walk.movingTime))", terminator: "")
    print(walk.climb.map { ", up \($0)" } ?? "", terminator: "")
    print(walk.reward == nil ? "" : ", and a bone")
  }

  private static func picture(of route: WalkRoute) -> String {
    let path = route.svgPath(width: 800, height: 600, margin: 20)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600">
        <rect width="800" height="600" fill="#f7f5ef"/>
        <path d="\(path)" fill="none" stroke="#2b7a4b" stroke-width="3" stroke-linecap="round"
          stroke-linejoin="round"/>
      </svg>

      """
  }
}

/// Nothing is asked of a server.
private struct NoNetwork: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    throw FieldError(.offline, "A simulation has no network.")
  }
}
