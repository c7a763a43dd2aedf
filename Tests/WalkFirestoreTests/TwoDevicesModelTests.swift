import FieldCore
import FieldFakes
import FirestoreFakes
import Foundation
import TestSupport
import Testing

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

/// Two devices that write offline, a server whose requests and answers are lost, doubled, late, or cut, rules that
/// refuse edits, kills, power cuts, full disks, and clocks that jump: the server must end as after an undisturbed run.
@Suite("A diary on two devices, at random", .heavy, .timeLimit(.minutes(60)))
struct TwoDevicesModelTests {
  @Test("a diary on two devices ends as an undisturbed run does, with each edit applied once")
  func random() async throws {
    let rounds = Sample.rounds(1_000, 50, inDebug: 7)
    let start = Sample.isWhole ? 0 : Sample.seed() % 950
    var (edits, faults) = (0, 0)
    for round in 1...UInt64(rounds) {
      var model = TwoDevices(seed: start + round)
      for _ in 0..<24 { try await model.step() }
      try await model.finish()
      edits += model.edits.count
      faults += model.faultCount
    }
    print(
      "two devices: \(rounds) seeds from \(start + 1), \(edits) edits, \(faults) failed requests")
  }
}

private struct TwoDevices {
  let seed: UInt64
  private let server = FakeFirestore(clock: ManualClock(now: Device.noon))
  private let bucket = FakeStorage()
  private let transport: FaultTransport
  private let uploads: FaultTransport
  private let isHonest = Lock(false)
  private var chance: SeededGenerator
  private var fileSystems = [MemoryFileSystem(), MemoryFileSystem()]
  private let blobs = [InMemoryBlobStore(), InMemoryBlobStore()]
  private let clocks = [ManualClock(now: Device.noon), ManualClock(now: Device.noon + 3_600)]
  private var devices: [Device] = []
  private var lastNumber = 0
  /// All edits that have become durable, as they were last before they were sent.
  private(set) var edits: [UUID: WalkEdit] = [:]

  /// A weight that the server refuses until the end.
  private static let refused = 99.0

  var faultCount: Int { transport.faultCount + uploads.faultCount }

  init(seed: UInt64) {
    self.seed = seed
    chance = SeededGenerator(seed: seed)
    let plan = FaultPlan.seeded(
      seed, rate: 0.3,
      [
        .drop(), .lostResponse(), .duplicate, .late, .firestoreQuota, .firestore("UNAVAILABLE"),
        .firestore("ABORTED"), .firestoreExpiredToken, .drop(.offline), .cutBody(after: 20),
        .truncatedBody(after: 40),
      ]
    ).when { [isHonest] _ in !isHonest.withLock(\.self) }
    transport = FaultTransport(server, plan)
    uploads = FaultTransport(bucket, plan)
    server.options.isAllowed = { $0.fields?["weight"] != .double(Self.refused) }
    devices = [device(0), device(1)]
  }

  private mutating func device(_ place: Int) -> Device {
    Device(
      server, over: transport,
      storage: Storage(
        CrashableStorage(fileSystem: fileSystems[place], blobStore: blobs[place])),
      photos: bucket, uploads: uploads, clock: clocks[place], seed: chance.next())
  }

  private mutating func number(_ range: Range<Int>) -> Int { .random(in: range, using: &chance) }

  mutating func step() async throws {
    let place = number(0..<2)
    switch number(0..<21) {
    case 0...8: await edit(place)
    case 9...14: await refresh(place)
    case 15:
      let call = fileSystems[place].callCount + number(1..<12)
      fileSystems[place].fail(at: call, .failure(Bool.random(using: &chance) ? EIO : ENOSPC))
    case 16:
      // The power is cut in the middle of what comes next.
      fileSystems[place].fail(at: fileSystems[place].callCount + number(1..<30), .crash)
      await edit(place)
      await refresh(place)
      fileSystems[place] = fileSystems[place].afterCrash(
        seed: Bool.random(using: &chance) ? nil : chance.next())
      devices[place] = device(place)
    case 17: devices[place] = device(place)
    case 18:
      clocks[place].set(now: Date(timeIntervalSince1970: .random(in: 0...4e9, using: &chance)))
    case 19: await decide(place)
    default: clocks[place].advance(by: .seconds(number(1..<100)))
    }
    await note(place)
  }

  /// Resends or discards a refused edit.
  ///
  /// An edit that creates a record stays: without the record, those behind it would be refused, too.
  private mutating func decide(_ place: Int) async {
    let cloud = devices[place].cloud
    do {
      guard let edit = try await cloud.pending().rejected.first else { return }
      let change = try JSONDocument.value(Array(edit.payload.content.utf8))
      guard try FirestoreFields(json: change)["created"] == nil, Bool.random(using: &chance) else {
        return try await cloud.resend(edit.id)
      }
      // It is noted again if a failure keeps it.
      edits[edit.id] = nil
      try await cloud.discard(edit.id)
    } catch {}
  }

  /// Notes what waits; a merged edit has the same ID.
  private mutating func note(_ place: Int) async {
    for _ in 0..<2 {
      do {
        for operation in try await devices[place].cloud.pending().operations {
          edits[operation.id] = operation.payload
        }
        return
      } catch {
        // The store has to be opened again after a failure of the disk.
        devices[place] = device(place)
      }
    }
  }

  private mutating func refresh(_ place: Int) async {
    do { try await devices[place].cloud.refresh(.now) } catch {}
    await note(place)
  }

  private mutating func edit(_ place: Int) async {
    let stored = devices[place].stored
    lastNumber += 1
    let (id, kind, value) = ("\(lastNumber)", number(0..<10), number(0..<4))
    do {
      let pets = try await stored.pets()
      let walks = try await stored.walks(WalkQuery(limit: 100)).walks
      let pet = pets.isEmpty ? nil : pets[number(0..<pets.count)]
      let walk = walks.isEmpty ? nil : walks[number(0..<walks.count)]
      switch (kind, pet, walk) {
      case (0, _, _), (_, nil, _):
        let name = value == 0 ? "mesh" : "name \(id)"
        try await stored.add(Device.pet(id, name, day: Double(lastNumber)))
      case (1, _, _):
        let there = try Coordinate(latitude: Double(value), longitude: 2)
        try await stored.save(
          Place(
            id: Place.ID(rawValue: "\(value)"), name: id, kind: value == 0 ? .home : .goal,
            coordinate: there))
      case (2, let pet?, _) where value == 0: try await stored.removePet(pet.id)
      case (2...4, let pet?, _):
        try await stored.updatePet(pet.id) { pet in
          if value % 2 == 0 { pet.weight = .kilograms(Double(value + 1)) }
          if value == 1 { pet.weight = .kilograms(Self.refused) }
          if value > 1 { pet.breed = value == 2 ? .beagle : .other }
          if value == 3 { pet.name = "new \(id)" }
        }
      case (5, _, let walk?) where value == 0: try await stored.removeWalk(walk.id)
      case (5...7, _, let walk?):
        let lease = value == 3 ? try await stored.blobs.put(Array("photo \(id)".utf8)) : nil
        defer { lease?.end() }
        let photo = WalkPhoto(id: .init(rawValue: id), blob: lease?.id)
        try await stored.updateWalk(walk.id) { walk in
          if value == 0, !walk.notes.isEmpty { walk.notes.removeFirst() }
          if value == 1 { walk.notes.append(WalkNote(.note, text: id, time: Device.noon)) }
          if value == 2 { walk.weather = .clear }
          if value == 3 { walk.photos.append(photo) }
        }
      case (_, let pet?, _):
        let both = Set([pet.id.rawValue, pets[0].id.rawValue]).sorted()
        try await stored.save(Device.walk("w\(id)", of: both, hour: Double(lastNumber)))
      }
    } catch {}
    await note(place)
  }

  mutating func finish() async throws {
    isHonest.withLock { $0 = true }
    server.options.isAllowed = { _ in true }
    for place in 0..<2 {
      fileSystems[place] = fileSystems[place].afterCrash(seed: nil)
      devices[place] = device(place)
      await note(place)
    }
    for _ in 0..<5 {
      for place in 0..<2 {
        clocks[place].advance(by: .seconds(4_000))
        let cloud = devices[place].cloud
        for edit in try await cloud.pending().rejected { try await cloud.resend(edit.id) }
        try await cloud.refresh(.now)
        await note(place)
      }
    }
    for device in devices {
      let left = try await device.cloud.pending()
      #expect(left.isEmpty, "seed \(seed): \(left.operations)")
    }
    let (ended, expected) = (server.diary, try undisturbed())
    for id in Set(ended.keys).union(expected.keys) {
      #expect(ended[id] == expected[id], "seed \(seed)")
    }
    // A commit that was applied has made a receipt, and no receipt is made twice.
    #expect(server.commitCount == server.receiptCount, "seed \(seed)")
    let (left, right) = (try await devices[0].content(), try await devices[1].content())
    #expect(left == right, "seed \(seed)")
    #expect(Set(left.pets.map(\.nameKey)).count == left.pets.count, "seed \(seed)")
    #expect(left.places.count { $0.kind == .home } <= 1, "seed \(seed)")
    for photo in left.walks.flatMap(\.photos) {
      let blob = try #require(photo.blob)
      let bytes = bucket["photos/\(blob.hexadecimal)"]
      #expect(bytes.map { BlobID(of: $0) } == blob, "seed \(seed)")
    }
  }

  /// The documents of a server that has met each edit once, in any order, and nothing else.
  private func undisturbed() throws -> [String: FirestoreFields] {
    try Dictionary(grouping: edits.values, by: \.subject.documentID)
      .mapValues(MergeRule.document(of:))
  }
}

/// The rule by which edits are merged, as the article states it, without the code of the package.
private enum MergeRule {
  /// Returns the document that edits of one record end in.
  ///
  /// - The latest creation and the latest removal count. A creation is an edit of all fields.
  /// - The latest edit of each field counts, and takes what it has seen with it. Of edits at the same time, that
  ///   of the device with the greater name is later.
  /// - A removal removes the fields that weren't edited after it.
  static func document(of edits: [WalkEdit]) throws -> FirestoreFields {
    let changes = try edits.map { edit in
      try FirestoreFields(json: JSONDocument.value(Array(edit.content.utf8)))
    }
    func latest(_ name: String) -> (stamp: String, change: FirestoreFields)? {
      changes.compactMap { change in change[name]?.string.map { ($0, change) } }
        .max { $0.0 < $1.0 }
    }
    let (created, removed) = (latest("created"), latest("removed"))
    var document = FirestoreFields()
    if let subject = edits.first?.subject.names {
      (document["type"], document["id"]) = (.string(subject.type), .string(subject.id))
    }
    document["created"] = created.map { .string($0.stamp) }
    document["removed"] = removed.map { .string($0.stamp) }
    var seen: [String: FirestoreValue?] = ["removed": removed?.change["seen"]?.map?["removed"]]
    for name in Set(changes.flatMap(names)) {
      let winner = changes.compactMap { change -> (stamp: String, change: FirestoreFields)? in
        let stamp = change["edited"]?.map?[name] ?? change["created"]
        return stamp?.string.map { ($0, change) }
      }.max { $0.stamp < $1.stamp }
      guard let winner, removed.map({ $0.stamp < winner.stamp }) ?? true else { continue }
      let path = FirestoreFieldPath(
        segments: name.split(separator: "/", maxSplits: 1).map(String.init))
      set(winner.change[path], at: path, in: &document)
      set(winner.change["exact"]?.map?[name], at: ["exact", name], in: &document)
      guard winner.stamp != created?.stamp else { continue }
      set(.string(winner.stamp), at: ["edited", name], in: &document)
      seen[name] = winner.change["seen"]?.map?[name]
    }
    for (name, edits) in seen { set(edits, at: ["seen", name], in: &document) }
    return document
  }

  /// The names of the fields that a change edits, those of elements with the names of their collections.
  private static func names(in change: FirestoreFields) -> [String] {
    var names = change["edited"]?.map?.names ?? []
    for name in change.names {
      switch name {
      case "created", "removed", "edited", "seen", "exact": break
      case "pets", "photos", "notes":
        names += (change[name]?.map?.names ?? []).map { "\(name)/\($0)" }
      default: names.append(name)
      }
    }
    return names
  }

  private static func set(
    _ value: FirestoreValue?, at path: FirestoreFieldPath, in document: inout FirestoreFields
  ) {
    if let value { document[path] = value }
  }

  private static func set(
    _ value: FirestoreValue?, at segments: [String], in document: inout FirestoreFields
  ) {
    set(value, at: FirestoreFieldPath(segments: segments), in: &document)
  }
}

/// Stores in files of a file system that fails.
private struct CrashableStorage: StorageProvider {
  let fileSystem: MemoryFileSystem
  let blobStore: InMemoryBlobStore

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    FileStore<Record>(
      unsharedPath: "/data/\(name).store", fileSystem: fileSystem, clock: ImmediateClock(),
      patience: .milliseconds(50))
  }

  func blobs(_ name: String) throws -> any BlobStore { blobStore }
}
