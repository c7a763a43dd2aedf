import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing

@Suite("The core's golden files", .timeLimit(.minutes(60)))
struct CoreGoldenTests {
  private static let golden = Golden("core-2")
  /// The files of a version that stored records as JSON by default.
  private static let json = Golden("core")
  private static let exchange = Golden("core-exchange")
  private static let start = Date(timeIntervalSince1970: 1_767_225_600)

  /// A record in the default form.
  private struct Book: StoredRecord, Hashable {
    var id: Int
    var title: String
    var price: Double
    var lent: Date?

    static var storedName: String { "GoldenBook" }
    static var formatVersion: Int { 3 }
  }

  private static let checkpoint = Checkpoint(
    lastSuccess: start, fingerprint: "golden/1",
    validators: [
      "https://books.example/a": HTTPValidators(
        entityTag: "\"a\"", lastModified: "Thu, 01 Jan 2026 00:00:00 GMT")
    ], cursors: ["books": "2026-01-01/7"])

  // MARK: Writing

  /// A store with all kinds of commits, one that lost its tail, one that was emptied and compacted, and
  /// two blobs, of which one is claimed.
  private static func write(to folder: URL) async throws {
    let storage = Storage.directory(folder, clock: ManualClock(now: start))
    let books = try storage.records("books", of: Book.self)
    try await books.commit(
      Changes(upserting: [
        Book(id: 1, title: "gone", price: 1), Book(id: 2, title: "gone", price: 2),
      ]),
      checkpoint: nil, expecting: nil)
    var changes = Changes<Book>()
    changes.removeAll()
    for id in 3...6 { changes.upsert(Book(id: id, title: "書\(id)", price: .infinity, lent: start)) }
    try await books.commit(changes, checkpoint: checkpoint, expecting: nil)
    changes = Changes()
    changes.remove(4)
    changes.remove(5)
    changes.upsert(Book(id: 3, title: "A \"quoted\" title\n", price: -0.5))
    try await books.commit(changes, checkpoint: nil, expecting: nil)
    try await books.close()

    let torn = try storage.records("torn", of: Book.self)
    try await torn.commit(
      Changes(upserting: [Book(id: 1, title: "whole", price: 1)]), checkpoint: nil, expecting: nil)
    try await torn.close()
    let file = folder.appending(path: "torn.store")
    try (Data(contentsOf: file) + Data("half a frame".utf8)).write(to: file)
    let cut = try storage.records("torn", of: Book.self)
    #expect(try await cut.open().cuts.count == 1)
    try await cut.close()

    let emptied = try storage.records("emptied", of: Book.self)
    try await emptied.commit(
      Changes(upserting: [Book(id: 1, title: String(repeating: "x", count: 9_000), price: 1)]),
      checkpoint: nil, expecting: nil)
    changes = Changes()
    changes.removeAll()
    try await emptied.commit(changes, checkpoint: checkpoint, expecting: nil)
    try await emptied.close()

    let blobs = try storage.blobs("golden")
    let claimed = try await blobs.put(Array("claimed".utf8))
    try await blobs.claim([claimed.id])
    try await blobs.put(Array("unclaimed".utf8)).end()
    claimed.end()
  }

  @Test("the core's golden files are written", Golden.writing)
  func writing() async throws {
    try await Self.golden.replace { try await Self.write(to: $0) }
    try await Self.exchange.replace { try Self.export(to: $0) }
  }

  @Test("the core's golden files are identical today", Golden.reading)
  func sameBytes() async throws {
    try await Self.golden.expectSame { try await Self.write(to: $0) }
    try await Self.exchange.expectSame { try Self.export(to: $0) }
  }

  // MARK: Reading

  @Test(
    "the core's golden files have the records and the checkpoint", Golden.reading,
    arguments: [Self.golden, Self.json])
  func records(golden: Golden) async throws {
    let folder = try golden.copy()
    let books = try Storage.directory(folder.url).records("books", of: Book.self)
    let report = try await books.open()
    #expect(report.cuts.isEmpty && report.setAside.isEmpty && report.recordCount == 2)
    let snapshot = try await books.snapshot()
    #expect(
      Array(snapshot) == [
        Book(id: 3, title: "A \"quoted\" title\n", price: -0.5),
        Book(id: 6, title: "書6", price: .infinity, lent: Self.start),
      ])
    #expect(snapshot.checkpoint == Self.checkpoint)
    #expect(snapshot.revision == Revision(number: 3))
    try await books.close()
  }

  @Test(
    "the core's golden files have the base that a compaction left, and a part that was set aside",
    Golden.reading,
    arguments: [Self.golden, Self.json])
  func compactedAndTorn(golden: Golden) async throws {
    let folder = try golden.copy()
    let storage = Storage.directory(folder.url)
    let emptied = try storage.records("emptied", of: Book.self)
    let snapshot = try await emptied.snapshot()
    #expect(snapshot.isEmpty && snapshot.checkpoint == Self.checkpoint)
    #expect(snapshot.revision == Revision(number: 2))
    try await emptied.close()
    let torn = try storage.records("torn", of: Book.self)
    let report = try await torn.open()
    #expect(report.recordCount == 1 && report.cuts.isEmpty)
    #expect(report.setAside.map(\.lastPathComponent) == ["torn.store.damaged-1"])
    let saved = try Data(contentsOf: folder.url.appending(path: "torn.store.damaged-1"))
    #expect(saved == Data("half a frame".utf8))
    try await torn.close()
  }

  @Test(
    "the core's golden files have the blobs, and know which one is claimed", Golden.reading,
    arguments: [Self.golden, Self.json, Golden("blobs-1")])
  func blobs(golden: Golden) async throws {
    let folder = try golden.copy()
    let (claimed, unclaimed) = (
      BlobID(of: Array("claimed".utf8)), BlobID(of: Array("unclaimed".utf8))
    )
    // Years after the files were copied, so that no blob is spared because it is new.
    let clock = ManualClock(now: Date() + 100_000_000)
    let blobs = try Storage.directory(folder.url, clock: clock).blobs("golden")
    #expect(try await blobs.bytes(of: claimed) == Array("claimed".utf8))
    #expect(try await blobs.bytes(of: unclaimed) == Array("unclaimed".utf8))
    try await blobs.sweepUnclaimed(releasing: []) { [claimed] }
    #expect(try await blobs.contains(claimed))
    #expect(try await !blobs.contains(unclaimed))
  }

  // MARK: Exchange

  /// Values that a user may store as JSON.
  private struct Values: Codable, Equatable {
    var report: RefreshReport
    var checkpoint: Checkpoint
    var source: DataSource
    var policy: DeletionPolicy
    var day: CalendarDay
    var zone: FixedZone
    var place: Coordinate
    var box: GeoBox
    var circle: GeoCircle
    var distance: Distance
    var line: EncodedPolyline
    var format: AssetFormat
    var blob: BlobID
    var revision: Revision
    var price: ValueRange<Double>
  }

  private static func values() throws -> Values {
    let place = try Coordinate(latitude: 24.9971, longitude: 121.5832)
    return Values(
      report: RefreshReport(
        outcome: .updated, rows: 9, added: 4, updated: 3, removed: 2, unchanged: 1,
        failures: [RowFailure(index: 3, key: "k", excerpt: "{\"id\":", reason: "no name")],
        failureCount: 1_001,
        notices: [RefreshReport.Notice(.removalSkipped, "nothing was removed")],
        origin: address("https://books.example/a?b=c"), date: start),
      checkpoint: checkpoint,
      source: DataSource(
        name: "Books", chineseName: "書", publisher: "p", page: address("https://books.example"),
        license: "l", attribution: "a"),
      policy: .bySnapshot, day: try CalendarDay("2026-02-28"), zone: .taipei, place: place,
      box: try GeoBox(south: -1.5, west: 179, north: 2, east: -179),
      circle: GeoCircle(center: place, radius: .meters(12.5)), distance: .meters(1_000.25),
      line: EncodedPolyline([place, try Coordinate(latitude: 25, longitude: 121)]),
      format: .jpeg, blob: BlobID(of: [1, 2, 3]), revision: Revision(number: 7),
      price: ValueRange(lower: 1, upper: 2.5))
  }

  private static func export(to folder: URL) throws {
    try Golden.json(try values()).write(to: folder.appending(path: "values.json"))
  }

  @Test("the core's golden files in JSON are the written values", Golden.reading)
  func values() throws {
    let read = try JSONDecoder().decode(Values.self, from: Self.exchange.bytes("values.json"))
    #expect(read == (try Self.values()))
  }

  @Test("the core's golden files with an older key of the license are the written values")
  func olderValues() throws {
    let bytes = try Golden("core-exchange-1").bytes("values.json")
    #expect(try JSONDecoder().decode(Values.self, from: bytes) == (try Self.values()))
  }
}
