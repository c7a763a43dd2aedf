import FieldCore
import Foundation
import TestSupport
import Testing
import WalkKit

@Suite("Damaged documents", .timeLimit(.minutes(60)), .heavy)
struct ImportFuzzTests {
  private static let values = [
    "null", "true", "0", "-1", "1e400", "9223372036854775808", "\"\"", "\"NaN\"", "[]", "{}",
    "\"\\ud800\"", "\"a/b\"", "[[[[]]]]", "\"9999-12-31 23:59:59\"", "\"0000-01-01 00:00:00\"",
    "\"\\u0000\"", "{\"_seconds\": 1e300}", "{\"stringValue\": {}}", "{\"fields\": []}",
  ]

  @Test("damaged documents cause a typed error or usable records, never a crash")
  func mutations() throws {
    var (errors, reads) = (0, 0)
    let seeds = Sample.of(UInt64(700)..<4700, 300)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      var bytes = Array(WalkImportTests.readme.utf8)
      for _ in 0...Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.removeSubrange(place..<min(place + 40, bytes.count))
        case 3: bytes.insert(contentsOf: Array("{[]}\",:".utf8).shuffled(using: &random), at: place)
        default: replaceValue(in: &bytes, after: place, &random)
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      do {
        let old = try WalkImport(reading: Data(bytes), clock: WalkImportTests.clock)
        reads += 1
        check(old, seed)
      } catch {
        errors += 1
        #expect(error is FieldError, "seed \(seed): \(error)")
      }
    }
    #expect(errors > seeds.count / 40)
    #expect(reads > seeds.count / 40)
  }

  @Test("documents truncated at any byte cause a typed error")
  func cut() throws {
    let bytes = Array(WalkImportTests.readme.utf8)
    let last = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
    for length in Sample.of(0...last, 100) {
      let error = #expect(throws: FieldError.self) {
        try WalkImport(reading: Data(bytes[..<length]))
      }
      #expect(["rows.cut", "rows.empty"].contains(error?.code.rawValue), "\(length)")
    }
  }

  @Test("damaged archives cause a typed error or an archive that can be written")
  func archives() throws {
    let archive = WalkArchive(
      pets: [], walks: try WalkSample.many(3, seed: 1), exported: .distantPast)
    let json = Array(try archive.json())
    for seed in Sample.of(UInt64(5000)..<6000, 100) {
      var random = SeededGenerator(seed: seed)
      var bytes = json
      let place = Int.random(in: 0..<bytes.count, using: &random)
      if Bool.random(using: &random) {
        bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
      } else {
        replaceValue(in: &bytes, after: place, &random)
      }
      do {
        let back = try WalkArchive(reading: Data(bytes))
        _ = try back.json()
        _ = WalkStatistics(back.walks)
        _ = Badges.earned(by: back.walks, of: WalkSample.mesh)
        _ = WalkExport(pets: back.pets, walks: back.walks).json()
      } catch {
        #expect(error is FieldError, "seed \(seed): \(error)")
      }
    }
  }

  /// Whatever was read can be counted, written and read again.
  private func check(_ old: WalkImport, _ seed: UInt64) {
    #expect(Set(old.pets.map(\.id)).count == old.pets.count, "seed \(seed)")
    #expect(Set(old.walks.map(\.id)).count == old.walks.count, "seed \(seed)")
    let json = WalkExport(pets: old.pets, walks: old.walks).json()
    do {
      let back = try WalkImport(reading: json, clock: WalkImportTests.clock)
      #expect(back.walks.count == old.walks.count, "seed \(seed)")
      #expect(back.pets.map(\.id) == old.pets.map(\.id), "seed \(seed)")
      let archive = WalkArchive(pets: old.pets, walks: old.walks, exported: .distantPast)
      #expect(try WalkArchive(reading: archive.json()) == archive, "seed \(seed)")
    } catch {
      Issue.record("seed \(seed): \(error)")
    }
    let figures = WalkStatistics(old.walks)
    #expect(figures.duration >= .zero, "seed \(seed)")
    _ = Badges.earned(by: old.walks)
    _ = StreakRule().streak(of: old.walks, on: .last)
  }

  /// Puts another value where one stands behind a colon or a bracket.
  private func replaceValue(
    in bytes: inout [UInt8], after place: Int, _ random: inout SeededGenerator
  ) {
    guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { return }
    var end = colon + 1
    var isText = false
    while end < bytes.count, isText || ![0x2C, 0x7D, 0x5D].contains(bytes[end]) {
      if bytes[end] == 0x22 { isText.toggle() }
      end += 1
    }
    let value = Self.values.randomElement(using: &random) ?? "null"
    bytes.replaceSubrange((colon + 1)..<end, with: Array(value.utf8))
  }
}
