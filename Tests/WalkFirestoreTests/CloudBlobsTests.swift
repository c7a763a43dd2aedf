import FieldCore
import FieldFakes
import FirestoreFakes
import Foundation
import TestSupport
import Testing

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

@Suite(.timeLimit(.minutes(60))) struct LongRouteTests {
  let server = FakeFirestore()

  /// Encoding the real size takes seconds in a debug build.
  private static let partSize =
    Sample.isWhole
    ? WalkFirestoreConfiguration(FakeFirestore().configuration).routePartSize : 1 << 12

  /// A device whose documents have room for little of a route.
  private func device(_ seed: UInt64, over transport: (any Transport)? = nil) -> Device {
    Device(server, over: transport, seed: seed, routePartSize: Self.partSize)
  }

  private func save(_ id: String, _ route: [UInt8], on device: Device) async throws -> BlobID {
    let lease = try await device.stored.blobs.put(route)
    var walk = Device.walk(id, of: ["1"])
    walk.routeBlob = lease.id
    try await device.stored.save(walk)
    lease.end()
    return lease.id
  }

  private static func bytes(_ count: Int, _ seed: UInt64 = 1) -> [UInt8] {
    var chance = SeededGenerator(seed: seed)
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
  }

  private var routes: [String] {
    server.documents.filter { $0.path.parent == "routes" }.map(\.path.id).sorted()
  }

  /// Of 12,500 points in debug builds, whose devices have an eighth of the room in a document.
  @Test func `a route of 100,000 points is on another device`() async throws {
    let count = Sample.rounds(100_000, 100_000, inDebug: 12_500)
    let partSize =
      WalkFirestoreConfiguration(server.configuration).routePartSize / (100_000 / count)
    let (left, right) = (
      Device(server, seed: 1, routePartSize: partSize),
      Device(server, seed: 2, routePartSize: partSize)
    )
    var chance = SeededGenerator(seed: 1)
    let points = try (0..<count).map { number in
      TrackPoint(
        coordinate: try Coordinate(
          latitude: .random(in: 37...38, using: &chance),
          longitude: .random(in: 126...128, using: &chance)),
        time: Device.noon + Double(number) + .random(in: 0..<1, using: &chance))
    }
    let bytes = WalkRoute(segments: [points]).encoded()
    #expect(bytes.count > partSize)
    try await left.stored.add(Device.pet("1"))
    let id = try await save("w", bytes, on: left)
    try await left.cloud.refresh(.now)
    // All of it came with the walk, in one commit beside that of the pet.
    #expect(server.commitCount == 2)
    let report = try await right.cloud.refresh(.now)
    #expect(report.notices.isEmpty && report.failures.isEmpty)
    #expect(try await right.stored.blobs.contains(id))
    #expect(try await right.diary.route(of: "w").segments[0].count == count)
    #expect(try await right.stored.blobs.bytes(of: id) == bytes)
  }

  @Test(arguments: [
    0, 1, partSize, partSize + 1, partSize * CloudBlobs.maximumPartCount,
  ])
  func `a route has as many documents as it needs, and none when no walk has it`(
    _ count: Int
  ) async throws {
    let (left, right) = (device(1), device(2))
    let bytes = Self.bytes(count)
    try await left.stored.add(Device.pet("1"))
    let id = try await save("w", bytes, on: left)
    _ = try await save("x", bytes, on: left)
    try await Device.settle(left, right)
    #expect(try await right.stored.blobs.bytes(of: id) == bytes)
    let documents = max(1, (count + Self.partSize - 1) / Self.partSize)
    #expect(routes.count == documents && routes.allSatisfy { $0.hasPrefix("\(id)") })
    try await right.stored.removeWalk("w")
    try await Device.settle(right, left)
    // The other walk has the same route.
    #expect(routes.count == documents)
    try await left.stored.updateWalk("x") { $0.routeBlob = nil }
    try await Device.settle(left, right)
    #expect(routes.isEmpty)
    #expect(try await left.content() == right.content())
  }

  @Test func `a route is removed from a device when another one deletes its walk`() async throws {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    try await left.stored.add(Device.pet("1"))
    let id = try await save("w", [1, 2, 3], on: left)
    let kept = try await save("x", [4, 5, 6], on: left)
    try await left.stored.blobs.claim([id, kept])
    try await Device.settle(left, right)
    #expect(try await right.stored.blobs.contains(id))
    try await right.stored.removeWalk("w")
    try await Device.settle(right, left)
    #expect(try await !left.stored.blobs.contains(id))
    #expect(try await left.stored.blobs.contains(kept))
  }

  @Test func `a route stays if a device writes it while another one deletes it`() async throws {
    let left = device(1)
    try await left.stored.add(Device.pet("1"))
    let bytes = Self.bytes(Self.partSize + 1)
    let id = try await save("w", bytes, on: left)
    try await Device.settle(left)
    let right = device(2, over: BeforeCommit(server) { _ = try await left.cloud.refresh(.now) })
    try await right.cloud.refresh(.now)
    _ = try await save("x", bytes, on: left)
    try await right.stored.removeWalk("w")
    try await right.cloud.refresh(.now)
    #expect(routes.count == 2)
    let third = device(3)
    try await Device.settle(left, right, third)
    #expect(try await third.content().walks.map(\.id) == ["x"])
    #expect(try await third.stored.blobs.bytes(of: id) == bytes)
  }

  @Test func `a route without one of its documents hides neither its walk nor others`() async throws
  {
    let (left, right) = (device(1), device(2))
    let bytes = Self.bytes(Self.partSize * 2 + 1)
    try await left.stored.add(Device.pet("1"))
    let id = try await save("w", bytes, on: left)
    let other = try await save("x", [1, 2, 3], on: left)
    try await left.cloud.refresh(.now)
    let path = FirestorePath("routes/\(id)-2")
    let part = try #require(server[path])
    server[path] = nil
    let report = try await right.cloud.refresh(.now)
    #expect(report.notices.map(\.code) == [.routesLater])
    #expect(try await right.content().walks.count == 2)
    #expect(try await right.stored.blobs.contains(other))
    let missing = await failure { _ = try await right.stored.blobs.bytes(of: id) }
    #expect(missing?.code == .firestoreNotFound)
    // Parts of another route aren't parts of this one.
    server[path] = ["bytes": .bytes([1])]
    let wrong = await failure { _ = try await right.stored.blobs.bytes(of: id) }
    #expect(wrong?.code == .storageChecksum)
    for count: FirestoreValue in [0, -1, 1e300, .double(.nan), 1_000_000_000, 2.5] {
      server[FirestorePath("routes/\(id)")]?["parts"] = count
      let lying = await failure { _ = try await right.stored.blobs.bytes(of: id) }
      #expect(lying?.code == .schema)
    }
    server[FirestorePath("routes/\(id)")]?["parts"] = 3
    server[path] = part
    #expect(try await right.stored.blobs.bytes(of: id) == bytes)
    // Nor does a lie keep the walk.
    server[FirestorePath("routes/\(id)")]?["parts"] = -1
    try await right.stored.removeWalk("w")
    try await Device.settle(right, left)
    #expect(routes == ["\(other)"])
  }

  @Test func `a route that no commit has room for is refused with its walk, and can be replaced`()
    async throws
  {
    let left = device(1)
    try await left.stored.add(Device.pet("1"))
    _ = try await save(
      "w", Self.bytes(Self.partSize * CloudBlobs.maximumPartCount + 1), on: left)
    try await left.cloud.refresh(.now)
    #expect(try await left.cloud.pending().rejected.map(\.lastError?.code) == [.invalidInput])
    let id = try await left.stored.blobs.put([1]).id
    try await left.stored.updateWalk("w") { $0.routeBlob = id }
    try await Device.settle(left)
    #expect(routes == ["\(id)"])
  }
}

/// A transport that does something once, before the next commit that deletes a document.
private final class BeforeCommit: Transport {
  private let base: any Transport
  private let body: Lock<(@Sendable () async throws -> Void)?>

  init(_ base: any Transport, _ body: @escaping @Sendable () async throws -> Void) {
    (self.base, self.body) = (base, Lock(body))
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    if request.operation == "firestore.commit",
      String(decoding: try request.body?.bytes() ?? [], as: UTF8.self).contains("\"delete\"")
    {
      let body = body.withLock { body in
        defer { body = nil }
        return body
      }
      try await body?()
    }
    return try await base.send(request)
  }
}

@Suite(.timeLimit(.minutes(60))) struct LargePhotoTests {
  private static let jpeg = Data([0xFF, 0xD8] + (0..<4_500).map { UInt8(truncatingIfNeeded: $0) })

  /// The app ends at the request with a number; what it sends afterwards goes nowhere.
  @Test(arguments: Sample.of(0..<9, inDebug: 5), [false, true])
  func `a photo goes on where the app ended, without a part twice`(
    _ last: Int, _ isLost: Bool
  ) async throws {
    let (server, bucket, folder) = (FakeFirestore(), FakeStorage(), try TemporaryFolder())
    let storage = Storage.directory(folder.url)
    let count = Lock(0)
    let dying = FaultTransport(
      bucket,
      .always(isLost ? .lostResponse() : .drop()).when { _ in
        count.withLock {
          $0 += 1; return $0 == last + 1
        }
      },
      .always(.drop()).when { _ in count.withLock { $0 > last + 1 } })
    let first = Device(server, storage: storage, photos: bucket, uploads: dying)
    let pet = try await first.diary.register(PetRegistration(name: "mesh", photo: Self.jpeg))
    _ = await failure { try await first.cloud.refresh(.now) }
    try await first.stored.store.close()

    let second = Device(server, storage: storage, photos: bucket, seed: 2)
    try await Device.settle(second)
    let hash = BlobID(of: [UInt8](Self.jpeg)).hexadecimal
    #expect(bucket["photos/\(hash)"] == [UInt8](Self.jpeg))
    #expect(server.commitCount == 1)
    let commands = bucket.requests.compactMap { $0.fields["X-Goog-Upload-Command"] }
    // A session is begun again only if its address was lost.
    #expect(commands.count { $0 == "start" } == (last == 1 && isLost ? 2 : 1))
    #expect(commands.count { $0.hasPrefix("upload") } == 5, "\(commands)")
    #expect(commands.contains("query"))
    let third = Device(server, photos: bucket, seed: 3)
    try await third.diary.refresh(.now)
    #expect(try await third.diary.portrait(of: pet.id) == Self.jpeg)
    // The address of the session is a secret, and isn't kept longer than necessary.
    let records = storage.store(StoredWalks.storeName, of: WalkRecord.self)
    #expect(try await records.snapshot().allSatisfy { !$0.id.hasPrefix("xupload/") })
  }

  @Test func `a photo whose session has ended begins another one`() async throws {
    let (server, bucket) = (FakeFirestore(), FakeStorage())
    let transport = FaultTransport(
      bucket, .always(.drop()).when { $0.fields["X-Goog-Upload-Offset"] == "2048" })
    let storage = Storage.inMemory
    let device = Device(server, storage: storage, photos: bucket, uploads: transport)
    _ = try await device.diary.register(PetRegistration(name: "mesh", photo: Self.jpeg))
    _ = await failure { try await device.cloud.refresh(.now) }
    bucket.endSessions()
    let second = Device(server, storage: storage, photos: bucket, seed: 2)
    try await Device.settle(second)
    #expect(bucket["photos/\(BlobID(of: [UInt8](Self.jpeg)))"] == [UInt8](Self.jpeg))
    #expect(bucket.requests.count { $0.fields["X-Goog-Upload-Command"] == "start" } == 2)
  }

  /// The sessions that a device keeps.
  private func sessions(_ storage: Storage) async throws -> [String] {
    try await storage.store(StoredWalks.storeName, of: WalkRecord.self).snapshot()
      .map(\.id).filter { $0.hasPrefix("xupload/") }
  }

  /// A device whose upload of a photo fails after two parts, with pets that have the photo.
  private func interrupted(
    _ fault: Fault, pets: [String], _ server: FakeFirestore, _ bucket: FakeStorage,
    _ storage: Storage
  ) async throws -> Device {
    let transport = FaultTransport(
      bucket, .always(fault).when { $0.fields["X-Goog-Upload-Offset"] == "2048" })
    let device = Device(server, storage: storage, photos: bucket, uploads: transport)
    let lease = try await device.stored.blobs.put([UInt8](Self.jpeg))
    for id in pets {
      var pet = Device.pet(id)
      pet.photo = WalkPhoto(id: "photo", blob: lease.id)
      try await device.stored.add(pet)
    }
    lease.end()
    _ = await failure { try await device.cloud.refresh(.now) }
    return device
  }

  @Test
  func `an edit whose photo has vanished is sent with a notice, and the photo when it is back`()
    async throws
  {
    let (server, bucket) = (FakeFirestore(), FakeStorage())
    let device = Device(server, photos: bucket)
    let photo = BlobID(of: [UInt8](Self.jpeg))
    for id in ["1", "2"] {
      var pet = Device.pet(id)
      pet.photo = WalkPhoto(id: "photo", blob: photo)
      try await device.stored.add(pet)
    }
    for _ in 0..<2 {
      device.clock.advance(by: .seconds(4_000))
      let report = try await device.cloud.refresh(.now)
      #expect(report.notices.map(\.code).contains(.photosMissing))
      #expect(try await device.cloud.pending().isEmpty)
      #expect(server["diary/p1"] != nil && bucket["photos/\(photo)"] == nil)
    }
    let lease = try await device.stored.blobs.put([UInt8](Self.jpeg))
    try await device.stored.blobs.claim([photo])
    lease.end()
    let report = try await device.cloud.refresh(.now)
    #expect(!report.notices.map(\.code).contains(.photosMissing))
    #expect(bucket["photos/\(photo)"] == [UInt8](Self.jpeg))
    let count = bucket.requests.count
    try await device.cloud.refresh(.now)
    #expect(bucket.requests.count == count)
  }

  @Test func `a photo that no record has any more doesn't go on waiting`() async throws {
    let (server, bucket) = (FakeFirestore(), FakeStorage())
    let device = Device(server, photos: bucket)
    var pet = Device.pet("1")
    pet.photo = WalkPhoto(id: "photo", blob: BlobID(of: [UInt8](Self.jpeg)))
    try await device.stored.add(pet)
    #expect(try await device.cloud.refresh(.now).notices.map(\.code).contains(.photosMissing))
    try await device.stored.updatePet("1") { $0.photo = nil }
    let report = try await device.cloud.refresh(.now)
    #expect(!report.notices.map(\.code).contains(.photosMissing))
  }

  @Test func `a photo that is too large is not received`() async throws {
    let (server, bucket) = (FakeFirestore(), FakeStorage())
    let first = Device(server, photos: bucket, seed: 1)
    let pet = try await first.diary.register(PetRegistration(name: "mesh", photo: Self.jpeg))
    try await first.cloud.refresh(.now)
    let second = Device(server, photos: bucket, seed: 2, largestPhoto: 4_000)
    try await second.diary.refresh(.now)
    let error = await failure { _ = try await second.diary.portrait(of: pet.id) }
    #expect(error?.code == .responseTooLarge)
    #expect(!bucket.requests.contains { $0.fields["Range"] != nil })
  }

  @Test func `the session and the bytes of a photo end with the last edit that has it`()
    async throws
  {
    let (server, bucket, storage) = (FakeFirestore(), FakeStorage(), Storage.inMemory)
    let device = try await interrupted(.drop(), pets: ["1", "2"], server, bucket, storage)
    let edits = try await device.cloud.pending().operations
    #expect(edits.count == 2)
    let photo = BlobID(of: [UInt8](Self.jpeg))
    try await device.stored.blobs.claim([photo])
    #expect(try await sessions(storage).count == 1)
    try await device.cloud.discard(edits[0].id)
    #expect(try await sessions(storage).count == 1)
    #expect(try await device.stored.blobs.contains(photo))
    try await device.cloud.discard(edits[1].id)
    #expect(try await sessions(storage) == [])
    #expect(try await !device.stored.blobs.contains(photo))
  }

  @Test func `the session of a photo ends if the rejected edit is corrected or discarded`()
    async throws
  {
    for isCorrected in [true, false] {
      let (server, bucket, storage) = (FakeFirestore(), FakeStorage(), Storage.inMemory)
      let device = try await interrupted(
        .status(403, body: .text(#"{"error":{"code":403}}"#)), pets: ["1"], server, bucket, storage)
      let edits = try await device.cloud.pending().rejected
      #expect(try await sessions(storage).count == 1)
      if isCorrected {
        try await device.stored.updatePet("1") { $0.photo = nil }
        try await device.cloud.refresh(.now)
        #expect(try await device.cloud.pending().isEmpty)
        #expect(server["diary/p1"] != nil)
      } else {
        try await device.cloud.discard(try #require(edits.first).id)
      }
      #expect(try await sessions(storage) == [])
    }
  }
}
