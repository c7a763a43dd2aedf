import FieldFakes
import FieldKit
import FieldTesting
import Foundation
import TestSupport
import Testing

/// The public interface, used while other tasks close, erase, and suspend what they use. `Scripts/Checks/sanitizers.sh
/// thread races` runs it under Thread Sanitizer.
@Suite("What is closed, erased, and suspended while it is used", .timeLimit(.minutes(60)))
struct RacingTests {
  @Test(
    "a call on what is closed, erased, or suspended answers or throws, and leaves whole files",
    .heavy(seconds: 4), arguments: Sample.of([1, 2, 3], 1))
  func race(seed: UInt64) async throws {
    let server = try LoopbackServer(serving: Bikes()) { _ in .whole }
    for round in 0..<Sample.rounds(20, 8, inDebug: 2) {
      let folder = try TemporaryFolder()
      let users = (0..<2).map { _ in RacingUser(folder.url, server.url) }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          var chance = SeededGenerator(
            seed: seed &* 1_000_003 &+ UInt64(round * 100 + number))
          group.addTask { [user = users[number % 2]] in
            for _ in 0..<4 { await user.act(number, using: &chance) }
          }
        }
      }
      for user in users { try await user.close() }
      let what: Comment = "seed \(seed), round \(round)"
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
      for file in files where file.hasSuffix(".store") {
        #expect(try await StoreFile(folder.url.appending(path: file)).examine().isIntact, what)
      }
      #expect(!files.contains { $0.contains(".damaged") }, what)
      // All of it works again, in a new set of objects.
      let user = RacingUser(folder.url, server.url)
      try await user.use()
      try await user.close()
    }
    await server.stop()
  }
}

/// The kits, stores, outbox, and transport of an app; two of them share a folder.
private struct RacingUser: Sendable {
  let field: Field
  let walks: WalkDiary
  let bikes: any RecordStore<BikeRecord>
  let blobs: any BlobStore
  let outbox: Outbox<BikeRecord>
  let transport = URLSessionTransport()
  let url: URL

  init(_ folder: URL, _ url: URL) {
    let storage = Storage.directory(folder, durability: .deferred)
    field = Field(
      storage: storage, transport: StubTransport { FieldTests.sources(&$0) },
      clock: ImmediateClock())
    walks = WalkDiary(
      storage: storage, transport: StubTransport { _ in }, rules: PetRules(required: []))
    bikes = storage.store("bikes")
    blobs = storage.blobStore("bikes")
    outbox = Outbox(store: bikes, target: BikeTarget()) { operation, number, bikes, changes in
      changes.upsert(.bike(operation.payload.bike, number))
    }
    self.url = url
  }

  /// Does something; errors are right if they are those of the package.
  func act(_ number: Int, using chance: inout SeededGenerator) async {
    let kind = Int.random(in: 0..<30, using: &chance)
    let delay = Int.random(in: 0..<2_000, using: &chance)
    let isCancelled = Int.random(in: 0..<8, using: &chance) == 0
    let task = Task {
      do {
        try await act(kind, number)
      } catch is FieldError, is CancellationError {
      } catch {
        Issue.record("\(kind) threw \(error)")
      }
    }
    if isCancelled {
      try? await Task.sleep(for: .microseconds(delay))
      task.cancel()
    }
    await task.value
  }

  private func act(_ kind: Int, _ number: Int) async throws {
    switch kind {
    case 0: try await field.eraseAll()
    case 1: try await close()
    case 2: try await walks.eraseAll()
    case 3:
      try await walks.suspend()
      try await walks.resume()
    case 4: try await bikes.eraseAll()
    case 5: try await bikes.close()
    case 6...8: for await _ in field.refreshAll() {}
    case 9: _ = try await field.zoo.listing().count
    case 10: _ = try await field.meteorites.view().count
    case 11: for try await _ in field.meteorites.updates() { break }
    case 12: for try await _ in bikes.updates() { break }
    case 13:
      let photo = Data(FakeTaipeiOpenData.SmallPicture.jpeg(number))
      try await field.zoo.addSighting(name: "\(number)", photo: photo)
    case 14...16: try await walk(number)
    case 17: for walk in try await walks.unfinished() { _ = try await walk.finish() }
    case 18...20: _ = try await transport.send(TransportRequest(url: url, operation: "race"))
    case 21...23: try await enqueue(number)
    case 24, 25: _ = try await outbox.send()
    case 26:
      let lease = try await blobs.put(Array("\(number)".utf8))
      _ = try await blobs.bytes(of: lease.id)
      lease.end()
    case 27: _ = try await field.civic.view()
    default: _ = try await bikes.snapshot().count
    }
  }

  /// Uses everything once.
  func use() async throws {
    for await step in field.refreshAll() {
      if case .failed(let error)? = step.outcome { throw error }
    }
    try await enqueue(1)
    _ = try await outbox.send()
    // The pets of the others may still be there.
    try await walk(101)
  }

  private func enqueue(_ number: Int) async throws {
    try await outbox.update { _, changes in
      changes.enqueue(BikeReport(bike: number), lane: "\(number % 3)")
    }
  }

  private func walk(_ number: Int) async throws {
    let pet = try await walks.register(PetRegistration(name: "\(number)"))
    let recorder = try await walks.start(pets: [pet.id])
    for step in 0..<5 {
      let place = try Coordinate(latitude: 37.5 + Double(step) / 100_000, longitude: 127)
      _ = await recorder.record(LocationFix(coordinate: place, accuracy: .meters(5), time: Date()))
    }
    try await recorder.pause()
    try await recorder.resume()
    if number.isMultiple(of: 2) { return try await recorder.discard() }
    _ = try await recorder.finish()
  }

  func close() async throws {
    try await field.close()
    try await walks.close()
    try await bikes.close()
  }
}

private struct BikeReport: Codable, Equatable, Sendable {
  var bike: Int
}

private enum BikeRecord: OutboxRecord {
  case bike(Int, Int)
  case operation(OutboxOperation<BikeReport>)

  var id: String {
    switch self {
    case .bike(let bike, _): "bike/\(bike)"
    case .operation(let operation): "operation/\(operation.id)"
    }
  }

  var operation: OutboxOperation<BikeReport>? {
    if case .operation(let operation) = self { operation } else { nil }
  }
}

/// A server's side that always answers the same.
private struct Bikes: Transport {
  func send(_ request: TransportRequest) async throws -> TransportResponse {
    TransportResponse(status: 200, body: .text("[]"))
  }
}

/// A server that applies each operation.
private struct BikeTarget: OutboxTarget {
  let delivery = OutboxDelivery.receipts()

  func send(_ operation: OutboxOperation<BikeReport>) async throws -> Int { 1 }

  func status(of operation: OutboxOperation<BikeReport>) async throws -> OutboxStatus<Int> {
    .notApplied
  }
}
