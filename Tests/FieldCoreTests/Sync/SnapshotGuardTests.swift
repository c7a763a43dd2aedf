import FieldCore
import Foundation
import Testing

@Suite("A snapshot guard")
struct SnapshotGuardTests {
  private let snapshotGuard = SnapshotGuard()

  private func check(
    rows: Int, announced: Int? = nil, failed: Int = 0, stored: Int = 0,
    by snapshotGuard: SnapshotGuard = SnapshotGuard()
  ) -> FieldError.Code? {
    do {
      try snapshotGuard.check(
        rows: rows, announced: announced,
        failures: (0..<failed).map { RowFailure(index: $0, reason: "bad") }, stored: stored)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    "a snapshot guard rejects exactly 1,000 rows if more are stored",
    arguments: [
      (999, 1_001, false), (1_000, 999, false), (1_000, 1_000, false), (1_000, 1_001, true),
      (1_001, 1_002, false), (1_000, 45_716, true),
    ])
  func pageSize(rows: Int, stored: Int, isRefused: Bool) {
    #expect(check(rows: rows, stored: stored) == (isRefused ? .snapshotRefused : nil))
    #expect(check(rows: rows, stored: stored, by: SnapshotGuard(pageSize: nil)) == nil)
  }

  @Test(
    "a snapshot guard accepts up to 5 % of rows that fail, and up to 10 that are fewer than half",
    arguments: [
      (1_000, 50, false), (1_000, 51, true), (200, 10, false), (200, 11, true), (100, 10, false),
      (100, 11, true), (20, 9, false), (20, 10, true), (19, 1, false), (2, 1, false), (4, 2, true),
      (1, 0, false),
    ])
  func failures(rows: Int, failed: Int, isRefused: Bool) {
    #expect(check(rows: rows, failed: failed) == (isRefused ? .snapshotRefused : nil))
    #expect(
      check(rows: rows, failed: rows, by: SnapshotGuard(maximumFailedFraction: 1)) == nil)
  }

  @Test("a snapshot guard accepts no fewer rows than announced, and never none at all")
  func announced() {
    #expect(check(rows: 9, announced: 10) == .snapshotRefused)
    #expect(check(rows: 10, announced: 10) == nil)
    #expect(check(rows: 11, announced: 10) == nil)
    #expect(check(rows: 0) == .snapshotRefused)
    #expect(check(rows: 0, announced: 0) == .snapshotRefused)
    #expect(check(rows: 1) == nil)
  }

  @Test(
    "a snapshot guard lets up to 5 % of the records vanish, and up to 10 that are under half",
    arguments: [
      (50, 1_000, false), (51, 1_000, true), (10, 200, false), (11, 200, true), (6, 58, false),
      (10, 58, false), (11, 58, true), (29, 58, true), (9, 20, false), (10, 20, true),
      (1, 19, false), (1, 2, false), (2, 4, true), (3, 3, true), (0, 0, false),
    ])
  func removed(count: Int, stored: Int, isRefused: Bool) {
    do {
      try snapshotGuard.check(removed: count, stored: stored)
      #expect(!isRefused)
    } catch {
      #expect(isRefused && error.code == .snapshotRefused)
    }
  }

  @Test("a snapshot guard allows nothing at all to vanish or fail if the fraction is 0")
  func zero() {
    let strict = SnapshotGuard(maximumRemovedFraction: 0, maximumFailedFraction: 0, pageSize: nil)
    #expect(throws: FieldError.self) { try strict.check(removed: 1, stored: 100) }
    #expect(check(rows: 100, failed: 1, by: strict) == .snapshotRefused)
    #expect(check(rows: 100, by: strict) == nil)
  }

  @Test("a snapshot guard is read from the form that older versions wrote")
  func olderForm() throws {
    let older = #"{"maximumRemovedFraction":0.5,"maximumFailedFraction":0.25,"pageSize":7}"#
    let decoded = try JSONDecoder().decode(SnapshotGuard.self, from: Data(older.utf8))
    let expected = SnapshotGuard(
      maximumRemovedFraction: 0.5, maximumFailedFraction: 0.25, pageSize: 7)
    #expect(decoded == expected)
  }

  @Test("a snapshot guard accepts a portal's first page once after a person's consent")
  func acceptedPage() {
    let accepting = snapshotGuard.accepting(.acceptingRemovals(upTo: 3))
    #expect(check(rows: 1_000, stored: 1_003) == .snapshotRefused)
    #expect(check(rows: 1_000, stored: 1_003, by: accepting) == nil)
    #expect(check(rows: 1_000, stored: 1_004, by: accepting) == .snapshotRefused)
    #expect(check(rows: 9, announced: 10, stored: 10, by: accepting) == .snapshotRefused)
  }
}
