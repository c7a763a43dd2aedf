import FieldFakes
import FieldKit
import Foundation

/// The process that records walks without a network and is killed while it sends them.
struct KilledPhone {
  /// The argument that makes `day-out` that process.
  static let childArgument = "--send-walks"

  /// The instructions for the process, as JSON in its second argument.
  private struct Task: Codable {
    var place: CloudDevice.Place
    var folder: URL
    var walkCount: Int
  }

  /// Runs the process until it is killed; what it recorded is then in the folder.
  static func run(walks count: Int, in folder: URL, sendingTo place: CloudDevice.Place) async throws
  {
    let task = Task(place: place, folder: folder, walkCount: count)
    let process = Process()
    process.executableURL = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    process.arguments = [
      childArgument, String(decoding: try JSONEncoder().encode(task), as: UTF8.self),
    ]
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do {
        try process.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
    guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
      throw FieldError(.io, "The process that sends the walks wasn't killed.")
    }
  }

  // MARK: In the process

  static func perform(_ text: String) async throws {
    let task = try JSONDecoder().decode(Task.self, from: Data(text.utf8))
    // Every second response is lost, so about half of the commits are known to have been applied.
    let transport = KillingTransport(after: max(1, (task.walkCount + 1) / 2))
    // 08:00 in Taipei on the day of the story.
    let clock = ManualClock(now: Story.morning.addingTimeInterval(-3_300))
    let phone = try CloudDevice(
      at: task.place, storage: .directory(task.folder), transport: transport, clock: clock)
    try await record(task.walkCount, in: phone.diary, clock)
    try await phone.send()
    kill(getpid(), SIGKILL)
  }

  /// Records walks, each with a route and a photo.
  private static func record(_ count: Int, in diary: WalkDiary, _ clock: ManualClock) async throws {
    let pet = try await diary.register(
      PetRegistration(name: "Mochi", breed: .welshCorgi, gender: .male))
    for number in 0..<count {
      let walk = try await diary.start(pets: [pet.id])
      for step in 0..<20 {
        clock.advance(by: .seconds(4))
        let place = try Coordinate(
          latitude: 24.9986 + 0.000_04 * Double(step), longitude: 121.5809)
        await walk.record(LocationFix(coordinate: place, accuracy: .meters(6), time: clock.now))
      }
      try await walk.addPhoto(FakeTaipeiOpenData.SmallPicture.jpeg + Array("\(number)".utf8))
      try await walk.finish()
      clock.advance(by: .seconds(3_600))
    }
  }
}

/// Kills the process when it hears that a number of commits was applied, before anything is stored.
private actor KillingTransport: Transport {
  private let base = URLSessionTransport()
  private var left: Int

  init(after count: Int) { left = count }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    let answer = try await base.send(request)
    if request.operation == "firestore.commit", answer.isSuccess {
      left -= 1
      if left == 0 { kill(getpid(), SIGKILL) }
    }
    return answer
  }
}
