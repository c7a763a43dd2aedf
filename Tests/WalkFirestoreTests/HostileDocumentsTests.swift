import FieldCore
import FieldFakes
import FirestoreFakes
import Foundation
import TestSupport
import Testing

@testable import FieldFirestore
@testable import WalkFirestore
@testable import WalkKit

/// Documents whose values are valid in Firestore, and that no device has written.
@Suite(.timeLimit(.minutes(60))) struct HostileDocumentsTests {
  let server = FakeFirestore()

  private static let walk: FirestoreFields = [
    "type": "walk", "id": "w", "start": .timestamp(FirestoreTimestamp(Device.noon)),
    "end": .timestamp(FirestoreTimestamp(Device.noon + 1_800)), "utcOffset": 32_400,
    "duration": 1_800, "elapsed": 1_800, "movingTime": 1_700, "distance": 1_234.5, "climb": 3,
    "weather": "clear", "dust": "good", "route": "00",
    "pets": ["p": ["joined": .timestamp(FirestoreTimestamp(Device.noon)), "order": 0]],
    "photos": ["f": ["takenAt": .timestamp(FirestoreTimestamp(Device.noon)), "order": 0]],
    "notes": [
      "n": ["kind": "pee", "time": .timestamp(FirestoreTimestamp(Device.noon)), "order": 0]
    ],
    "goal": ["id": "g", "name": "g", "kind": "goal", "place": ["latitude": 1, "longitude": 2]],
    "reward": [
      "id": "r", "reason": "goal", "earned": .timestamp(FirestoreTimestamp(Device.noon)),
    ],
    "air": ["pm10": 1, "pm25": 2, "station": "강남"],
    "edited": ["end": "0000000000000001-a"], "seen": ["end": "0000000000000001-a"],
    "created": "0000000000000001-a", "exact": ["start": 0.5, "end": 0.5, "duration": "1"],
  ]

  private static let pet: FirestoreFields = [
    "type": "pet", "id": "p", "name": "mesh", "breed": "beagle", "gender": "male",
    "birth": "2020-01-01", "weight": 10, "isArchived": false,
    "registered": .timestamp(FirestoreTimestamp(Device.noon)),
    "photo": ["id": "f", "takenAt": .timestamp(FirestoreTimestamp(Device.noon))],
    "edited": ["name": "0000000000000001-a"], "exact": ["registered": 0.5],
  ]

  private static let place: FirestoreFields = [
    "type": "place", "id": "l", "name": "river", "kind": "home",
    "place": .geoPoint(.init(latitude: 1, longitude: 2)), "created": "0000000000000001-a",
  ]

  private func put(_ fields: FirestoreFields, _ id: String) {
    var fields = fields
    fields["changedAt"] = .timestamp(FirestoreTimestamp(Device.noon))
    server[FirestorePath("diary/\(id)")] = fields
  }

  /// Refreshes a device, and computes everything that an app shows of the diary.
  private func show(_ device: Device) async throws {
    device.clock.advance(by: .seconds(4_000))
    _ = try await device.cloud.refresh(.now)
    let content = try await device.content()
    for walk in content.walks {
      _ = "\(walk) \(walk.start) \(walk.end) \(walk.elapsed) \(walk.day)"
      _ = walk.duration + walk.elapsed + walk.movingTime
      #expect(walk.flaw == nil)
    }
    _ = "\(content.pets) \(content.places)"
    let diary = device.diary
    _ = "\(try await diary.statistics()) \(try await diary.statistics(of: "p"))"
    _ = "\(try await diary.personalBests()) \(try await diary.streak())"
    _ = PointsLedger(walks: content.walks).balance
    _ = WalkExport(pets: content.pets, walks: content.walks).json()
    _ = try WalkArchive(pets: content.pets, walks: content.walks, exported: Device.noon).json()
  }

  @Test func `a walk that ends beyond all times hurts no device, and the others arrive`()
    async throws
  {
    put(Self.pet, "pp")
    var fields = Self.walk
    fields["end"] = .timestamp(try FirestoreTimestamp("9999-12-31T23:59:59Z"))
    for name in ["duration", "elapsed", "movingTime"] as [FirestoreFieldPath] { fields[name] = nil }
    fields["exact"] = ["end": .double(1e300)]
    put(fields, "ww")
    var other = Self.walk
    (other["id"], other["exact"]) = ("v", nil)
    put(other, "wv")
    let device = Device(server)
    try await show(device)
    try await show(device)
    #expect(try await device.content().walks.map(\.id).contains("v"))
  }

  @Test func `thousands of combining marks and of notes of one time take no time`() async throws {
    let marks = (0..<80_000).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }.joined()
    var pet = Self.pet
    pet["name"] = .string("a" + marks)
    put(pet, "pp")
    var walk = Self.walk
    let time = FirestoreValue.timestamp(FirestoreTimestamp(Device.noon))
    walk["notes"] = .map(
      FirestoreFields(
        (0..<2_000).map { number in
          .init("n\(number)", ["kind": "pee", "time": time, "text": .string("\(number)")])
        }))
    put(walk, "ww")
    let device = Device(server)
    try await show(device)
    let found = try #require(try await device.content().pets.first)
    // Comparing texts sorts each run of marks, in a time that grows with the square of its length.
    #expect(found.name.streamSafe.utf8.elementsEqual(found.name.utf8))
    #expect(try await device.content().walks.first?.notes.count == 2_000)
    // Pets of one name are numbered without trying each number for each of them.
    for number in 0..<500 {
      var pet = Self.pet
      pet["id"] = .string("q\(number)")
      put(pet, "pq\(number)")
    }
    try await show(device)
    #expect(Set(try await device.content().pets.map(\.nameKey)).count == 501)
  }

  @Test(arguments: Sample.of(0..<300, inDebug: 60))
  func `a document of any values hurts no device`(seed: Int) async throws {
    var chance = SeededGenerator(seed: UInt64(seed))
    let device = Device(server, seed: 1)
    for round in 0..<3 {
      put(round == 0 ? Self.pet : Self.pet.hostile(&chance), "pp")
      put(Self.walk.hostile(&chance), "ww")
      put(Self.place.hostile(&chance), "ll")
      try await show(device)
    }
    // An edit here meets what is there.
    if let walk = try await device.content().walks.first {
      _ = await failure {
        try await device.stored.updateWalk(walk.id) { $0.weather = .rain }
      }
      try await show(device)
    }
  }
}

extension FirestoreFields {
  /// Returns the fields of which some have values that nobody expects, at any depth.
  fileprivate func hostile(_ chance: inout SeededGenerator) -> FirestoreFields {
    var fields = self
    for name in names where !["type", "id"].contains(name) {
      let path = FirestoreFieldPath(segments: [name])
      switch Int.random(in: 0..<6, using: &chance) {
      case 0: fields[path] = .hostile(&chance)
      case 1:
        fields[path] = .hostileTime(&chance)
        let exact = FirestoreFieldPath(segments: ["exact", name])
        if fields["exact"]?.map != nil { fields[exact] = .hostile(&chance) }
      case 2: if let map = fields[path]?.map { fields[path] = .map(map.hostile(&chance)) }
      case 3 where name != "changedAt": fields[path] = nil
      default: break
      }
    }
    return fields
  }
}

extension FirestoreValue {
  private static let doubles: [Double] = [
    .nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300, 0x1p63, -0x1p63, 0x1p64, 9.3e18,
    .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 0x1p40, 0x1p53, 1e15, -1e15,
  ]

  private static let texts = [
    "", "1e300", "NaN", "9223372036854775808", "170141183460469231731687303715884105727",
    "-170141183460469231731687303715884105728", "\u{0}", "ffffffffffffffff-a", "ffffffffffffffff",
    "9999-12-31T23:59:59.999999999Z", "0001-01-01T00:00:00Z", "file:///etc/passwd", ".", "..",
    "0fffffffffffffff-z 0000000000000000-", "~~~1~99999999999999999999",
  ]

  fileprivate static func hostileTime(_ chance: inout SeededGenerator) -> FirestoreValue {
    let texts = ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"]
    return FirestoreTimestamp(rfc3339: texts.randomElement(using: &chance) ?? "")
      .map { .timestamp($0) } ?? .null
  }

  fileprivate static func hostile(
    _ chance: inout SeededGenerator, depth: Int = 0
  ) -> FirestoreValue {
    switch Int.random(in: 0..<(depth < 4 ? 11 : 8), using: &chance) {
    case 0: .null
    case 1: .boolean(Bool.random(using: &chance))
    case 2: .integer([.min, .max, -1, 0, 1 << 53].randomElement(using: &chance) ?? 0)
    case 3, 4: .double(doubles.randomElement(using: &chance) ?? 0)
    case 5: hostileTime(&chance)
    case 6: .string(texts.randomElement(using: &chance) ?? "")
    case 7:
      .geoPoint(
        .init(
          latitude: doubles.randomElement(using: &chance) ?? 0,
          longitude: doubles.randomElement(using: &chance) ?? 0))
    case 8: .array((0..<3).map { _ in hostile(&chance, depth: depth + 1) })
    case 9: .bytes([0xFF, 0x00])
    default:
      .map(
        FirestoreFields(
          ["order", "time", "joined", "latitude", "blob", "exact", ""].map { name in
            .init(name, hostile(&chance, depth: depth + 1))
          }))
    }
  }
}
