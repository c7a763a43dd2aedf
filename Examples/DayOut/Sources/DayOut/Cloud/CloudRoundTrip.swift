import FieldKit
import Foundation
import WalkFirestore

/// The way of a diary from a phone to a tablet and back, on which responses are lost and the phone's
/// process is killed.
struct CloudRoundTrip {
  var project = "walkkit"
  /// A server of Firestore, or `nil` for a fake.
  var peer: URL?
  var walkCount: Int

  /// The result of the round trip.
  struct Summary: Encodable {
    var peer: String
    var walksSent: Int
    /// The walks that arrived with their routes and photos.
    var walksReceived: Int
    var pending: Int
    /// The commits that the database applied, beyond one for each edit.
    var doubled: Int
    var lost: Int
    var responsesLost: Int

    var isExact: Bool { walksReceived == walksSent && pending == 0 && doubled == 0 && lost == 0 }

    var text: String {
      "sent \(walksSent), received \(walksReceived) with their routes and photos, \(pending) pending, "
        + "\(doubled) doubled, \(lost) lost"
    }
  }

  func run() async throws -> Summary {
    if let peer {
      // Devices keep trying; a peer that isn't there is reported at once.
      let configuration = try FirestoreConfiguration.emulator(
        project: project, at: peer.absoluteString)
      _ = try await FirestoreClient(configuration, transport: URLSessionTransport()).get(
        "runs/none")
    }
    let server = try CloudServer(project: project, peer: peer)
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "day-out-cloud-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let place = CloudDevice.Place(
      server: server.url, project: project, root: "runs/\(UUID().uuidString.lowercased())")
    try await KilledPhone.run(walks: walkCount, in: folder, sendingTo: place)

    let phone = try CloudDevice(at: place, storage: .directory(folder))
    try await phone.send()
    let tablet = try CloudDevice(at: place, storage: .inMemory)
    try await tablet.cloud.refresh(.now)
    let received = try await tablet.walks()
    let whole = try await wholeWalks(of: phone, on: tablet)
    // The pet and the walks.
    var editCount = 1 + walkCount
    // And back: an edit of the tablet arrives on the phone.
    if let walk = received.first {
      editCount += 1
      try await tablet.diary.update(walk.id, WalkChanges(weather: .rain))
      try await tablet.send()
      try await phone.cloud.refresh(.now)
      guard try await phone.diary.walk(walk.id)?.weather == .rain else {
        throw FieldError(.transport, "The tablet's edit didn't reach the phone.")
      }
    }
    let summary = Summary(
      peer: (peer ?? server.url).absoluteString, walksSent: walkCount, walksReceived: whole,
      pending: try await phone.cloud.pending().count + tablet.cloud.pending().count,
      doubled: max(0, await server.commitCount - editCount) + copies(in: received),
      lost: walkCount - whole, responsesLost: server.lostResponseCount)
    try await phone.diary.close()
    try await tablet.diary.close()
    await server.stop()
    return summary
  }

  /// The walks that are there more than once under different IDs; no two of them began together.
  private func copies(in walks: [Walk]) -> Int { walks.count - Set(walks.map(\.start)).count }

  /// Returns the number of walks that are the same on both devices, with their routes and photos.
  private func wholeWalks(of phone: CloudDevice, on tablet: CloudDevice) async throws -> Int {
    var count = 0
    for walk in try await phone.walks() where try await isWhole(walk, of: phone, on: tablet) {
      count += 1
    }
    return count
  }

  private func isWhole(
    _ walk: Walk, of phone: CloudDevice, on tablet: CloudDevice
  ) async throws -> Bool {
    guard walk.hasRoute, let photo = walk.photos.first,
      try await tablet.diary.walk(walk.id) == walk
    else { return false }
    let route = try await phone.diary.route(of: walk.id)
    let picture = try await phone.diary.photo(photo)
    do {
      guard try await tablet.diary.route(of: walk.id) == route else { return false }
      return try await tablet.diary.photo(photo) == picture
    } catch let error as FieldError where error.code == .blobMissing {
      return false
    }
  }
}
