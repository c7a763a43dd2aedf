import FieldCore
import FieldFakes
import FieldTesting
import FirestoreFakes
import Foundation
import TestSupport
import Testing
import WalkTestSupport

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

@Suite("A diary in Firestore", .timeLimit(.minutes(60)))
struct FirestoreWalksTests {
  let server = FakeFirestore()

  @Test(
    "A diary keeps every rule while it is sent, and another device receives the same",
    arguments: Sample.of(WalkRule.all, inDebug: 15))
  func rules(rule: WalkRule) async throws {
    let (device, other) = (Device(server, seed: 1).cloud, Device(server, seed: 2).cloud)
    _ = try await rule.checkExchanging(device, with: other)
  }

  @Test(
    "A diary in files keeps every rule while it is sent, also after it is opened again",
    arguments: Sample.of(WalkRule.ofFiles, inDebug: 7))
  func rulesInFiles(rule: WalkRule) async throws {
    let folder = try TemporaryFolder()
    let open = { @Sendable [server] in
      Device(server, storage: .directory(folder.url)).cloud.stored
    }
    let device = Device(server, storage: .directory(folder.url)).cloud
    try await rule.check(WalkProbe(device, reopen: open))
  }

  // W10 of Docs/old-apps.md
  @Test("A history is requested from the server once, however often it is shown")
  func readsOnce() async throws {
    let writer = Device(server, seed: 1)
    for id in ["1", "2"] { try await writer.stored.add(Device.pet(id)) }
    try await writer.stored.save(Device.walk("a", of: ["1"]))
    try await Device.settle(writer)
    let device = Device(server, seed: 2)
    try await device.diary.refresh(.now)
    let requests = server.requests.count
    for _ in 0..<5 {
      #expect(try await device.diary.walks(of: "1").map(\.id.rawValue) == ["a"])
      #expect(try await device.diary.walks(of: "2").isEmpty)
      #expect(try await device.diary.pets().count == 2)
    }
    #expect(server.requests.count == requests)
    // Another walk of that pet is in the history at once, and is only sent.
    try await device.stored.save(Device.walk("b", of: ["1"], hour: 1))
    #expect(try await device.diary.walks(of: "1").map(\.id.rawValue) == ["b", "a"])
    #expect(server.requests.count == requests)
  }

  @Test("a diary in Firestore is created with one line, and is used like any other")
  func frontDoor() async throws {
    let (storage, clock) = (Storage.inMemory, ManualClock(now: Device.noon))
    let diary = WalkDiary(
      storage: storage, transport: server, backend: .firestore(server.configuration), clock: clock)
    let mesh = try await diary.register(
      PetRegistration(
        name: "mesh", breed: .welshCorgi, gender: .male, birth: try CalendarDay("2020-01-01"),
        weight: .kilograms(10), photo: Data([0xFF, 0xD8, 1])))
    #expect(server.requests.isEmpty)
    #expect(try await diary.refresh(.now).outcome == .updated)
    #expect(server[FirestorePath("diary/p\(mesh.id)")]?["name"] == "mesh")
    #expect(server[FirestorePath("diary/p\(mesh.id)")]?["weight"] == 10.0)
    #expect(server.receiptCount == 1)
    #expect(try await diary.refresh(.ifDue).outcome == .notDue)
    clock.advance(by: .seconds(31))
    #expect(try await diary.refresh().outcome == .unchanged)
  }

  @Test("a diary in Firestore reaches another device in full, and later only what changed")
  func twoDevices() async throws {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    var pet = Device.pet("a/b .c", "강 \"q\"")
    pet.gender = .female
    pet.birth = try CalendarDay("2020-02-29")
    pet.weight = .kilograms(7.25)
    try await left.stored.add(pet)
    try await left.stored.add(Device.pet("2", day: 1))
    var walk = Device.walk("w%/1", of: ["a/b .c", "2"])
    let route = [UInt8](0...255)
    let lease = try await left.stored.blobs.put(route)
    walk.routeBlob = lease.id
    walk.movingTime = .milliseconds(1_234_567)
    walk.climb = .meters(12)
    walk.weather = .clear
    walk.dust = .good
    walk.air = AirQuality(pm10: 20, pm25: 9.5, measuredAt: Device.noon, station: "종로구")
    let there = try Coordinate(latitude: 37.5, longitude: 200)
    walk.notes = [
      WalkNote(.pee, text: "", time: Device.noon + 1, coordinate: there, pet: "2"),
      WalkNote(.note, text: "b", time: Device.noon), WalkNote(.note, text: "b", time: Device.noon),
    ]
    walk.photos = [
      WalkPhoto(id: "2", takenAt: Device.noon, coordinate: there),
      WalkPhoto(id: "1", url: URL(string: "https://example.com/a?b=c")),
    ]
    walk.goal = Place(id: "g", name: "강", coordinate: there)
    walk.reward = WalkReward(of: walk.id, earned: Device.noon, claimed: Device.noon + 9)
    try await left.stored.save(walk)
    lease.end()
    try await left.stored.save(
      Place(id: "home", name: "집", kind: .home, coordinate: there))
    try await left.cloud.refresh(.now)
    let report = try await right.cloud.refresh(.now)
    #expect(report.failures.isEmpty)
    #expect(report.added == 4)
    let (one, other) = (try await left.content(), try await right.content())
    #expect(other == one)
    #expect(other.walks == [walk])
    #expect(try await right.stored.blobs.bytes(of: lease.id) == route)
    #expect(server[FirestorePath("routes/\(lease.id)")]?["bytes"] == .bytes(route))

    var changes = right.stored.updates().makeAsyncIterator()
    _ = try await changes.next()
    try await left.stored.updateWalk(walk.id) { $0.notes.removeFirst() }
    try await left.cloud.refresh(.now)
    let second = try await right.cloud.refresh(.now)
    #expect(second.updated == 1 && second.added == 0)
    #expect(try await changes.next()?.walks == [walk.id])
    #expect(try await right.content() == left.content())
    try await right.stored.removePet("2")
    try await Device.settle(right, left)
    #expect(try await right.content() == left.content())
    #expect(try await left.content().pets.map(\.id) == ["a/b .c"])
    #expect(try await left.content().walks[0].pets.map(\.pet) == ["a/b .c"])
  }

  @Test(
    "a diary keeps the later edit of each field on both devices, in whatever order they reconnect")
  func conflict() async throws {
    for isReversed in [false, true] {
      let server = FakeFirestore()
      let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
      try await left.stored.add(Device.pet("1"))
      try await Device.settle(left, right)
      let old = left.clock.now
      left.clock.set(now: old + 10)
      right.clock.set(now: old + 20)
      try await left.stored.updatePet("1") {
        $0.name = "left"
        $0.weight = .kilograms(1)
      }
      try await right.stored.updatePet("1") { $0.name = "right" }
      for device in isReversed ? [right, left, right] : [left, right, left] {
        try await device.cloud.refresh(.now)
      }
      for device in [left, right] {
        let pet = try #require(try await device.content().pets.first)
        #expect(pet.name == "right" && pet.weight == .kilograms(1))
      }
      #expect(server["diary/p1"]?["name"] == "right")
      // The device whose edit is lost lists that, whether it was sent first or last.
      let conflicts = try await left.cloud.conflicts()
      #expect(conflicts.map(\.fields) == [["name"]])
      #expect(try await right.cloud.conflicts().isEmpty)
      let conflict = try #require(conflicts.first)
      #expect(conflict.subject == .pet("1"))
      let report = try await left.cloud.refresh(.now)
      #expect(report.notices.contains { $0.code == .editsOverruled })
      try await left.cloud.dismiss(conflict)
      #expect(try await left.cloud.conflicts().isEmpty)
    }
  }

  @Test("a diary keeps the later edit if another device writes between reading and writing")
  func race() async throws {
    let transport = InterruptedTransport(server)
    let (left, right) = (Device(server, seed: 1), Device(server, over: transport, seed: 2))
    try await left.stored.add(Device.pet("1"))
    try await Device.settle(left, right)
    let old = left.clock.now
    left.clock.set(now: old + 20)
    right.clock.set(now: old + 10)
    try await left.stored.updatePet("1") { $0.name = "left" }
    try await right.stored.updatePet("1") { $0.name = "right" }
    transport.beforeCommit.withLock { $0 = { _ = try await left.cloud.refresh(.now) } }
    try await right.cloud.refresh(.now)
    #expect(transport.beforeCommit.withLock { $0 == nil })
    #expect(server["diary/p1"]?["name"] == "left")
    #expect(try await right.cloud.conflicts().map(\.fields) == [["name"]])
    try await Device.settle(left, right)
    #expect(try await right.content() == left.content())
  }

  @Test("a diary in Firestore gives two pets of one name two names, and two homes one, everywhere")
  func sameName() async throws {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    let there = try Coordinate(latitude: 1, longitude: 2)
    try await left.stored.add(Device.pet("1", "mesh", day: 1))
    try await right.stored.add(Device.pet("2", "MESH"))
    try await left.stored.save(Place(id: "l", name: "l", kind: .home, coordinate: there))
    try await right.stored.save(Place(id: "r", name: "r", kind: .home, coordinate: there))
    try await Device.settle(left, right)
    #expect(try await left.content() == right.content())
    #expect(try await left.content().pets.map(\.name) == ["MESH", "mesh (2)"])
    #expect(try await right.content().places.map(\.kind) == [.home, .goal])
    let third = Device(server, seed: 3)
    try await third.cloud.refresh(.now)
    #expect(try await third.content() == left.content())
  }

  @Test("a removal wins over edits, and a walk of a removed pet stays on the server")
  func removal() async throws {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    try await left.stored.add(Device.pet("1"))
    try await left.stored.save(Device.walk("w", of: ["1"]))
    try await Device.settle(left, right)
    try await left.stored.removePet("1")
    try await right.stored.save(Device.walk("x", of: ["1"]))
    try await right.stored.updatePet("1") { $0.name = "edited" }
    try await left.cloud.refresh(.now)
    try await Device.settle(right, left)
    #expect(try await left.content() == right.content())
    #expect(try await left.content().pets.isEmpty)
    #expect(try await left.content().walks.isEmpty)
    #expect(try await right.cloud.conflicts().map(\.subject) == [.pet("1")])
    #expect(server["diary/wx"]?["start"] != nil)
    #expect(server["diary/p1"]?["breed"] == nil)
  }

  @Test("what was on the device before is sent, once")
  func adopting() async throws {
    let storage = Storage.inMemory
    let before = StoredWalks(storage: storage)
    try await before.add(Device.pet("1"))
    try await before.save(Device.walk("w", of: ["1"]))
    let device = Device(server, storage: storage)
    try await device.cloud.refresh(.now)
    #expect(server.diary.keys.sorted() == ["p1", "ww"])
    let commits = server.commitCount
    try await device.cloud.refresh(.now)
    #expect(server.commitCount == commits)
  }

  @Test("ten edits of one field are sent as one")
  func coalescing() async throws {
    let device = Device(server)
    try await device.stored.add(Device.pet("1"))
    try await device.cloud.refresh(.now)
    let commits = server.commitCount
    for number in 1...10 { try await device.stored.updatePet("1") { $0.name = "\(number)" } }
    let pending = try await device.cloud.pending()
    #expect(pending.count == 1)
    #expect(pending.operations[0].payload.fields == ["name"])
    #expect(pending.operations[0].payload.subject == .pet("1"))
    try await device.cloud.refresh(.now)
    #expect(server.commitCount == commits + 1)
    #expect(server["diary/p1"]?["name"] == "10")
  }

  @Test("a refused edit is kept, and corrected, resent, or discarded")
  func rejected() async throws {
    let device = Device(server)
    try await device.stored.add(Device.pet("1"))
    try await device.cloud.refresh(.now)
    server.options.isAllowed = { $0.fields?["name"] != "bad" }
    try await device.stored.updatePet("1") { $0.name = "bad" }
    let report = try await device.cloud.refresh(.now)
    #expect(report.notices.contains { $0.code == .editsRejected })
    var rejected = try await device.cloud.pending().rejected
    #expect(rejected.map(\.lastError?.code) == [.firestorePermissionDenied])
    #expect(try await device.content().pets[0].name == "bad")
    try await device.stored.updatePet("1") { $0.name = "good" }
    try await device.cloud.refresh(.now)
    #expect(try await device.cloud.pending().isEmpty)
    #expect(server["diary/p1"]?["name"] == "good")

    try await device.stored.updatePet("1") { $0.name = "bad" }
    try await device.cloud.refresh(.now)
    rejected = try await device.cloud.pending().rejected
    try await device.cloud.discard(try #require(rejected.first).id)
    #expect(try await device.content().pets[0].name == "good")

    try await device.stored.updatePet("1") { $0.name = "bad" }
    try await device.cloud.refresh(.now)
    server.options.isAllowed = { _ in true }
    rejected = try await device.cloud.pending().rejected
    try await device.cloud.resend(try #require(rejected.first).id)
    try await device.cloud.refresh(.now)
    #expect(server["diary/p1"]?["name"] == "bad")
  }

  @Test("a note that arrives while another device's form is open stays")
  func form() async throws {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    try await left.stored.add(Device.pet("1"))
    var walk = Device.walk("w", of: ["1"])
    walk.notes = ["a", "b"].map { WalkNote(text: $0, time: Device.noon) }
    try await left.stored.save(walk)
    try await Device.settle(left, right)
    let (seen, arriving) = (walk.notes, WalkNote(text: "c", time: Device.noon))
    try await right.stored.updateWalk("w") { $0.notes.append(arriving) }
    try await Device.settle(right, left)
    try await left.diary.update(
      "w", WalkChanges(notes: Array(seen.dropFirst()), editedFrom: seen))
    try await Device.settle(left, right)
    for device in [left, right] {
      #expect(try await device.content().walks[0].notes.map(\.text) == ["b", "c"])
    }
  }

  @Test("a count finds that a document was deleted without a trace")
  func swept() async throws {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    for number in 1...3 { try await left.stored.add(Device.pet("\(number)")) }
    try await Device.settle(left, right)
    server["diary/p2"] = nil
    #expect(try await right.cloud.refresh(.now).removed == 1)
    #expect(try await right.content().pets.map(\.id) == ["1", "3"])
  }

  @Test("erasing forgets the device's copy, and the server's arrives again")
  func erasing() async throws {
    let device = Device(server)
    try await device.stored.add(Device.pet("1"))
    try await device.cloud.refresh(.now)
    try await device.diary.eraseAll()
    #expect(try await device.content().pets.isEmpty)
    #expect(server["diary/p1"] != nil)
    try await device.cloud.refresh(.now)
    #expect(try await device.content().pets.map(\.id) == ["1"])
  }

  @Test("documents of the original app are read, and sent in the new layout once")
  func original() async throws {
    server["Pets/one"] = [
      "name": "mesh", "breed": "웰시코기", "weight": "10.5", "birth": "2020-01-01", "gender": "남아",
    ]
    server["Pets/one/Walks/first"] = [
      "date": "2020-10-05 10:20:30", "duration": 1_800, "weather": "맑음", "dust": "좋음",
      "images": ["https://example.com/1.jpg"],
    ]
    server["Pets/one/Walks/second"] = ["date": [1], "duration": "600"]
    server["Pets/two"] = ["name": "tofu", "weight": 4, "walks": "none"]
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    let found = try await left.cloud.originalDiary()
    #expect(found.pets.map(\.name) == ["mesh", "tofu"])
    #expect(found.pets.map(\.weight) == [.kilograms(10.5), .kilograms(4)])
    #expect(found.walks.map(\.id.rawValue).sorted() == ["first", "second"])
    #expect(found.walks.map(\.duration).contains(.seconds(1_800)))
    #expect(found.problems.map(\.path).contains { $0.contains("date") })
    try await left.diary.add(found)
    try await right.diary.add(try await right.cloud.originalDiary())
    try await Device.settle(left, right)
    #expect(try await left.content() == right.content())
    #expect(server.diary.keys.sorted() == ["pone", "ptwo", "wfirst", "wsecond"])
  }

  @Test("photos go through the bucket, and their bytes arrive when they are read")
  func photos() async throws {
    let bucket = FakeStorage()
    let (left, right) = (
      Device(server, photos: bucket, seed: 1), Device(server, photos: bucket, seed: 2)
    )
    let jpeg = Data([0xFF, 0xD8, 1, 2, 3])
    let pet = try await left.diary.register(PetRegistration(name: "mesh", photo: jpeg))
    try await left.diary.refresh(.now)
    try await right.diary.refresh(.now)
    let hash = BlobID(of: [UInt8](jpeg)).hexadecimal
    #expect(bucket["photos/\(hash)"] == [UInt8](jpeg))
    #expect(try await right.diary.portrait(of: pet.id) == jpeg)
    let requests = bucket.requests.count
    #expect(try await right.diary.portrait(of: pet.id) == jpeg)
    #expect(bucket.requests.count == requests)
    // What was fetched is claimed, so that it stays even if its record is lost.
    try await right.stored.blobs.sweepUnclaimed(releasing: []) { [] }
    #expect(try await right.stored.blobs.contains(BlobID(of: [UInt8](jpeg))))
    // Different bytes with its name aren't the photo.
    let third = Device(server, photos: bucket, seed: 3)
    try await third.diary.refresh(.now)
    bucket["photos/\(hash)"] = [0xFF, 0xD8, 1, 2, 4]
    await #expect(throws: FieldError.self) { try await third.diary.portrait(of: pet.id) }
    // A photo without which the document can't be sent is sent before it.
    #expect(bucket.requests.first?.method == .get)
  }
}

/// A transport that does something before the next commit.
private final class InterruptedTransport: Transport {
  let beforeCommit = Lock<(@Sendable () async throws -> Void)?>(nil)
  private let base: any Transport

  init(_ base: any Transport) { self.base = base }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    if request.operation == "firestore.commit" {
      let body = beforeCommit.withLock { body in
        defer { body = nil }
        return body
      }
      try await body?()
    }
    return try await base.send(request)
  }
}

@Suite("A diary whose server misbehaves", .timeLimit(.minutes(60)))
struct FirestoreWalksErrorTests {
  let server = FakeFirestore()

  @Test("each error of a misbehaving server is typed, nothing is lost, and all is well afterwards")
  func errors() async throws {
    let page = "<!DOCTYPE html><html><body>Sign in</body></html>"
    let faults: [(Fault, FieldError.Code)] = [
      (.firestoreExpiredToken, .firestoreUnauthenticated),
      (.firestoreDenied, .firestorePermissionDenied),
      (.firestoreQuota, .firestoreResourceExhausted), (.drop(.offline), .offline),
      (.status(200, fields: ["Content-Type": "text/html"], body: .text(page)), .notData),
      (.status(404, body: .text("Not Found")), .notFound),
    ]
    for (fault, code) in faults {
      let server = FakeFirestore()
      let faulty = Lock(true)
      let transport = FaultTransport(
        server, FaultPlan.always(fault).when { _ in faulty.withLock(\.self) })
      let device = Device(server, over: transport)
      try await device.stored.add(Device.pet("1"))
      let error = await failure { try await device.cloud.refresh(.now) }
      #expect(error?.code == code, "\(String(describing: error))")
      let pending = try await device.cloud.pending()
      #expect(pending.count == 1)
      #expect(pending.lastError?.code == code)
      if code == .firestoreUnauthenticated { #expect(pending.rejected.isEmpty) }
      faulty.withLock { $0 = false }
      for edit in pending.rejected { try await device.cloud.resend(edit.id) }
      try await Device.settle(device)
      #expect(server.diary.keys.sorted() == ["p1"])
      #expect(server.commitCount == 1)
    }
  }

  @Test("a bad document hides no other, and a bad field no other field")
  func badDocuments() async throws {
    let (left, right) = (Device(server, seed: 1), Device(server, seed: 2))
    for number in 1...3 { try await left.stored.add(Device.pet("\(number)")) }
    try await left.cloud.refresh(.now)
    let time = FirestoreValue.date(Device.noon)
    server["diary/junk"] = ["changedAt": time, "x": [1, ["y": "z"]]]
    server["diary/pbad"] = ["changedAt": time, "type": "pet", "id": "bad", "name": [1]]
    server["diary/late"] = ["changedAt": "yesterday"]
    server["diary/wlost"] = [
      "changedAt": time, "type": "walk", "id": "lost", "start": time, "end": time,
      "pets": ["nobody": ["joined": time]],
    ]
    server["diary/phand"] = [
      "changedAt": time, "type": "pet", "id": "hand", "name": 7, "registered": time,
      "weight": "9.5", "birth": 3,
    ]
    let report = try await right.cloud.refresh(.now)
    #expect(try await right.content().pets.map(\.id).sorted() == ["1", "2", "3", "hand"])
    let hand = try #require(try await right.content().pets.first { $0.id == "hand" })
    #expect(hand.name == "7" && hand.weight == .kilograms(9.5) && hand.birth == nil)
    #expect(report.failureCount == 4, "\(report.failures)")
    #expect(report.notices.contains { $0.code == .documentsLeftOut })
    // The hand-written one can be edited like any other, and the pet that was missing may come.
    try await right.stored.updatePet("hand") { $0.name = "better" }
    try await left.stored.add(Device.pet("nobody"))
    try await Device.settle(left, right)
    #expect(server["diary/phand"]?["name"] == "better")
    #expect(try await right.content().walks.map(\.id) == ["lost"])
  }

  @Test("the server is asked about an edit if a proxy gives up on it", arguments: [520, 524, 599])
  func proxy(_ status: Int) async throws {
    let commit = "firestore.commit"
    let transport = FaultTransport(
      server, FaultPlan.first(1, .duplicate).on(commit),
      FaultPlan.first(1, .status(status, body: .text("error code: \(status)"))).on(commit))
    let device = Device(server, over: transport)
    try await device.stored.add(Device.pet("1"))
    try await device.cloud.refresh(.now)
    #expect(try await device.cloud.pending().count == 1)
    try await Device.settle(device)
    #expect(server.commitCount == 1 && server.receiptCount == 1)
    #expect(transport.requests.contains { $0.url.path().contains("/receipts/") })
  }

  @Test(
    "a diary is sent and received once, wherever a response is cut off", arguments: Cut.allCases)
  private func truncated(_ cut: Cut) async throws {
    let length = try #require(try await exchange(cut, nil))
    #expect(length > 20)
    for count in Sample.of(Array(0...length), 40, inDebug: 2) {
      #expect(try await exchange(cut, count) != nil, "cut after \(count) of \(length)")
    }
  }

  /// Sends a diary from one device to another one, and returns the length of the response that is cut.
  private func exchange(_ cut: Cut, _ count: Int?) async throws -> Int? {
    let server = FakeFirestore()
    let transport = CuttingTransport(server, cut, after: count)
    let (left, right) = (
      Device(server, over: transport, seed: 1), Device(server, over: transport, seed: 2)
    )
    try await left.stored.add(Device.pet("1"))
    var walk = Device.walk("w", of: ["1"])
    let lease = try await left.stored.blobs.put([1, 2, 3])
    walk.routeBlob = lease.id
    try await left.stored.save(walk)
    lease.end()
    for device in [left, right] {
      // The cut response may end a refresh; what holds is seen afterward.
      _ = await failure { try await device.cloud.refresh(.now) }
    }
    try await Device.settle(left, right)
    let comment = Comment("\(cut), cut after \(count.map { "\($0)" } ?? "nothing")")
    #expect(server.commitCount == 2 && server.receiptCount == 2, comment)
    #expect(try await left.content().walks == [walk], comment)
    #expect(try await right.content() == left.content(), comment)
    #expect(try await right.stored.blobs.bytes(of: lease.id) == [1, 2, 3], comment)
    return transport.length
  }
}

/// A kind of request whose first response is cut off.
private enum Cut: String, CaseIterable {
  case get, commit, receipt, runQuery, runAggregationQuery, batchGet

  func concerns(_ request: TransportRequest) -> Bool {
    let isReceipt = request.url.path().contains("/receipts/")
    return switch self {
    case .receipt: isReceipt
    case .get: request.operation == "firestore.get" && !isReceipt
    default: request.operation == "firestore.\(rawValue)"
    }
  }
}

/// A transport that cuts one response off, and measures it.
///
/// To have a receipt read, it loses the response to the first commit.
private final class CuttingTransport: Transport {
  private struct State {
    var length: Int?
    var isCommitLost: Bool
  }

  private let base: any Transport
  private let cut: Cut
  private let count: Int?
  private let state: Lock<State>

  init(_ base: any Transport, _ cut: Cut, after count: Int?) {
    (self.base, self.cut, self.count) = (base, cut, count)
    state = Lock(State(isCommitLost: cut != .receipt))
  }

  /// The length of the whole response; `nil` if there was none.
  var length: Int? { state.withLock(\.length) }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var response = try await base.send(request)
    let bytes = try response.body.bytes()
    let (isLost, isCut) = state.withLock { state in
      let isLost = !state.isCommitLost && request.operation == "firestore.commit"
      if isLost { state.isCommitLost = true }
      let isCut = state.length == nil && cut.concerns(request)
      if isCut { state.length = bytes.count }
      return (isLost, isCut)
    }
    if isLost { throw FieldError(.connectionLost, "The response was lost on purpose.") }
    if isCut, let count { response.body = .bytes(Array(bytes.prefix(count))) }
    return response
  }
}
