import FieldCore
import Foundation
import TestSupport
import Testing

@testable import WalkKit

@Suite("Documents designed to do harm", .timeLimit(.minutes(60)))
struct HostileDocumentTests {
  private let bench = DiaryBench()
  private var diary: WalkDiary { bench.diary }

  @Test(
    "a walk of an archive with an unrepresentable duration is skipped and reported",
    arguments: [
      "[9223372036854775807,0]", "[-9223372036854775808,0]", "[100000000000000,0]", "1e300",
      "9300000000000000000", "-9300000000000000000",
    ],
    ["duration", "elapsed", "movingTime"])
  func durations(duration: String, key: String) async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    try await bench.save("w", of: [pet])
    try await bench.save("x", of: [pet], hour: 1)
    let text = String(decoding: try await diary.archive().json(), as: UTF8.self)
    let second = try #require(text.range(of: "\"id\":\"w\""))
    let start = try #require(
      text.range(
        of: "\"\(key)\":", options: key == "duration" || key == "elapsed" ? .backwards : [],
        range: key == "movingTime"
          ? second.upperBound..<text.endIndex : text.startIndex..<second.lowerBound))
    let end = try #require(text[start.lowerBound...].firstIndex { ",}".contains($0) })
    let broken = text.replacingCharacters(
      in: start.lowerBound..<end, with: "\"\(key)\":\(duration)")
    let archive = try WalkArchive(reading: Data(broken.utf8))
    #expect(archive.walks.map(\.id.rawValue) == ["x"])
    #expect(archive.problems.count == 1)
    let other = DiaryBench()
    try await other.diary.add(archive)
    #expect(try await other.diary.statistics().walkCount == 1)
  }

  @Test("a walk that no store could return is rejected by the store")
  func unstorable() async throws {
    let pet = try await diary.register(DiaryBench.form("a"))
    var walk = try await bench.save("w", of: [pet])
    walk.id = Walk.ID(rawValue: "long")
    walk.elapsed = .seconds(1 << 50)
    let refused = walk
    #expect(
      await code { _ = try await diary.core.stored.save(refused) } == .invalidInput)
    #expect(try await diary.walks().count == 1)
  }

  @Test("one walk isn't shared by more pets than a walk allows")
  func sharedByAll() throws {
    let pets = (0..<600).map {
      #"{"name":"\#($0)","walks":[{"key":"w","date":"2020-01-29 20:04:23","duration":1}]}"#
    }
    let old = try WalkImport(
      reading: Data("[\(pets.joined(separator: ","))]".utf8), clock: bench.clock)
    #expect(old.walks.map(\.pets.count).max() == 256)
    #expect(old.walks.reduce(0) { $0 + $1.pets.count } == 600)
    #expect(Set(old.walks.map(\.id)).count == old.walks.count)
  }

  @Test("thousands of pets with one name are read and named in less than quadratic time")
  func sameNames() async throws {
    let count = Sample.rounds(10_000, 1_500, inDebug: 750)
    let text = "[" + Array(repeating: #"{"name":"콩"}"#, count: count).joined(separator: ",") + "]"
    let old = try WalkImport(reading: Data(text.utf8), clock: bench.clock)
    #expect(Set(old.pets.map(\.id)).count == count)
    let additions = try await diary.add(old)
    #expect(additions.added.pets.count == count)
    #expect(additions.added.pets.last?.name == "콩 (\(count))")
    #expect(try await diary.add(old).added.isEmpty)
  }

  @Test(
    "documents as deep as JSON may be fit the stack of a task",
    arguments: [
      (#"{"type":"FeatureCollection","features":["#, "]}"),
      (#"{"type":"GeometryCollection","geometries":["#, "]}"),
      (#"{"mapValue":{"fields":{"a":"#, "}}}"), (#"{"arrayValue":{"values":["#, "]}}"), ("[", "]"),
      (#"{"walks":"#, "}"),
    ])
  func deep(open: String, close: String) throws {
    let levels = 120 / open.filter { "[{".contains($0) }.count
    let inner =
      String(repeating: open, count: levels) + "1" + String(repeating: close, count: levels)
    let clock = bench.clock
    try onSmallStack {
      _ = try? WalkRoute(geoJSON: Data(inner.utf8))
      for name in ["walks", "name", "fields"] {
        _ = try? WalkImport(reading: Data(#"[{"\#(name)":\#(inner)}]"#.utf8), clock: clock)
      }
      _ = try? WalkArchive(reading: Data(#"{"format":1,"walks":\#(inner)}"#.utf8))
    }
  }
}
