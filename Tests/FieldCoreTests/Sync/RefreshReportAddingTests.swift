import FieldCore
import Foundation
import Testing

@Suite("A refresh report of several parts")
struct RefreshReportAddingTests {
  static let date = Date(timeIntervalSince1970: 1_767_225_600)

  func failures(_ count: Int) -> [RowFailure] {
    (0..<count).map { RowFailure(index: $0, reason: "odd") }
  }

  @Test(
    "a refresh report of several parts has the counts of all, and its own outcome, URL, and date")
  func sums() {
    var report = RefreshReport(
      outcome: .unchanged, rows: 3, added: 1, updated: 1, removed: 1, unchanged: 1,
      failures: failures(1), origin: URL(filePath: "/one"), date: Self.date)
    report.addCounts(
      of: RefreshReport(
        outcome: .updated, rows: 30, added: 10, updated: 20, removed: 30, unchanged: 40,
        failures: failures(2), notices: [RefreshReport.Notice(.resumed, "went on")],
        origin: URL(filePath: "/two"), date: Self.date + 60))
    #expect(
      report
        == RefreshReport(
          outcome: .unchanged, rows: 33, added: 11, updated: 21, removed: 31, unchanged: 41,
          failures: failures(1) + failures(2),
          notices: [RefreshReport.Notice(.resumed, "went on")],
          origin: URL(filePath: "/one"), date: Self.date))
  }

  @Test("a refresh report of several parts counts all failures, and keeps the first thousand")
  func failuresKept() {
    var report = RefreshReport(outcome: .unchanged, failures: failures(600), date: Self.date)
    report.add(failures(300))
    report.addCounts(
      of: RefreshReport(
        outcome: .unchanged, failures: failures(1_000), failureCount: 5_000, date: Self.date))
    #expect(report.failureCount == 5_900)
    #expect(report.failures == failures(600) + failures(300) + failures(100))
  }
}
