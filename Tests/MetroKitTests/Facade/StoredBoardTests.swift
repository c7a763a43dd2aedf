import FieldCore
import Foundation
import MetroKit
import TestSupport
import Testing

@Suite("A stored board", .timeLimit(.minutes(60)))
struct StoredBoardTests {
  @Test(
    "a stored board is restored unchanged, whatever its rows contain",
    arguments: [1, 2] as [UInt64])
  func roundTrip(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let words = ["台北車站", "淡水站", "DAAN", "", "e\u{301}", "2026-10-08T13:16:00.123", "soon"]
    func text() -> String { words[Int.random(in: 0..<words.count, using: &generator)] }
    func optional() -> String? { Bool.random(using: &generator) ? text() : nil }
    let arrivals = (0..<300).map { number in
      Arrival(
        id: Arrival.ID(rawValue: "\(number)"), sourceID: optional(), stationName: text(),
        destinationName: text(), stationEnglishName: optional(),
        destinationEnglishName: optional(),
        station: optional().map(MetroStation.ID.init(rawValue:)),
        destination: optional().map(MetroStation.ID.init(rawValue:)),
        line: optional().map(MetroLine.ID.init(rawValue:)),
        updatedAt: optional().map { FeedTime($0) },
        countdown: optional().map { Arrival.Countdown($0) }, trainNumber: optional(),
        service: optional().map { _ in .delayed })
    }
    let board = ArrivalBoard(
      arrivals, fetchedAt: Date(timeIntervalSinceReferenceDate: 81_234.567),
      serverDate: Date(timeIntervalSinceReferenceDate: 81_233),
      origin: URL(string: "https://example.org/stations.json"),
      failures: [RowFailure(index: 3, key: "k", excerpt: "{", reason: "no station")],
      validators: ["https://example.org": HTTPValidators(entityTag: "\"1\"")])
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "metro.store").path
    let first = FileStore<ArrivalBoard>(unsharedPath: path)
    try await first.commit(Changes(upserting: [board]), checkpoint: nil, expecting: nil)
    try await first.close()
    let second = FileStore<ArrivalBoard>(unsharedPath: path)
    let loaded = try #require(try await second.snapshot().first, "seed \(seed)")
    #expect(loaded == board.evaluatingFreshness(at: loaded.asOf), "seed \(seed)")
    #expect(loaded.fetchedAt == board.fetchedAt && loaded.asOf == board.fetchedAt)
    try await second.close()
  }
}
