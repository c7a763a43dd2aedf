import FieldCore
import FieldTesting
import Foundation
import TestSupport
import Testing

@Suite("The conformance suite of kits", .timeLimit(.minutes(60)))
struct KitConformanceTests {
  private static let rows = #"""
    [{"id":"1","name":"a","mass":1},{"id":"2","name":"b","mass":2},{"id":"3","name":"c","mass":3}]
    """#

  /// Lacks a record, repeats an ID, and has a row of a stored record that can't be read.
  private static let later =
    #"[{"id":"1","name":"b"},{"id":"1","name":"c"},{"id":"3","name":null}]"#

  /// The row without an ID may be that of a record that is missing.
  private static let unidentified =
    #"[{"id":"1","name":"b"},{"id":"1","name":"c"},{"name":"d"}]"#

  private static func answer(_ rows: String) -> KitConformance.Answer {
    { _ in TransportResponse(status: 200, body: .text(rows)) }
  }

  private static func failures(
    _ defect: KitDefect?, excluding: Set<KitConformance.Case> = [], later: String = later,
    patience: Duration = .seconds(120)
  ) async throws -> [ConformanceFailure<KitConformance.Case>] {
    let catalogs = Lock<[Catalog<Stone>]>([])
    return try await KitConformance.failures(excluding: excluding, patience: patience) {
      try DefectiveKit($0, defect, catalogs)
    } responding: {
      try await answer(rows)($0)
    } later: {
      try await answer(later)($0)
    } lacking: {
      try await answer(#"[{"id":"2","name":"b","mass":2}]"#)($0)
    } unreadable: {
      try await answer(rows.replacing(#""mass":3"#, with: #""mass":"heavy""#))($0)
    } upgrading: { bench in
      let url = try DefectiveKit.url
      if defect == .ignoresNewColumns {
        return Catalog<Stone>(
          "stones", at: url, storage: bench.storage, transport: bench.transport, clock: bench.clock)
      }
      return Catalog<ColoredStone>(
        "stones", at: url, storage: bench.storage, transport: bench.transport, clock: bench.clock)
    } damage: {
      try await $0.damage()
    } following: {
      $0.following()
    } content: {
      try await $0.ids()
    }
  }

  @Test(
    "the conformance suite of kits finds nothing wrong with a catalog",
    arguments: [later, unidentified])
  func sound(later: String) async throws {
    #expect(try await Self.failures(nil, later: later).map(\.description) == [])
  }

  @Test("the conformance suite of kits has a planted defect for every case")
  func completeness() {
    let found = Set(KitDefect.allCases.map(\.testCase))
    #expect(KitConformance.allCases.filter { !found.contains($0) }.map(\.rawValue) == [])
  }

  /// The defects that all cases are tried with, and not only the one that finds it.
  private static let whole = Sample.of(
    KitDefect.allCases.filter { !KitDefect.waits.contains($0) }, inDebug: 4)

  @Test(
    "the conformance suite of kits finds what is wrong with a kit", arguments: KitDefect.allCases)
  func defective(defect: KitDefect) async throws {
    let failures = try await Self.failures(
      defect,
      excluding: Self.whole.contains(defect)
        ? [] : Set(KitConformance.allCases).subtracting([defect.testCase]),
      later: defect == .hidesSkippedRemovals ? Self.unidentified : Self.later,
      patience: KitDefect.waits.contains(defect) ? .seconds(2) : .seconds(20))
    #expect(failures.contains { $0.testCase == defect.testCase }, "\(failures)")
  }

  @Test(
    "the conformance suite of kits finds concurrent calls that don't meet in every run", .heavy,
    arguments: KitDefect.races)
  func everyRun(defect: KitDefect) async throws {
    for run in 1...Sample.rounds(25, 5, inDebug: 3) {
      let failures = try await Self.failures(
        defect, excluding: Set(KitConformance.allCases).subtracting([defect.testCase]),
        patience: .seconds(60))
      #expect(failures.map(\.testCase) == [defect.testCase], "run \(run): \(failures)")
    }
  }
}
