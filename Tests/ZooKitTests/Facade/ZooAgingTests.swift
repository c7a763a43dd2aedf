import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("A zoo that is refreshed for a year", .timeLimit(.minutes(60)))
struct ZooAgingTests {
  /// `FIELDKIT_AGING_REFRESHES=8760` is the long form: a year of hours.
  private static let refreshCount =
    ProcessInfo.processInfo.environment["FIELDKIT_AGING_REFRESHES"].flatMap { Int($0) }
    ?? Sample.rounds(96, 96, inDebug: 60)

  private let root = "/\(UUID().uuidString)"
  private let files = MemoryFileSystem()
  private let clock = ManualClock(now: Samples.noon)
  private let source = ScriptedZoo([])

  private func zoo() -> Zoo {
    Zoo(
      sources: source.sources, storage: Storage(FileSystemStorage(root, files, clock: clock)),
      clock: clock,
      policy: .every(.seconds(3_600)))
  }

  /// A hundred animals, one of which has changed in each hour.
  private func animals(hour: Int) -> [Animal] {
    (0..<100).map { place in
      let version = (hour + 99 - place) / 100
      let link = ZooLink("http://www.zoo.gov.tw/\(place)/\(version).jpg")
      return Animal(
        name: "動物\(place) " + String(repeating: "x", count: 400) + "\(version)",
        pictures: [ZooMedia(number: 1, link: link)])
    }
  }

  private var size: Int { files["\(root)/zoo.store"]?.count ?? 0 }

  /// The calls and the bytes read that opening and closing takes.
  private func opening() async throws -> (calls: Int, bytes: Int) {
    let before = (files.callCount, files.readByteCount)
    let zoo = zoo()
    #expect(try await zoo.open().isClean)
    try await zoo.close()
    return (files.callCount - before.0, files.readByteCount - before.1)
  }

  @Test("a zoo refreshed for a year stays within twice its content, and leaks nothing", .heavy)
  func hours() async throws {
    var fresh = 0
    var first: (calls: Int, bytes: Int)?
    var largest = 0
    var hour = 0
    while hour < Self.refreshCount {
      // The app is used for two days at a time.
      let zoo = zoo()
      for _ in 0..<min(48, Self.refreshCount - hour) {
        source.give(Batch<ZooRecord>(animals: animals(hour: hour)))
        #expect(try await zoo.refresh().outcome == .updated, "hour \(hour)")
        #expect(try await zoo.refresh().outcome == .notDue, "hour \(hour)")
        if hour == 0 { fresh = size }
        largest = max(largest, size)
        #expect(files.openCount <= 4, "two stores and their locks")
        hour += 1
        // After exactly an hour, the data would still be fresh.
        clock.advance(by: .seconds(3_601))
      }
      try await zoo.close()
      #expect(files.openCount == 0)
      #expect(clock.sleeperCount == 0)
      // Closing writes the lock file of the sightings for the first time, which openings read from then on.
      if first == nil { _ = try await opening() }
      let cost = try await opening()
      #expect(cost.calls == first?.calls ?? cost.calls, "hour \(hour)")
      #expect(cost.bytes <= size + 2 * 65_536, "hour \(hour)")
      first = first ?? cost
    }
    try #require(fresh > 32_768, "the file must be large enough to be compacted")
    // The last commit may have made the file too large before the compaction.
    #expect(largest <= 2 * fresh + 8_192, "\(largest) bytes for \(fresh)")
    let last = try await zoo().view()
    let isEqual = Set(last.animals.map(\.name)) == Set(animals(hour: hour - 1).map(\.name))
    #expect(isEqual)
    let names = files.paths.filter { $0.hasPrefix(root) && !$0.hasSuffix(".lock") }
    #expect(names.allSatisfy { $0.hasSuffix(".store") }, "\(names)")
    #expect(files.closedTwice.isEmpty)
  }
}
