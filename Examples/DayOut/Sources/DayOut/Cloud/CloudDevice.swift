import FieldKit
import Foundation
import WalkFirestore

/// A device with a diary that it shares with others through a server.
struct CloudDevice {
  /// The place of the diary on a server.
  struct Place: Codable, Sendable {
    var server: URL
    var project: String
    var root: String
  }

  let cloud: FirestoreWalks
  let diary: WalkDiary

  init(
    at place: Place, storage: Storage, transport: any Transport = URLSessionTransport(),
    clock: any FieldClock = .system
  ) throws {
    var configuration = WalkFirestoreConfiguration.firestore(
      try .emulator(project: place.project, at: place.server.absoluteString),
      photos: StorageConfiguration(
        bucket: CloudServer.bucket, tokens: .owner, endpoint: place.server),
      root: FirestorePath(place.root))
    configuration.outbox.initialDelay = .milliseconds(10)
    // No other process sends from the storage, so the edits of a killed one needn't wait for it.
    configuration.outbox.lease = .zero
    cloud = FirestoreWalks(configuration, storage: storage, transport: transport)
    diary = WalkDiary(cloud, clock: clock, rules: PetRules(required: [.name, .breed]))
  }

  /// Sends what waits, again and again until nothing is left.
  func send() async throws {
    for _ in 0..<20 where try await cloud.send(.now).count == 0 { return }
  }

  /// Returns all walks, newest first.
  func walks() async throws -> [Walk] { try await diary.allWalks() }
}
