import FieldCore
import FieldFakes
import FieldFirestore
import FirestoreFakes
import Foundation
import TestSupport
import Testing

@Suite struct StorageClientTests {
  private func client(
    _ fake: FakeStorage, over transport: (any Transport)? = nil, chunk: Int = 1 << 10
  ) -> StorageClient {
    var configuration = fake.configuration
    configuration.chunkSize = chunk
    return StorageClient(
      configuration, transport: transport ?? fake, clock: ImmediateClock(), random: { 0.5 })
  }

  private let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  @Test func `objects are uploaded, described, downloaded, and deleted`() async throws {
    let fake = FakeStorage()
    let client = client(fake)
    let name = "walks/1/a+b 강.jpg"
    let stored = try await client.upload(
      bytes, to: name, contentType: "image/jpeg", custom: ["pet": "mesh"])
    #expect(stored.size == 5_000 && stored.contentType == "image/jpeg")
    #expect(fake[name] == bytes)
    #expect(try await client.metadata(of: name) == stored)
    #expect(stored.custom == ["pet": "mesh"])
    #expect(try await client.download(name) == bytes)
    #expect(try await client.delete(name))
    #expect(try await !client.delete(name))
    #expect(try await client.metadata(of: name) == nil)
    let error = await failure { _ = try await client.download(name) }
    #expect(error?.code == .firestoreNotFound)
  }

  @Test func `an object is verified by its checksum, or else by its size`() async throws {
    for (checksum, size, code) in [
      (#","crc32c":"AAAAAA==""#, 5_000, FieldError.Code.storageChecksum), ("", 5_000, nil),
      ("", 4_999, .storageChecksum),
    ] {
      let metadata = #"{"name":"a","size":"\#(size)"\#(checksum)}"#
      let client = client(FakeStorage(), over: CannedTransport(metadata))
      let error = await failure { try await client.upload(bytes, to: "a") }
      #expect(error?.code == code)
    }
  }

  @Test func `an empty object is uploaded and downloaded like any other`() async throws {
    let fake = FakeStorage()
    let client = client(fake)
    try await client.upload([], to: "empty")
    #expect(try await client.download("empty") == [])
    let upload = try await client.beginUpload(of: .bytes([]), to: "empty2")
    #expect(try await client.resume(upload, from: .bytes([])).size == 0)
  }

  @Test func `an upload goes on after a restart, and after every lost answer`() async throws {
    let fake = FakeStorage()
    var stored = try await client(fake).beginUpload(of: .bytes(bytes), to: "photo")
    #expect(!"\(stored) \(String(reflecting: stored))".contains("upload_id"))
    // The app ends after two parts.
    let failing = FaultTransport(
      fake,
      FaultPlan.every(1, .drop()).when {
        $0.fields["X-Goog-Upload-Offset"] == "2048"
      })
    var quick = fake.configuration
    quick.chunkSize = 1 << 10
    quick.retry = .never
    let error = await failure {
      try await StorageClient(quick, transport: failing, clock: ImmediateClock())
        .resume(stored, from: .bytes(bytes))
    }
    #expect(error?.code == .connectionLost)
    stored = try JSONDecoder().decode(StorageUpload.self, from: JSONEncoder().encode(stored))
    let lossy = FaultTransport(fake, .every(3, .lostResponse()))
    let progress = Lock<[Int]>([])
    let metadata = try await client(fake, over: lossy).resume(stored, from: .bytes(bytes)) {
      count in
      progress.withLock { $0.append(count) }
    }
    #expect(metadata.size == 5_000 && fake["photo"] == bytes)
    #expect(progress.withLock { $0.first } == 2_048)
    // Finished is finished.
    #expect(try await client(fake).resume(stored, from: .bytes(bytes)) == metadata)
  }

  @Test func `an upload that the server has ended has a code of its own`() async throws {
    let fake = FakeStorage()
    let client = client(fake)
    let upload = try await client.beginUpload(of: .bytes(bytes), to: "photo")
    let other = await failure { try await client.resume(upload, from: .bytes([1])) }
    #expect(other?.code == .invalidInput)
    fake.endSessions()
    let error = await failure { try await client.resume(upload, from: .bytes(bytes)) }
    #expect(error?.code == .storageSessionEnded)
    #expect(!"\(String(describing: error))".contains("upload_id"))
    let canceled = try await client.beginUpload(of: .bytes(bytes), to: "photo")
    try await client.cancel(canceled)
    let after = await failure { try await client.resume(canceled, from: .bytes(bytes)) }
    #expect(after?.code == .storageSessionEnded)
  }

  @Test func `a download into a file goes on where it was cut`() async throws {
    let fake = FakeStorage()
    fake["photo"] = bytes
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "photo.jpg")
    var configuration = fake.configuration
    configuration.chunkSize = 1 << 10
    configuration.retry = .never
    let failing = FaultTransport(fake, FaultPlan.every(4, .drop()))
    let cut = StorageClient(configuration, transport: failing, clock: ImmediateClock())
    let error = await failure { try await cut.download("photo", to: file) }
    #expect(error?.code == .connectionLost)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    let before = fake.requests.count
    try await client(fake).download("photo", to: file)
    #expect([UInt8](try Data(contentsOf: file)) == bytes)
    // The metadata, and the three parts that were missing.
    #expect(fake.requests.count - before == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["photo.jpg"])
  }

  @Test func `an object that is larger than the limit is refused unread, and goes to a file`()
    async throws
  {
    let fake = FakeStorage()
    fake["photo"] = bytes
    var configuration = fake.configuration
    (configuration.chunkSize, configuration.maximumDownloadSize) = (1 << 10, 4_999)
    let client = StorageClient(configuration, transport: fake, clock: ImmediateClock())
    let error = await failure { _ = try await client.download("photo") }
    #expect(error?.code == .responseTooLarge)
    #expect(fake.requests.count == 1)
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "photo.jpg")
    let received = Lock(0)
    try await client.download("photo", to: file) { count in received.withLock { $0 = count } }
    #expect([UInt8](try Data(contentsOf: file)) == bytes && received.withLock(\.self) == 5_000)
    // The server isn't believed: a part has no more bytes than were requested.
    #expect(fake.requests.dropFirst(2).allSatisfy { $0.responseLimit <= 1 << 20 })
  }

  @Test(arguments: [".", ".."])
  func `a name that is a step in a path is refused`(_ name: String) async throws {
    let fake = FakeStorage()
    let error = await failure { _ = try await client(fake).download(name) }
    #expect(error?.code == .invalidInput)
    var configuration = fake.configuration
    configuration.bucket = name
    let other = StorageClient(configuration, transport: fake, clock: ImmediateClock())
    #expect(await failure { try await other.delete("a") }?.code == .invalidInput)
    let server = FakeFirestore()
    for database in [
      FirestoreDatabase(project: name), FirestoreDatabase(project: "p", id: name),
    ] {
      var place = server.configuration
      place.database = database
      let firestore = FirestoreClient(place, transport: server, clock: ImmediateClock())
      #expect(await failure { _ = try await firestore.get("a/b") }?.code == .invalidInput)
    }
    #expect(fake.requests.isEmpty && server.requests.isEmpty)
  }

  @Test func `what is damaged or replaced on the way is not taken`() async throws {
    let fake = FakeStorage()
    fake["photo"] = bytes
    fake.corruptsDownloads = true
    let damaged = await failure { _ = try await client(fake).download("photo") }
    #expect(damaged?.code == .storageChecksum)
    fake.corruptsDownloads = false
    let replaced = await failure {
      _ = try await client(fake).download("photo") { count in
        if count == 1_024 { fake["photo"] = [1, 2, 3] }
      }
    }
    #expect(replaced?.code == .storageChanged || replaced?.code == .firestoreOutOfRange)
  }

  @Test func `a token is sent as its kind requires`() async throws {
    let fake = FakeStorage()
    var configuration = fake.configuration
    configuration.tokens = FixedTokenProvider(FirestoreToken("t"))
    let client = StorageClient(configuration, transport: fake, clock: ImmediateClock())
    _ = try await client.metadata(of: "x")
    #expect(fake.requests[0].fields["Authorization"] == "Firebase t")
    let upload = try await client.beginUpload(of: .bytes([1]), to: "x")
    try await client.resume(upload, from: .bytes([1]))
    configuration.tokens = FixedTokenProvider(FirestoreToken("t", kind: .google))
    let server = StorageClient(configuration, transport: fake, clock: ImmediateClock())
    _ = try await server.metadata(of: "x")
    #expect(fake.requests.last?.fields["Authorization"] == "Bearer t")
  }

  @Test(arguments: [
    "https://evil.example/o?upload_id=1", "http://storage.example/o?upload_id=1",
    "https://storage.example:444/o?upload_id=1", "https://storage.example.evil.example/o",
    "//evil.example/o", "/o?upload_id=1", "file:///o",
  ])
  func `an upload session at another server gets neither bytes nor a token`(
    _ session: String
  ) async throws {
    let liar = LyingSessions(FakeStorage(), session: session)
    var configuration = liar.base.configuration
    configuration.tokens = FixedTokenProvider(FirestoreToken("t"))
    let client = StorageClient(configuration, transport: liar, clock: ImmediateClock())
    let error = await failure { _ = try await client.beginUpload(of: .bytes(bytes), to: "photo") }
    #expect(error?.code == .storageForeignSession)
    #expect(!"\(String(describing: error))".contains("upload_id"))
    #expect(liar.base.requests.count == 1)

    // Nor does one that was begun at another endpoint.
    let upload = try await self.client(liar.base).beginUpload(of: .bytes(bytes), to: "photo")
    configuration.endpoint = URL(literal: "https://other.example")
    let other = StorageClient(configuration, transport: liar, clock: ImmediateClock())
    let before = liar.base.requests.count
    #expect(
      await failure { try await other.resume(upload, from: .bytes(bytes)) }?.code
        == .storageForeignSession)
    #expect(await failure { try await other.cancel(upload) }?.code == .storageForeignSession)
    #expect(liar.base.requests.count == before)
  }

  @Test func `an upload session may name its server in another form`() async throws {
    let liar = LyingSessions(FakeStorage(), session: nil)
    let client = client(liar.base, over: liar)
    let upload = try await client.beginUpload(of: .bytes(bytes), to: "photo")
    try await client.resume(upload, from: .bytes(bytes))
    #expect(liar.base["photo"] == bytes)
    #expect(liar.base.requests.allSatisfy { $0.followsRedirects == ($0.method != .post) })
  }

  @Test func `an upload that gets nowhere is an error`() async throws {
    let fake = FakeStorage()
    let forgetful = ForgetfulStorage(fake)
    let client = client(fake, over: forgetful)
    let upload = try await client.beginUpload(of: .bytes(bytes), to: "photo")
    let error = await failure { try await client.resume(upload, from: .bytes(bytes)) }
    #expect(error?.code == .firestoreUnavailable)
    #expect(forgetful.count.withLock(\.self) < 50)
  }

  @Test(arguments: [Int.max, 1 << 40, 0, -1])
  func `a granularity that the server invents harms nothing`(_ granularity: Int) async throws {
    let fake = FakeStorage()
    let liar = LyingSessions(fake, session: nil, granularity: granularity)
    let failing = FaultTransport(
      liar, FaultPlan.first(1, .lostResponse()).when { $0.fields["X-Goog-Upload-Offset"] != nil })
    let client = client(fake, over: failing)
    let upload = try await client.beginUpload(of: .bytes(bytes), to: "photo")
    try await client.resume(upload, from: .bytes(bytes))
    #expect(fake["photo"] == bytes)
  }

  @Test func `a size that the server invents harms nothing`() async throws {
    let transport = CannedTransport(#"{"name":"photo","size":"9223372036854775807"}"#)
    var configuration = FakeStorage().configuration
    configuration.retry = .never
    let client = StorageClient(configuration, transport: transport, clock: ImmediateClock())
    let error = await failure { _ = try await client.download("photo") }
    #expect(error?.code == .responseTooLarge)
  }
}

/// A bucket that loses every second part of an upload, after it has acknowledged the first.
private final class ForgetfulStorage: Transport {
  let count = Lock(0)
  private let base: FakeStorage

  init(_ base: FakeStorage) { self.base = base }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    guard let command = request.fields["X-Goog-Upload-Command"], command != "start" else {
      return try await base.send(request)
    }
    let count = count.withLock {
      $0 += 1
      return $0
    }
    // A client that doesn't stop is stopped by the test.
    guard count < 50 else { throw FieldError(.invalidInput, "too many requests") }
    if let offset = request.fields["X-Goog-Upload-Offset"], offset != "0" {
      return TransportResponse(status: 503)
    }
    return TransportResponse(
      status: 200, fields: ["X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": "0"])
  }
}

/// A bucket that names other upload sessions; without one, its own in another form.
private struct LyingSessions: Transport {
  let base: FakeStorage
  let session: String?
  let granularity: Int?

  init(_ base: FakeStorage, session: String?, granularity: Int? = nil) {
    (self.base, self.session, self.granularity) = (base, session, granularity)
  }

  func send(_ request: TransportRequest) async throws -> TransportResponse {
    var answer = try await base.send(request)
    if let own = answer.fields["X-Goog-Upload-URL"] {
      answer.head.fields["X-Goog-Upload-URL"] =
        session
        ?? own.replacingOccurrences(
          of: "https://storage.example", with: "HTTPS://Storage.Example:443")
      if let granularity {
        answer.head.fields["X-Goog-Upload-Chunk-Granularity"] = String(granularity)
      }
    }
    return answer
  }
}
