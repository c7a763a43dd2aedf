import FieldCore
import FieldFakes
import FieldFirestore
import FieldKit
import FirestoreFakes
import Foundation
import TestSupport
import WalkFirestore

/// The servers that all devices talk to, with their faults.
final class SimulatedServers: Sendable {
  let firestore: FakeFirestore
  let bucket: FakeStorage
  let stones: FakeSODAServer
  let zoo: FakeTaipeiOpenData
  /// Whether requests fail at random.
  let isFaulty = Lock(false)
  let requestCount = Lock(0)

  private static let columns: [FakeSODAServer.Column] = [
    "name", "id", "nametype", "recclass", .init("mass", .number), "fall",
    .init("year", .floatingTimestamp), "reclat", "reclong", .init("geolocation", .point),
  ]

  init(clock: any FieldClock) {
    firestore = FakeFirestore(clock: clock)
    bucket = FakeStorage(clock: clock)
    stones = FakeSODAServer(
      dataset: "gh4g-9sfh", columns: Self.columns, key: "id",
      rows: (1...25).map { Self.stone($0, mass: $0) }, clock: clock)
    let photo = FakeTaipeiOpenData.Picture(bytes: FakeTaipeiOpenData.SmallPicture.jpeg)
    zoo = FakeTaipeiOpenData(
      datasets: [Self.animals(3)], pictures: ["/animal.jpg": photo], clock: clock)
  }

  static func stone(_ number: Int, mass: Int) -> FakeSODAServer.Row {
    [
      "id": .text("\(number)"), "name": .text("Stone \(number)"), "nametype": "Valid",
      "recclass": "L6", "mass": .number("\(mass)"), "fall": "Found",
      "year": "1990-01-01T00:00:00.000", "reclat": .text("\(number % 80).5"),
      "reclong": .text("\(number % 170).25"),
    ]
  }

  /// So many animals, each with the same picture.
  static func animals(_ count: Int) -> FakeTaipeiOpenData.Dataset {
    FakeTaipeiOpenData.Dataset(
      TaipeiDataset.zooAnimals.resources[0].rawValue,
      rows: (0..<count).map {
        ["a_name_ch": "動物\($0)", "a_pic01_url": "http://www.zoo.gov.tw/animal.jpg"]
      })
  }

  private static let faults: [Fault] = [
    .drop(), .drop(.offline), .lostResponse(), .duplicate, .late, .cutBody(after: 20),
    .status(500), .status(503), .latency(.seconds(40)),
  ]

  /// The transport of a process, with faults by a seed.
  func transport(
    of process: ProcessFiles, clock: any FieldClock, seed: UInt64
  ) -> any Transport {
    let chance = Lock(SeededGenerator(seed: seed))
    let network = Network(servers: self, process: process, clock: clock) {
      .milliseconds(chance.withLock { Int.random(in: 5...400, using: &$0) })
    }
    let isFaulty = isFaulty
    // Nothing shows that a picture is truncated if the server doesn't announce its size.
    let truncations = FaultPlan.seeded(seed &+ 2, rate: 0.03, [.truncatedBody(after: 40)])
    return FaultTransport(
      network,
      FaultPlan.seeded(seed, rate: 0.2, Self.faults).when { _ in isFaulty.withLock(\.self) },
      FaultPlan.seeded(
        seed &+ 1, rate: 0.1,
        [
          .firestoreQuota, .firestore("UNAVAILABLE"), .firestore("ABORTED"), .firestoreExpiredToken,
        ]
      ).when { isFaulty.withLock(\.self) && $0.url.host == "firestore.example" },
      truncations.when { isFaulty.withLock(\.self) && $0.url.pathExtension != "jpg" },
      clock: clock)
  }

  private struct Network: Transport {
    let servers: SimulatedServers
    let process: ProcessFiles
    let clock: any FieldClock
    let latency: @Sendable () -> Duration

    func send(_ request: TransportRequest) async throws -> TransportResponse {
      try await clock.sleep(for: latency())
      servers.requestCount.withLock { $0 += 1 }
      let server: any Transport =
        switch request.url.host {
        case "firestore.example": servers.firestore
        case "storage.example": servers.bucket
        case "soda.example": servers.stones
        default: servers.zoo
        }
      let response = try await server.send(request)
      try await clock.sleep(for: latency())
      return response
    }
  }
}

/// A running app: a diary in Firestore, a zoo, and a catalog of meteorites, each with its files.
final class SimulatedProcess: Sendable {
  let files: ProcessFiles
  let clock: SimulatedClock
  let cloud: FirestoreWalks
  let diary: WalkDiary
  let zoo: Zoo
  let stones: MeteoriteCatalog
  /// The walk that is being recorded.
  let recorder = Lock<WalkRecorder?>(nil)

  init(
    on device: DeviceFiles, shift: Lock<Double>, scheduler: SeededScheduler,
    servers: SimulatedServers, seed: UInt64
  ) throws {
    let world = SimulatedClock(scheduler, shift: shift)
    let files = ProcessFiles(device) { world.now }
    self.files = files
    let clock = SimulatedClock(scheduler, shift: shift) { !files.isDead }
    self.clock = clock
    let storage = Storage(FileSystemStorage("\(files.root)/data", files, clock: clock))
    let transport = servers.transport(of: files, clock: clock, seed: seed)
    let chance = Lock(SeededGenerator(seed: seed))
    let random: @Sendable () -> Double = {
      chance.withLock { Double.random(in: 0..<1, using: &$0) }
    }
    var bucket = servers.bucket.configuration
    bucket.chunkSize = 1 << 10
    cloud = FirestoreWalks(
      .firestore(servers.firestore.configuration, photos: bucket), storage: storage,
      transport: transport, clock: clock, random: random)
    diary = WalkDiary(cloud, rules: PetRules(required: []), random: random)
    let patient = transport.retrying(clock: clock, random: random)
    let assets = AssetDirectory(URL(filePath: "\(files.root)/caches/zoo.assets"))
    zoo = Zoo(
      sources: TaipeiZoo(
        TaipeiOpenData(transport: patient), areas: nil, plants: nil
      ).sources,
      repository: storage.store("zoo"), sightings: storage.store("sightings"),
      photos: storage.blobStore("sightings"),
      pictures: AssetCache(
        place: .success(assets), transport: patient, clock: clock, limits: AssetLimits(),
        refresh: .every(.seconds(7 * 86_400)), fileSystem: files),
      clock: clock, random: { chance.withLock { $0.next() } })
    let dataset = try SODADataset("gh4g-9sfh", at: "soda.example", version: .v2_1)
    stones = MeteoriteCatalog(
      source: SODAMeteorites(
        SODAClient(dataset, transport: patient, clock: clock), deletion: .byKeys,
        options: SyncOptions(pageSize: 10, smallestPage: 10)),
      storage: storage, clock: clock, snapshotGuard: SnapshotGuard(maximumRemovedFraction: 0.9))
  }
}
