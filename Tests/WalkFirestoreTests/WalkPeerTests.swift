import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport
import Testing

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

/// A diary on two devices against a server that isn't part of the package, which
/// `Scripts/Checks/firestore-peers.sh` starts.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WalkPeerTests {
  private static let host = ProcessInfo.processInfo.environment["FIELDKIT_FIRESTORE_PEER"]

  @Test(.enabled(if: host != nil, "no peer is running"))
  func `two devices share a diary through a peer that loses answers`() async throws {
    var firestore = try FirestoreConfiguration.emulator(
      project: "walkkit", at: try #require(Self.host))
    firestore.retry.initialDelay = .milliseconds(20)
    var configuration = WalkFirestoreConfiguration(
      firestore, root: FirestorePath("runs/\(UUID().uuidString)"))
    configuration.outbox.initialDelay = .milliseconds(1)
    let lossy = FaultTransport(
      URLSessionTransport(),
      .every(3, .lostAnswer()).on("firestore.commit"), .every(5, .duplicate).on("firestore.commit"))
    let left = FirestoreWalks(configuration, storage: .inMemory, transport: lossy)
    let right = FirestoreWalks(configuration, storage: .inMemory, transport: lossy)
    try await left.backend.pets.add(Device.pet("1", "강"))
    let lease = try await left.backend.blobs.put([UInt8](0...255))
    for number in 0..<20 {
      var walk = Device.walk("w\(number)", of: ["1"], hour: Double(number))
      walk.notes = [WalkNote(.note, text: "a.b `c`", time: Device.noon)]
      walk.routeBlob = lease.id
      try await left.backend.walks.save(walk)
    }
    func settle() async throws {
      for _ in 0..<8 {
        for device in [left, right] {
          for _ in 0..<4 { try await device.send(.now) }
          try await device.refresh(.now)
        }
      }
    }
    try await settle()
    #expect(try await right.backend.walks.walks(WalkQuery(limit: 100)).walks.count == 20)
    try await left.backend.pets.update("1") { $0.weight = .kilograms(3) }
    try await right.backend.pets.update("1") { $0.name = "other" }
    try await right.backend.walks.remove("w3")
    try await left.backend.walks.update("w4") { $0.notes = [] }
    try await right.backend.walks.update("w4") { $0.weather = .clear }
    try await settle()
    let (one, other) = (try await pages(left), try await pages(right))
    #expect(one == other)
    #expect(one.count == 19)
    #expect(one.first { $0.id == "w4" }?.weather == .clear)
    #expect(one.first { $0.id == "w4" }?.notes.isEmpty == true)
    #expect(try await left.backend.pets.pets() == right.backend.pets.pets())
    #expect(try await left.backend.pets.pets()[0].name == "other")
    #expect(try await right.backend.blobs.bytes(of: lease.id) == [UInt8](0...255))
    let pending = try await left.pending().count + right.pending().count
    #expect(pending == 0)
    print(
      "peer: 20 walks on two devices, \(lossy.requestCount) requests, \(lossy.faultCount) faults")
  }

  private func pages(_ device: FirestoreWalks) async throws -> [Walk] {
    try await device.backend.walks.walks(WalkQuery(limit: 100)).walks
  }
}
