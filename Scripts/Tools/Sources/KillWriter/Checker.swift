import FieldCore
import Foundation
import KillSupport

/// Kills writers, and looks at what they left.
struct Checker {
  private let file: URL
  private let seed: UInt64
  private var generator: SplitMix
  private var replay = Replay()
  private var summary = Summary()
  /// The batch of the store's checkpoint, which the next writer goes on from.
  private var last = 0

  struct Summary {
    var rounds = 0
    var acknowledged = 0
    var unacknowledged = 0
    var torn = 0
    var interrupted = 0
    var lost = 0
    var half = 0
    var other = 0

    var isGood: Bool { lost == 0 && half == 0 && other == 0 }
  }

  init(_ folder: URL, seed: UInt64) {
    file = folder.appending(path: "rows.store")
    self.seed = seed
    generator = SplitMix(state: seed)
  }

  mutating func run(rounds: Int) async throws -> Bool {
    for _ in 0..<rounds {
      let pause = UInt32.random(in: 5_000...80_000, using: &generator)
      let acknowledged = try killedWriter(after: pause)
      try await check(acknowledged, "round \(summary.rounds + 1), killed after \(pause) µs")
      summary.rounds += 1
      guard summary.isGood else { break }
    }
    print(
      """
      rounds \(summary.rounds), batches acknowledged \(summary.acknowledged), \
      kept beyond them \(summary.unacknowledged), torn tails \(summary.torn), \
      interrupted compactions \(summary.interrupted), lost \(summary.lost), half \(summary.half), \
      other faults \(summary.other) (seed \(seed))
      """)
    return summary.isGood
  }

  /// The last batch that a writer said it had committed before it was killed.
  private func killedWriter(after pause: UInt32) throws -> Int {
    let lines = try KilledWriter.said(writingTo: file, killedAfter: pause)
    return lines.compactMap { Int($0) }.last ?? last
  }

  private mutating func check(_ acknowledged: Int, _ round: String) async throws {
    let store = FileStore<Row>(file)
    let report = try await store.open()
    let snapshot = try await store.snapshot()
    let found = Int(snapshot.checkpoint?.cursors["batch"] ?? "0") ?? -1
    summary.acknowledged += acknowledged - last
    if found < acknowledged {
      summary.lost += acknowledged - found
      print("\(round): batches up to \(acknowledged) were acknowledged, but \(found) exist")
    }
    if found > acknowledged + 1 {
      summary.other += 1
      print("\(round): batches up to \(acknowledged) were acknowledged, but \(found) exist")
    }
    summary.unacknowledged += max(0, found - acknowledged)
    if found >= replay.count { replay.advance(to: found) }
    if Array(snapshot) != replay.rows {
      summary.half += 1
      print("\(round): the content isn't that of batches 1 to \(found)")
    }
    if snapshot.revision.number != UInt64(max(found, 0)) {
      summary.other += 1
      print("\(round): batch \(found) is at \(snapshot.revision)")
    }
    summary.interrupted += report.removedLeftovers.count
    try look(at: report.cuts, round)
    last = found
    try await store.close()
  }

  private mutating func look(at cuts: [OpeningReport.Cut], _ round: String) throws {
    guard let cut = cuts.first else { return }
    summary.torn += 1
    let saved = try cut.savedAs.map { try Data(contentsOf: $0).count }
    if cuts.count > 1 || saved != cut.byteCount {
      summary.other += 1
      print("\(round): the torn tail isn't saved, or there are several: \(cuts)")
    }
  }
}
