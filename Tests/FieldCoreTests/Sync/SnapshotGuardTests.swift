import FieldCore
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
    "rejects exactly 1,000 rows if more are stored",
    arguments: [
      (999, 1_001, false), (1_000, 999, false), (1_000, 1_000, false), (1_000, 1_001, true),
      (1_001, 1_002, false), (1_000, 45_716, true),
    ])
  func pageSize(rows: Int, stored: Int, isRefused: Bool) {
    #expect(check(rows: rows, stored: stored) == (isRefused ? .snapshotRefused : nil))
    #expect(check(rows: rows, stored: stored, by: SnapshotGuard(pageSize: nil)) == nil)
  }

  @Test(
    "accepts up to 5 % of rows that fail",
    arguments: [(100, 5, false), (100, 6, true), (20, 1, false), (19, 1, true), (1, 0, false)])
  func failures(rows: Int, failed: Int, isRefused: Bool) {
    #expect(check(rows: rows, failed: failed) == (isRefused ? .snapshotRefused : nil))
    #expect(
      check(rows: rows, failed: rows, by: SnapshotGuard(maximumFailedFraction: 1)) == nil)
  }

  @Test("accepts no fewer rows than announced, and never none at all")
  func announced() {
    #expect(check(rows: 9, announced: 10) == .snapshotRefused)
    #expect(check(rows: 10, announced: 10) == nil)
    #expect(check(rows: 11, announced: 10) == nil)
    #expect(check(rows: 0) == .snapshotRefused)
    #expect(check(rows: 0, announced: 0) == .snapshotRefused)
    #expect(check(rows: 1) == nil)
  }

  @Test(
    "allows up to 5 % of the stored records to vanish",
    arguments: [(5, 100, false), (6, 100, true), (1, 20, false), (1, 19, true), (0, 0, false)])
  func removed(count: Int, stored: Int, isRefused: Bool) {
    do {
      try snapshotGuard.check(removed: count, stored: stored)
      #expect(!isRefused)
    } catch {
      #expect(isRefused && error.code == .snapshotRefused)
    }
  }
}
