import FieldFakes
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
    ("--walks N", "the number of walks to write (20)"),
  ]
  static let flags: Set<String> = ["--json"]
  static let values: Set<String> = ["--peer", "--project", "--walks"]

  private let peer: String?
  private let project: String
  private let walkCount: Int
  private let printsJSON: Bool

  init(_ arguments: Arguments) throws {
    guard arguments.operands.isEmpty else { throw UsageError("firestore takes only options") }
    peer = arguments.value("--peer")
    project = arguments.value("--project") ?? "walkkit"
    walkCount = try arguments.count("--walks", default: 20)
    printsJSON = arguments.has("--json")
  }

  init() {
    (peer, project, walkCount, printsJSON) = (nil, "walkkit", 20, false)
  }

  /// The result of the round trip.
  private struct Summary: Encodable {
    var peer: String
    var walksSent: Int
    var walksReceived: Int
    var pending: Int
    var doubled: Int
    var lost: Int
  }

  func run() async throws {
    let summary: Summary
    if let peer {
      summary = try await roundTrip(at: peer)
    } else {
      let server = try LoopbackServer(
        serving: FakeFirestore(project: project, clock: SystemClock()))
      summary = try await roundTrip(at: server.url.absoluteString)
      await server.stop()
    }
    if printsJSON { return try JSONOutput.print(summary) }
    say(
      """
      A phone saved \(summary.walksSent) walks offline and sent them to \(summary.peer); \
      the response to every third commit was lost. A tablet received \(summary.walksReceived) walks: \(summary.doubled) duplicated, \
      \(summary.lost) lost, \(summary.pending) edits pending.
      """)
  }

  private func roundTrip(at address: String) async throws -> Summary {
    let root = FirestorePath("runs/\(UUID().uuidString.lowercased())")
    var configuration = WalkFirestoreConfiguration(
      try .emulator(project: project, at: address), root: root)
    configuration.outbox.initialDelay = .milliseconds(10)
    let transport = URLSessionTransport()
    // Lost responses make careless clients write twice.
    let lossy = FaultTransport(transport, FaultPlan.every(3, .lostAnswer()).on("firestore.commit"))
    let phone = FirestoreWalks(configuration, storage: .inMemory, transport: lossy)
    let tablet = FirestoreWalks(configuration, storage: .inMemory, transport: transport)
    let pet = Pet(id: "mesh", name: "mesh", breed: .welshCorgi, registered: Date())
    try await phone.backend.pets.add(pet)
    let start = Date(timeIntervalSince1970: 1_767_225_600)
    var sent: Set<Walk.ID> = []
    for number in 0..<walkCount {
      let begin = start.addingTimeInterval(Double(number) * 86_400)
      let walk = Walk(
        id: Walk.ID(rawValue: "walk-\(number)"), pets: [.init(pet: pet.id, joined: begin)],
        start: begin, end: begin.addingTimeInterval(1_800), utcOffset: .seoul,
        distance: .meters(1_000 + Double(number)))
      sent.insert(try await phone.backend.walks.save(walk).id)
    }
    var left = try await phone.send(.now).count
    for _ in 0..<20 where left > 0 { left = try await phone.send(.now).count }
    try await tablet.refresh(.now)
    // And back: an edit of the tablet arrives on the phone.
    if walkCount > 0 {
      try await tablet.backend.walks.update("walk-0") { $0.weather = .clear }
      try await tablet.refresh(.now)
      try await phone.refresh(.now)
      guard try await phone.backend.walks.walk("walk-0")?.weather == .clear else {
        throw FieldError(.transport, "The tablet's edit didn't reach the phone.")
      }
    }
    let received = try await allWalks(of: tablet)
    return Summary(
      peer: address, walksSent: sent.count, walksReceived: received.count,
      pending: try await phone.pending().count + tablet.pending().count,
      doubled: received.count - Set(received.map(\.id)).count,
      lost: sent.subtracting(received.map(\.id)).count)
  }

  private func allWalks(of device: FirestoreWalks) async throws -> [Walk] {
    var query = WalkQuery(limit: 500)
    var walks: [Walk] = []
    repeat {
      let page = try await device.backend.walks.walks(query)
      walks += page.walks
      query.after = page.next
    } while query.after != nil
    return walks
  }
}
