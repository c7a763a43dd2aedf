import FieldCore
import FieldFakes
import FieldFirestore
import FieldURLSession
import FirestoreFakes
import Foundation
import TestSupport
import Testing

/// The fakes behind a real HTTP client and a real server, between which connections break.
@Suite(.timeLimit(.minutes(60))) struct LoopbackTests {
  @Test(arguments: Trouble.all)
  func `a commit is applied once, and documents arrive, whatever happens on the way`(
    trouble: Trouble
  ) async throws {
    let fake = FakeFirestore()
    fake["Pets/mesh"] = ["walks": 0]
    let server = try TroubledServer(fake, trouble)
    let client = FirestoreClient(
      try .emulator(project: "demo", at: server.url.absoluteString),
      transport: URLSessionTransport(), clock: ImmediateClock(), random: { 0.5 })
    for number in 1...6 {
      try await client.commit(
        [
          .update("Pets/mesh", ["walks": .increment(1)]),
          .create(FirestorePath("Walks/\(number)"), ["n": .value(.integer(Int64(number)))]),
        ], receipt: UUID())
    }
    #expect(fake["Pets/mesh"] == ["walks": 6])
    #expect(fake.commitCount == 6)
    let walks = try await client.run(FirestoreQuery("Walks")).documents
    #expect(walks.map { $0["n"] } == (1...6).map { .integer($0) })
    #expect(try await client.get("Pets/mesh")?["walks"] == 6)
    #expect(server.troubleCount > 1)
    await server.stop()
  }

  @Test(arguments: Trouble.all)
  func `objects arrive whole in both directions, whatever happens on the way`(
    trouble: Trouble
  ) async throws {
    let fake = FakeStorage()
    let server = try TroubledServer(fake, trouble)
    let client = client(fake, at: server.url)
    let name = "walks/1/a+b 강.jpg"
    let whole = try await client.upload(
      bytes, to: name, contentType: "image/jpeg", custom: ["pet": "mesh"])
    let upload = try await client.beginUpload(of: .bytes(bytes), to: "photo")
    let inParts = try await client.resume(upload, from: .bytes(bytes))
    #expect(fake[name] == bytes && fake["photo"] == bytes)
    #expect(whole.crc32c == checksum && inParts.crc32c == checksum && upload.crc32c == checksum)
    #expect(try await client.metadata(of: name)?.custom == ["pet": "mesh"])
    #expect(try await client.download("photo") == bytes)
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "photo.jpg")
    #expect(try await client.download(name, to: file).crc32c == checksum)
    #expect([UInt8](try Data(contentsOf: file)) == bytes)
    try await client.delete(name)
    #expect(try await client.metadata(of: name) == nil && fake[name] == nil)
    #expect(server.troubleCount > 1)
    await server.stop()
  }

  @Test func `an upload goes on after a broken connection and a restart`() async throws {
    let fake = FakeStorage()
    let isBroken = Lock(true)
    // The server takes the third part, but nobody learns of it.
    let faults = FaultTransport(
      fake,
      FaultPlan.always(.lostResponse()).when {
        $0.fields["X-Goog-Upload-Offset"] == "2048" && isBroken.withLock(\.self)
      })
    let server = try LoopbackServer(serving: faults)
    let first = client(fake, at: server.url, retry: .never)
    let begun = try await first.beginUpload(of: .bytes(bytes), to: "photo")
    let error = await failure { try await first.resume(begun, from: .bytes(bytes)) }
    #expect(error?.code == .connectionLost)
    #expect(fake["photo"] == nil)

    isBroken.withLock { $0 = false }
    let sent = fake.requests.count
    let kept = try JSONDecoder().decode(StorageUpload.self, from: JSONEncoder().encode(begun))
    let second = client(fake, at: server.url)
    let progress = Lock<[Int]>([])
    let stored = try await second.resume(kept, from: .bytes(bytes)) { count in
      progress.withLock { $0.append(count) }
    }
    let offsets = fake.requests.dropFirst(sent).compactMap { $0.fields["X-Goog-Upload-Offset"] }
    #expect(offsets == ["3072", "4096"])
    #expect(progress.withLock(\.self) == [3_072, 4_096, 5_000])
    #expect(fake["photo"] == bytes && stored.size == 5_000 && stored.crc32c == checksum)
    #expect(try await second.download("photo") == bytes)
    await server.stop()
  }

  @Test func `a download goes on after a broken connection and a restart`() async throws {
    let fake = FakeStorage()
    fake["photo"] = bytes
    let isBroken = Lock(true)
    let server = try LoopbackServer(serving: fake) { request in
      request.fields["Range"] == "bytes=2048-3071" && isBroken.withLock(\.self)
        ? .cut(after: 100) : .whole
    }
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "photo.jpg")
    let first = client(fake, at: server.url, retry: .never)
    let error = await failure { try await first.download("photo", to: file) }
    #expect(error?.code == .bodyCut)
    #expect(!FileManager.default.fileExists(atPath: file.path))

    isBroken.withLock { $0 = false }
    let sent = fake.requests.count
    let stored = try await client(fake, at: server.url).download("photo", to: file)
    let ranges = fake.requests.dropFirst(sent).compactMap { $0.fields["Range"] }
    #expect(ranges == ["bytes=2048-3071", "bytes=3072-4095", "bytes=4096-4999"])
    #expect([UInt8](try Data(contentsOf: file)) == bytes && stored.crc32c == checksum)
    await server.stop()
  }

  // MARK: The bucket

  private let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  private var checksum: UInt32 { CRC32C.checksum(bytes, 0..<bytes.count) }

  private func client(
    _ fake: FakeStorage, at url: URL, retry: FirestoreRetryPolicy? = nil
  ) -> StorageClient {
    var configuration = fake.configuration
    configuration.endpoint = url
    configuration.chunkSize = 1 << 10
    if let retry { configuration.retry = retry }
    return StorageClient(
      configuration, transport: URLSessionTransport(), clock: ImmediateClock(), random: { 0.5 })
  }
}

/// What happens to every third request on its way.
struct Trouble: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var fault: Fault?
  var delivery: LoopbackServer.Delivery?

  static let all = [
    Trouble("the request is lost", .drop()),
    Trouble("the response is lost", .lostResponse()),
    Trouble("the request arrives twice", .duplicate),
    Trouble("the request arrives after the next one", .late),
    Trouble("the request is delayed", .latency(.milliseconds(5))),
    Trouble("the server is unavailable", .firestore("UNAVAILABLE")),
    Trouble("the response is cut before its head", delivery: .cut(after: nil)),
    Trouble("the response is cut in its body", delivery: .cut(after: 10)),
    Trouble("the response comes in pieces", delivery: .slow(bytes: 100, every: .milliseconds(1))),
  ]

  private init(
    _ description: String, _ fault: Fault? = nil, delivery: LoopbackServer.Delivery? = nil
  ) {
    (testDescription, self.fault, self.delivery) = (description, fault, delivery)
  }
}

/// A server on loopback that has trouble with every third request.
private final class TroubledServer: Sendable {
  private let server: LoopbackServer
  private let trouble: Trouble
  private let faults: FaultTransport
  private let deliveries = Lock(0)

  init(_ base: any Transport, _ trouble: Trouble) throws {
    let faults = FaultTransport(base, trouble.fault.map { .every(3, $0) } ?? .script([]))
    (self.faults, self.trouble) = (faults, trouble)
    server = try LoopbackServer(serving: faults) { [deliveries] _ in
      let count = deliveries.withLock {
        $0 += 1
        return $0
      }
      return count.isMultiple(of: 3) ? trouble.delivery ?? .whole : .whole
    }
  }

  var url: URL { server.url }

  /// The number of requests that had trouble.
  var troubleCount: Int {
    trouble.delivery == nil ? faults.faultCount : deliveries.withLock(\.self) / 3
  }

  func stop() async { await server.stop() }
}
