import FieldCore
import FieldFakes
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("The sources of a catalog")
struct RecordSourceTests {
  struct Fountain: CatalogRecord, Hashable {
    let id: Int
    var name: String?
  }

  /// A source that does what the test says, and counts how often it is asked.
  final class Scripted: RecordSource {
    let fingerprint: String
    let deletion: DeletionPolicy
    private let state: Lock<(answer: Result<Batch<Fountain>, any Error>, requests: [RecordRequest])>

    init(
      _ answer: Result<Batch<Fountain>, any Error>, fingerprint: String = "",
      deletion: DeletionPolicy = .bySnapshot
    ) {
      self.fingerprint = fingerprint
      self.deletion = deletion
      state = Lock((answer, []))
    }

    convenience init(_ ids: some Sequence<Int>, deletion: DeletionPolicy = .bySnapshot) {
      self.init(.success(Batch(records: ids.map { Fountain(id: $0) })), deletion: deletion)
    }

    var requests: [RecordRequest] { state.withLock(\.requests) }

    func fetch(_ request: RecordRequest) async throws -> Batch<Fountain> {
      try state.withLock { state in
        state.requests.append(request)
        return state.answer
      }.get()
    }
  }

  private let storage = Storage.inMemory
  private let clock = ManualClock()

  private func fountains(_ sources: any RecordSource<Fountain>...) -> Catalog<Fountain> {
    Catalog("fountains", sources: sources, storage: storage, clock: clock)
  }

  // MARK: In turn

  @Test("the sources of a catalog are tried in turn until one returns rows that the guard accepts")
  func inTurn() async throws {
    #expect(try await fountains(Scripted(1...100)).refresh().added == 100)
    let (failing, half) = (Scripted(.failure(FieldError(.status, "503"))), Scripted(1...40))
    let (good, unused) = (Scripted(3...101), Scripted(1..<1))
    let report = try await fountains(failing, half, good, unused).refresh(.now)
    #expect((report.added, report.removed) == (1, 2))
    #expect([failing, half, good, unused].map(\.requests.count) == [1, 1, 1, 0])
  }

  @Test("the sources of a catalog fail with the first one's error, and keep what is stored")
  func noneSucceeds() async throws {
    _ = try await fountains(Scripted(1...100)).refresh()
    struct Odd: Error {}
    let unreadable = Batch<Fountain>(
      records: [], failures: [RowFailure(index: 0, key: nil, excerpt: "", reason: "It is odd.")])
    let catalog = fountains(
      Scripted(.failure(FieldError(.cut, "first"))), Scripted(.failure(Odd())),
      Scripted(.success(unreadable)), Scripted(1..<1))
    let error = await #expect(throws: FieldError.self) { try await catalog.refresh(.now) }
    #expect(error?.code == .cut && error?.message == "first")
    #expect(try await catalog.view().count == 100)
    let none = await #expect(throws: FieldError.self) { try await fountains().refresh(.now) }
    #expect(none?.code == .invalidInput)
  }

  @Test("the sources of a catalog aren't tried after one that is offline or canceled")
  func offline() async throws {
    let next = Scripted(1...3)
    let error = await #expect(throws: FieldError.self) {
      try await fountains(
        Scripted(.failure(FieldError(.status, "503"))),
        Scripted(.failure(FieldError(.offline, "offline"))), next
      ).refresh()
    }
    #expect(error?.code == .offline)
    await #expect(throws: CancellationError.self) {
      try await fountains(Scripted(.failure(CancellationError())), next).refresh()
    }
    #expect(next.requests.isEmpty)
  }

  @Test(
    "the sources of a catalog have the same result as a search for the first good one",
    arguments: 1...8 as ClosedRange<UInt64>)
  func anyOutcomes(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    _ = try await fountains(Scripted(1...100)).refresh()
    for _ in 0..<20 {
      let kinds = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Int.random(in: 0...3, using: &random)
      }
      let sources = kinds.map { kind in
        switch kind {
        case 0: Scripted(1...100)
        case 1: Scripted(1...40)
        case 2: Scripted(.failure(FieldError(.status, "503")))
        default: Scripted(.failure(FieldError(.offline, "offline")))
        }
      }
      let catalog = Catalog<Fountain>(
        "fountains", sources: sources, storage: storage, clock: clock)
      let end = kinds.firstIndex { $0 == 0 || $0 == 3 } ?? kinds.count
      let codes: [FieldError.Code?] = [nil, .snapshotRefused, .status, .offline]
      let expected = end == kinds.count || kinds[end] == 3 && end == 0 ? codes[kinds[0]] : nil
      var code: FieldError.Code?
      do {
        #expect(try await catalog.refresh(.now).outcome == .unchanged, "\(kinds)")
      } catch let error as FieldError {
        code = error.code
      }
      if end < kinds.count, kinds[end] == 3 {
        #expect(code == .offline, "\(kinds), seed \(seed)")
      } else {
        #expect(code == expected, "\(kinds), seed \(seed)")
      }
      let asked = sources.enumerated().allSatisfy { $1.requests.count == ($0 <= end ? 1 : 0) }
      #expect(asked, "\(kinds), seed \(seed)")
      #expect(try await catalog.view().count == 100)
    }
  }

  @Test("the sources of a catalog decide by themselves whether their rows are complete")
  func deletion() async throws {
    _ = try await fountains(Scripted(1...100)).refresh()
    let report = try await fountains(Scripted(90...101, deletion: .never)).refresh(.now)
    #expect((report.added, report.removed) == (1, 0))
  }

  @Test("the sources of a catalog may have pages, which a catalog of one source reads")
  func pages() async throws {
    struct Pages: PagedSource {
      let fingerprint = "pages/1"
      let isIncremental = false

      func page(_ request: PageRequest) async throws -> Batch<Fountain> {
        let start = request.position?.key.flatMap { Int($0) } ?? 0
        let ids = start < 25 ? start..<min(25, start + 10) : 0..<0
        return Batch(
          records: ids.map { Fountain(id: $0) },
          facts: PageMetadata(
            rowCount: ids.count, rowHashes: ids.map { UInt64($0) },
            end: ids.isEmpty ? nil : SyncPosition(key: String(ids.upperBound))))
      }
    }
    struct Both: RecordSource {
      var pages: (any PagedSource<Fountain>)? { Pages() }

      func fetch(_ request: RecordRequest) async throws -> Batch<Fountain> {
        Batch(records: [Fountain(id: 7)])
      }
    }
    #expect(try await fountains(Both()).refresh().added == 25)
    let other = Catalog<Fountain>(
      "others", sources: [Scripted(.failure(FieldError(.cut, ""))), Both()], storage: storage)
    #expect(try await other.refresh().added == 1)
  }

  // MARK: Batches

  @Test("the sources of a catalog are credited once each, and their notices are reported")
  func credits() async throws {
    let data = DataSource(
      name: "Water", chineseName: "水", publisher: "City", page: URL(filePath: "/"), license: "",
      attribution: "")
    struct Credited: RecordSource {
      let dataSource: DataSource?

      func fetch(_ request: RecordRequest) async throws -> Batch<Fountain> {
        var batch = Batch(records: [Fountain(id: 1), Fountain(id: 1, name: "later")])
        batch.facts.notices = [RefreshReport.Notice(.startedAnew, "Hello.")]
        return batch
      }
    }
    let catalog = fountains(Credited(dataSource: data), Credited(dataSource: data), Scripted(1..<1))
    #expect(catalog.dataSources == [data])
    let report = try await catalog.refresh()
    #expect(report.notices.map(\.code) == [.startedAnew, .repeatedIDs])
    #expect(try await catalog.view()[1]?.name == "later")
  }

  @Test("the sources of a catalog are asked with their validators, unless they read in another way")
  func validators() async throws {
    var batch = Batch(records: [Fountain(id: 1)])
    batch.facts.validators = ["a": HTTPValidators(entityTag: "1")]
    _ = try await fountains(Scripted(.success(batch), fingerprint: "reader/1")).refresh()
    let same = Scripted(
      .success(.notModified(validators: batch.facts.validators)), fingerprint: "reader/1")
    let report = try await fountains(same).refresh(.now)
    #expect((report.outcome, report.unchanged) == (.notModified, 1))
    #expect(same.requests.map(\.validators) == [batch.facts.validators])
    let other = Scripted(.success(batch), fingerprint: "reader/2")
    #expect(try await fountains(other).refresh().notices.map(\.code) == [.startedAnew])
    #expect(other.requests.map(\.validators) == [[:]])
  }

  @Test("a source that confirms what another run has replaced leaves the newer rows' validators")
  func overtaken() async throws {
    struct Slow: RecordSource {
      let meanwhile: @Sendable () async throws -> Void

      func fetch(_ request: RecordRequest) async throws -> Batch<Fountain> {
        try await meanwhile()
        return .notModified(validators: request.validators)
      }
    }
    var (old, new) = (Batch(records: [Fountain(id: 1)]), Batch(records: [Fountain(id: 2)]))
    old.facts.validators = ["a": HTTPValidators(entityTag: "1")]
    new.facts.validators = ["a": HTTPValidators(entityTag: "2")]
    _ = try await fountains(Scripted(.success(old))).refresh()
    let other = fountains(Scripted(.success(new)))
    let slow = fountains(Slow { try await other.refresh(.now) })
    #expect(try await slow.refresh(.now).outcome == .notModified)
    #expect(try await slow.view().all.map(\.id) == [2])
    let next = Scripted(.success(new))
    _ = try await fountains(next).refresh(.now)
    #expect(next.requests.map(\.validators) == [new.facts.validators])
  }

  // MARK: Downloads and files

  private static let bodies = [
    #"[{"id":1,"name":"a"},{"id":"2"},{"name":"c"}]"#, "id,name\n1,a\n2,\n,c\n",
    #"{"data":[{"id":1,"name":"a"},{"id":2},{"id":"x","name":"c"}]}"#,
  ]

  @Test(
    "the sources of a catalog read the same rows from a URL and from a file, in any format",
    arguments: bodies)
  func download(body: String) async throws {
    let transport = StubTransport {
      $0.on(
        "fountains.rows",
        respond: .text(
          body,
          fields: ["ETag": "\"1\"", "Date": "Wed, 31 Dec 2025 00:00:00 GMT"]))
    }
    let url = URL(literal: "https://example.org/fountains")
    let source = Download<Fountain>(url, transport: transport, operation: "fountains.rows")
    let batch = try await source.fetch(RecordRequest())
    #expect(batch.records == [Fountain(id: 1, name: "a"), Fountain(id: 2)])
    #expect(batch.failures.map(\.index) == [2])
    #expect(batch.facts.rowCount == 3)
    #expect(batch.facts.validators == [url.absoluteString: HTTPValidators(entityTag: "\"1\"")])
    #expect(batch.facts.serverDate == Date(timeIntervalSince1970: 1_767_139_200))
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "fountains")
    try Data(body.utf8).write(to: file)
    let read = try await FileRows<Fountain>(file).fetch(RecordRequest())
    #expect(read.records == batch.records)
    #expect(read.failures == batch.failures)
    #expect(read.facts.origin == file)
  }

  @Test("the sources of a catalog read anything by a closure")
  func closure() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "fountains.txt")
    try Data("1 2 3".utf8).write(to: file)
    let read: @Sendable ([UInt8]) throws -> Batch<Fountain> = { bytes in
      let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
      return Batch(records: words.compactMap { Int($0) }.map { Fountain(id: $0) })
    }
    #expect(
      try await fountains(FileRows(file, fingerprint: "words/1", reading: read)).refresh().added
        == 3)
    let transport = StubTransport { $0.on("rows", respond: .text("3 4")) }
    let source = Download<Fountain>(
      URL(literal: "https://example.org/"), transport: transport, deletion: .never,
      fingerprint: "words/1"
    ) { bytes, _ in try read(bytes) }
    #expect(try await fountains(source).refresh(.now).added == 1)
  }

  @Test("the sources of a catalog limit the size of a response")
  func responseLimit() async throws {
    let transport = StubTransport { $0.on("rows", respond: .json(text: "[{\"id\":1}]")) }
    let url = URL(literal: "https://example.org/")
    let cases: [(Int?, Int)] = [(nil, 256 << 20), (1_000, 1_000)]
    for (limit, expected) in cases {
      var source = Download<Fountain>(url, transport: transport)
      if let limit { source = Download(url, transport: transport, byteLimit: limit) }
      _ = try await source.fetch(RecordRequest())
      #expect(source.byteLimit == expected)
      #expect(transport.requests.last?.responseLimit == expected)
    }
  }

  @Test("the sources of a catalog name the operation and the reason if a file can't be read")
  func files() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "fountains.json")
    try Data("[{\"id\":1".utf8).write(to: file)
    let cases: [(FileRows<Fountain>, FieldError.Code)] = [
      (FileRows(file), .cut), (FileRows(file, byteLimit: 3), .responseTooLarge),
      (FileRows(folder.url), .io), (FileRows(folder.url.appending(path: "none")), .io),
      (FileRows(URL(literal: "https://example.org/")), .invalidInput),
    ]
    for (source, code) in cases {
      let error = await #expect(throws: FieldError.self) {
        try await source.fetch(RecordRequest())
      }
      #expect(error?.code == code && error?.operation == "rows.file")
    }
  }
}
