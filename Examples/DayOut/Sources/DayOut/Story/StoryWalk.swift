import FieldFakes
import FieldKit
import Foundation

/// The walk in the story: recorded by another process, which is killed, and restored in this one.
struct StoryWalk {
  let folder: URL

  /// 14:00 in Taipei on the day of the story.
  private static let start = Story.morning.addingTimeInterval(5 * 3600 + 300)
  private static let pointsBeforeKill = 80
  private static let pointCount = 120

  // MARK: The process that is killed

  /// The argument that makes `day-out` the recording process; the story passes the folder after it.
  static let childArgument = "--record-walk"

  /// Records a point for each line of standard input, and replies with the number of points.
  static func record(in folder: String) async throws {
    let clock = ManualClock(now: start)
    let diary = diary(URL(filePath: folder), clock)
    let pet = try await diary.register(
      PetRegistration(name: "Mochi", breed: .welshCorgi, gender: .male))
    let walk = try await diary.start(pets: [pet.id])
    while let line = readLine(), let number = Int(line) {
      await record(number, walk, clock)
      print(walk.current.figures.pointCount)
    }
  }

  private static func diary(_ folder: URL, _ clock: any FieldClock) -> WalkDiary {
    WalkDiary(
      storage: .directory(folder), transport: URLSessionTransport(), clock: clock,
      rules: PetRules(required: [.name, .breed]))
  }

  private static func record(_ number: Int, _ walk: WalkRecorder, _ clock: ManualClock) async {
    clock.advance(by: .seconds(4))
    guard let place = try? place(number) else { return }
    await walk.record(LocationFix(coordinate: place, accuracy: .meters(6), time: clock.now))
  }

  /// A path along the river behind the zoo, not quite straight.
  private static func place(_ number: Int) throws -> Coordinate {
    let part = Double(number) / Double(pointCount)
    return try Coordinate(
      latitude: 24.9986 + 0.0034 * part + 0.0004 * sin(part * 9),
      longitude: 121.5809 - 0.0039 * part)
  }

  // MARK: The story

  /// Returns the number of points of the walk.
  func walk(_ narrator: Narrator) async throws -> Int {
    narrator.chapter("14:00", .walk, .walkSentence)
    let recorded = try RecordingProcess(folder: folder).recordAndKill(
      points: Self.pointsBeforeKill)
    try narrator.expect(recorded > 1, "the process records points.")
    narrator.failed(.killed, "\(recorded)")

    let clock = ManualClock(
      now: Self.start.addingTimeInterval(Double(Self.pointsBeforeKill) * 4 + 120))
    let diary = Self.diary(folder, clock)
    guard let unfinished = try await diary.unfinished().first else {
      throw Narrator.BrokenPromise(
        message: "A promise doesn't hold: the walk of a killed process is found.")
    }
    try narrator.expect(
      unfinished.figures.pointCount == recorded, "every recorded point survives a kill.")
    narrator.done(.restored, "\(recorded)")
    let recorder = try await unfinished.resume()
    for number in Self.pointsBeforeKill..<Self.pointCount {
      await Self.record(number, recorder, clock)
    }
    let walk = try await recorder.finish(weather: .clear, dust: .good)
    let route = try await diary.route(of: walk.id)
    try narrator.expect(route.pointCount > recorded, "a restored walk can be continued.")
    try narrator.expect(route.segments.count == 2, "no line is drawn across the interruption.")
    narrator.done(
      .walkedOn, "\(walk.distance)", narrator.text(WalkTexts.duration(walk.duration)),
      "\(route.pointCount)")
    narrator.compare(
      narrator.text(.cutWalk, "\(recorded)"), naive: narrator.text(.noWalk),
      fieldKit: narrator.text(.wholeWalk))
    narrator.page.figure(
      RouteMap(route: route, goal: nil, label: narrator.text(.walkMap)).svg,
      caption: narrator.text(.walkCaption, "\(walk.distance)"))
    try await diary.close()
    return route.pointCount
  }

  /// Opens the diary again and checks that the walk is in it.
  func checkStored(_ narrator: Narrator, points: Int) async throws {
    let diary = Self.diary(folder, ManualClock(now: Self.start.addingTimeInterval(8 * 3600)))
    let walks = try await diary.walks().walks
    try narrator.expect(walks.count == 1, "the walk is in the diary once.")
    try narrator.expect(
      try await diary.unfinished().isEmpty, "a finished walk isn't offered again.")
    for walk in walks {
      let stored = try await diary.route(of: walk.id).pointCount
      try narrator.expect(stored == points, "all points of the walk are on the disk.")
    }
    try await diary.close()
    narrator.done(.walkStored, "\(points)")
  }
}

/// The process that records the walk, and that never gets to finish it.
private struct RecordingProcess {
  let folder: URL

  /// Sends fixes as a receiver would, kills the process after the last one, and returns the number of
  /// points that it has confirmed.
  func recordAndKill(points: Int) throws -> Int {
    signal(SIGPIPE, SIG_IGN)
    let process = Process()
    let (fixes, replies) = (Pipe(), Pipe())
    process.executableURL =
      Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    process.arguments = [StoryWalk.childArgument, folder.path]
    process.standardInput = fixes
    process.standardOutput = replies
    try process.run()
    var confirmed = 0
    for number in 0..<points {
      try fixes.fileHandleForWriting.write(contentsOf: Data("\(number)\n".utf8))
      guard let count = Int(line(from: replies.fileHandleForReading)) else {
        throw FieldError(.io, "The process that records the walk has ended by itself.")
      }
      confirmed = count
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
      throw FieldError(.io, "The process that records the walk wasn't killed.")
    }
    return confirmed
  }

  private func line(from handle: FileHandle) -> String {
    var bytes: [UInt8] = []
    while true {
      let byte = handle.readData(ofLength: 1)
      guard let first = byte.first, first != 10 else {
        return String(decoding: bytes, as: UTF8.self)
      }
      bytes.append(first)
    }
  }
}
