import FieldCore
import FieldFakes
import FieldURLSession
import Foundation
import TestSupport
import Testing
import WalkTestSupport

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

/// A diary on two devices against a server that isn't part of the package, which
/// `Scripts/Checks/firestore-peers.sh` starts.
@Suite(.serialized, .timeLimit(.minutes(60))) struct WalkPeerTests {
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
      .every(3, .lostResponse()).on("firestore.commit"),
      .every(5, .duplicate).on("firestore.commit"))
    let left = FirestoreWalks(configuration, storage: .inMemory, transport: lossy)
    let right = FirestoreWalks(configuration, storage: .inMemory, transport: lossy)
    try await left.stored.add(Device.pet("1", "강"))
    let lease = try await left.stored.blobs.put([UInt8](0...255))
    for number in 0..<20 {
      var walk = Device.walk("w\(number)", of: ["1"], hour: Double(number))
      walk.notes = [WalkNote(.note, text: "a.b `c`", time: Device.noon)]
      walk.routeBlob = lease.id
      try await left.stored.save(walk)
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
    #expect(try await right.stored.walks(WalkQuery(limit: 100)).walks.count == 20)
    try await left.stored.updatePet("1") { $0.weight = .kilograms(3) }
    try await right.stored.updatePet("1") { $0.name = "other" }
    try await right.stored.removeWalk("w3")
    try await left.stored.updateWalk("w4") { $0.notes = [] }
    try await right.stored.updateWalk("w4") { $0.weather = .clear }
    try await settle()
    let (one, other) = (try await pages(left), try await pages(right))
    #expect(one == other)
    #expect(one.count == 19)
    #expect(one.first { $0.id == "w4" }?.weather == .clear)
    #expect(one.first { $0.id == "w4" }?.notes.isEmpty == true)
    #expect(try await left.stored.pets() == right.stored.pets())
    #expect(try await left.stored.pets()[0].name == "other")
    #expect(try await right.stored.blobs.bytes(of: lease.id) == [UInt8](0...255))
    let pending = try await left.pending().count + right.pending().count
    #expect(pending == 0)
    print(
      "peer: 20 walks on two devices, \(lossy.requestCount) requests, \(lossy.faultCount) faults")
  }

  @Test(.enabled(if: host != nil, "no peer is running"))
  func `a diary keeps every rule while it is sent to a peer, and another device receives the same`()
    async throws
  {
    let host = try #require(Self.host)
    let transport = URLSessionTransport()
    var count = 0
    for rule in WalkRule.all {
      let configuration = WalkFirestoreConfiguration(
        try .emulator(project: "walkkit", at: host),
        root: FirestorePath("runs/\(UUID().uuidString)"))
      func device() -> FirestoreWalks {
        FirestoreWalks(configuration, storage: .inMemory, transport: transport)
      }
      if try await rule.checkExchanging(device(), with: device()) { count += 1 }
    }
    #expect(count > 20)
    print(
      "peer: all rules hold, and another device received the diaries of \(count) of them")
  }

  private static let isWrittenByOthers =
    ProcessInfo.processInfo.environment["FIELDKIT_FIRESTORE_WRITTEN"] != nil

  /// A device with the diary that Google's Python client reads and writes, too.
  private func shared() throws -> FirestoreWalks {
    let firestore = try FirestoreConfiguration.emulator(
      project: "walkkit", at: try #require(Self.host))
    return FirestoreWalks(
      WalkFirestoreConfiguration(firestore, root: "exchange/walks"), storage: .inMemory,
      transport: URLSessionTransport())
  }

  private static let route = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }

  private static let sharedWalks: [Walk] = (0..<20).map { number in
    var walk = Device.walk("강 \(number)", of: ["1"], hour: Double(number))
    walk.start += 0.000_000_3 * Double(number)
    walk.elapsed = Duration(secondsComponent: 1_800, attosecondsComponent: Int64(number))
    walk.distance = .meters((0.1 + 0.2).nextUp * Double(number))
    walk.notes = [
      WalkNote(.note, text: "a.b `c` 강", time: Device.noon + 0.1),
      WalkNote(.pee, time: Device.noon + 1e-7),
    ]
    walk.routeBlob = number == 0 ? BlobID(of: route) : nil
    return walk
  }

  @Test(.enabled(if: host != nil, "no peer is running"))
  func `walks are left for another client to read`() async throws {
    let device = try shared()
    try await device.stored.add(Device.pet("1", "강"))
    let lease = try await device.stored.blobs.put(Self.route)
    for walk in Self.sharedWalks { try await device.stored.save(walk) }
    lease.end()
    try await device.refresh(.now)
    #expect(try await device.pending().isEmpty)
  }

  @Test(.enabled(if: host != nil && isWrittenByOthers, "no other client has written"))
  func `walks that another client has written are read`() async throws {
    let device = try shared()
    let report = try await device.refresh(.now)
    #expect(report.failures.isEmpty)
    var expected = Self.sharedWalks
    expected[1].start = Device.noon
    expected[1].elapsed = .seconds(12.5)
    expected[1].weather = .clear
    expected[2].notes.append(WalkNote(.poo, text: "by Python", time: Device.noon + 2))
    var walk = Device.walk("python", of: ["2"], hour: 100)
    walk.distance = .meters(1_234)
    expected.append(walk)
    let found = try await pages(device).sorted { $0.id.rawValue < $1.id.rawValue }
    #expect(found == expected.sorted { $0.id.rawValue < $1.id.rawValue })
    #expect(try await device.stored.pets().map(\.name).sorted() == ["python", "강"])
    #expect(try await device.stored.blobs.bytes(of: BlobID(of: Self.route)) == Self.route)
    print("peer: \(found.count) walks that Swift and another client have written")
  }

  private func pages(_ device: FirestoreWalks) async throws -> [Walk] {
    try await device.stored.walks(WalkQuery(limit: 100)).walks
  }
}
