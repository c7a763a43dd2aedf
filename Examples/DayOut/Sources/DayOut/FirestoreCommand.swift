import FieldKit
import Foundation
import WalkFirestore

/// `day-out firestore`: transfers a diary from one device to another through Firestore.
struct FirestoreCommand: Command {
  static let name = "firestore"
  static let operands = "[options]"
  static let summary = "transfers a diary from one device to another through Firestore"
  static let examples = ["day-out firestore --walks 50"]
  static let details: [Detail] = [
    (
      "--peer URL",
      "the server, such as an emulator's http://127.0.0.1:8080 (a fake on this machine)"
    ),
    ("--project ID", "the project on that server (walkkit)"),
    ("--walks N", "the number of walks to record and send (20)"),
  ]
  static let flags: Set<String> = ["--json"]
  static let values: Set<String> = ["--peer", "--project", "--walks"]

  private var trip = CloudRoundTrip(walkCount: 20)
  private var printsJSON = false

  init() {}

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else { throw UsageError("firestore takes only options") }
    trip.project = arguments.value("--project") ?? trip.project
    trip.walkCount = try arguments.count("--walks", default: trip.walkCount)
    trip.peer = try arguments.value("--peer").map {
      try FirestoreConfiguration.emulator(project: trip.project, at: $0).endpoint
    }
    printsJSON = arguments.has("--json")
  }

  func run() async throws {
    let summary = try await trip.run()
    if printsJSON {
      try JSONOutput.print(summary)
    } else {
      say(
        """
        A phone recorded \(summary.walksSent) walks offline and sent them to \(summary.peer). \
        \(summary.responsesLost) responses were lost, and the phone's process was killed meanwhile. \
        A tablet has them now: \(summary.text).
        """)
    }
    guard summary.isExact else {
      throw Narrator.BrokenPromise(
        message: "A promise doesn't hold: each walk arrives exactly once (\(summary.text)).")
    }
  }
}
