import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("The core's models")
struct CoreModelJSONTests {
  private static let date = Date(timeIntervalSince1970: 1_767_225_600)

  /// An error of a user's transport.
  private struct Refusal: Error, CustomStringConvertible {
    var description: String { "refused by https://me:pw@host.example/a?b=c&token=abc" }
  }

  private static func models() throws -> [String: any Codable] {
    let place = try Coordinate(latitude: 24.9971, longitude: 121.5832)
    let point = TrackPoint(coordinate: place, elevation: 12.5, time: date, accuracy: .meters(4))
    let error = FieldError(
      .status, "the server answered 503", problems: ["busy"], operation: "books.page",
      response: .init(
        status: 503, fields: ["Retry-After": "5", "Set-Cookie": "id=secret"],
        url: address("https://me:pw@books.example/a?token=abc&page=2")),
      underlying: FieldError(.timeout, "no answer", underlying: Refusal()))
    let report = RefreshReport(outcome: .updated, rows: 3, added: 3, date: date)
    return [
      "asset": Asset(
        data: Data([1, 2, 3]), format: .png, origin: .network, fetchedAt: date,
        refreshFailure: FieldError(.offline, "offline")),
      "assetReport": AssetReport(),
      "assetLimits": AssetLimits(),
      "blobStatus": BlobStatus(byteCount: 3, file: address("file:///data/a")),
      "error": error,
      "grid": try GeoGrid(cellSize: 5),
      "idKeys": [RecordID<Track>(rawValue: "ridge"): Distance.kilometers(12)],
      "keyPage": KeyPage(ids: ["1"], facts: PageMetadata(rowCount: 1)),
      "numbers": NumberStyle.grouped,
      "opening": OpeningReport(
        revision: Revision(number: 3), recordCount: 4,
        cuts: [
          .init(
            file: address("file:///data/a.store"), offset: 12, byteCount: 3, reason: "torn",
            revisions: Revision(number: 1)...Revision(number: 2))
        ]),
      "pageMetadata": PageMetadata(
        rowCount: 1, rowHashes: [3],
        end: SyncPosition(stamp: "2026-01-01T00:00:00.000Z", key: "row-3"), isLast: true,
        announcedCount: 25, dataVersion: "7", serverDate: date,
        origin: address("https://books.example/rows"),
        validators: ["https://books.example/rows": HTTPValidators(entityTag: "a")]),
      "pageRequests": [
        PageRequest(size: 10),
        PageRequest(
          order: .byKey(changedFrom: "2026-01-01T00:00:00.000Z"),
          position: SyncPosition(key: "row-3"), size: 10),
      ],
      "policy": RefreshPolicy(interval: .milliseconds(1_500)),
      "prefetch": AssetPrefetchReport(
        present: 1, fetched: 2,
        failures: [
          .init(
            request: AssetRequest(address("https://zoo.example/a.png"), accepting: [.png]),
            error: FieldError(.offline, "offline"))
        ]),
      "progress": [
        RefreshProgress(kit: "books", phase: .reading, fractionCompleted: 0.5, rows: 3),
        RefreshProgress(
          kit: "books", phase: .finished, fractionCompleted: 1, outcome: .finished(report)),
        RefreshProgress(
          kit: "books", phase: .finished, fractionCompleted: 1, outcome: .failed(error)),
        RefreshProgress(
          kit: "books", phase: .finished, fractionCompleted: 1, outcome: .cancelled),
      ],
      "recordPage": Batch(
        records: [PortalStone(id: "s1", value: 1)], facts: PageMetadata(rowCount: 1)),
      "snapshotGuard": SnapshotGuard(),
      "syncOptions": SyncOptions(overlap: .seconds(0.1)),
      "text": FieldText(
        "books.count", .text("a"), .count(2), .number(1.5, fractionDigits: 1),
        templates: [.english: .init(one: "{1} book", other: "{1} books"), .korean: "책 {1}권"]),
      "track": Track(name: "ridge", segments: [[point, TrackPoint(coordinate: place)]]),
    ]
  }

  @Test("the core's models have JSON that other programs can read")
  func models() throws {
    try Golden("core-models").expectModels(try Self.models())
  }

  @Test("An error keeps an unknown code, and no secrets")
  func errors() throws {
    let json = #"{"code":"future.kind","message":"one\ntwo","extra":1}"#
    let error = try JSONDecoder().decode(FieldError.self, from: Data(json.utf8))
    #expect(error.code == FieldError.Code(rawValue: "future.kind") && error.message == "one two")
    #expect(error.problems.isEmpty && error.underlying == nil)
    let models = try Self.models()
    let text = try String(decoding: Golden.json(models["error"] as? FieldError), as: UTF8.self)
    #expect(!text.contains("secret") && !text.contains("abc") && !text.contains("pw"))
    #expect(text.contains("\"Refusal\"") && text.contains("page=2"))
  }

  /// Models with durations are public in the kits; this is how the standard library encodes one.
  @Test(
    "A duration is an exact number of seconds, and its older form is accepted",
    arguments: [
      .zero, .seconds(90), .seconds(168.1), .nanoseconds(123_456_789_123), .milliseconds(-1_500),
      .seconds(Int64.max), .seconds(Int64.min),
      Duration(secondsComponent: 5, attosecondsComponent: 1),
    ])
  func durations(duration: Duration) throws {
    let policy = RefreshPolicy(interval: duration)
    let json = try Golden.json(policy)
    #expect(try JSONDecoder().decode(RefreshPolicy.self, from: json) == policy)
    let old = try JSONEncoder().encode(["interval": duration, "initialDelay": .zero])
    let limit = #","maximumDelay":1.5e3}"#
    let older = String(decoding: old, as: UTF8.self).dropLast() + limit
    let read = try JSONDecoder().decode(RefreshPolicy.self, from: Data(older.utf8))
    #expect(read.interval == duration && read.maximumDelay == .seconds(1_500))
  }
}
