import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("Refresh policy")
struct RefreshPolicyTests {
  static let day = 86_400.0
  static let now = Date(timeIntervalSince1970: 1_767_225_600)

  /// One row of the table: ages in seconds before now.
  struct Row: Sendable, CustomTestStringConvertible {
    var policy: RefreshPolicy = .daily
    var success: Double?
    var failures = 0
    var attempt: Double?
    var isDue: Bool
    var why: String
    var testDescription: String { why }
  }

  static let table: [Row] = [
    Row(success: nil, isDue: true, why: "never fetched"),
    Row(success: 0, isDue: false, why: "fetched just now"),
    Row(success: day - 1, isDue: false, why: "a second before the day is over"),
    Row(success: day, isDue: false, why: "exactly a day is still fresh"),
    Row(success: day + 0.001, isDue: true, why: "a millisecond after the day"),
    Row(success: day + 1, isDue: true, why: "a second after the day"),
    Row(success: 400 * day, isDue: true, why: "more than a year"),
    Row(success: -1, isDue: true, why: "a success a second in the future"),
    Row(success: -400 * day, isDue: true, why: "a clock that was set back by a year"),
    Row(success: -.infinity, isDue: true, why: "a success that never comes"),
    Row(policy: .always, success: 0, isDue: true, why: "always, fetched just now"),
    Row(policy: .always, success: nil, isDue: true, why: "always, never fetched"),
    Row(
      policy: .always, success: 10, failures: 9, attempt: 0, isDue: true,
      why: "always, after failures"),
    Row(policy: .every(.seconds(15)), success: 15, isDue: false, why: "exactly 15 seconds"),
    Row(policy: .every(.seconds(15)), success: 15.5, isDue: true, why: "15.5 of 15 seconds"),
    Row(policy: .every(.seconds(-5)), success: 0, isDue: true, why: "an interval below zero"),
    Row(success: nil, failures: 1, attempt: 59, isDue: false, why: "a minute after one failure"),
    Row(success: nil, failures: 1, attempt: 60, isDue: true, why: "the minute is over"),
    Row(success: nil, failures: 2, attempt: 119, isDue: false, why: "two minutes after two"),
    Row(success: nil, failures: 2, attempt: 120, isDue: true, why: "the two minutes are over"),
    Row(success: nil, failures: 7, attempt: 3_599, isDue: false, why: "an hour after seven"),
    Row(success: nil, failures: 7, attempt: 3_600, isDue: true, why: "the hour is the longest"),
    Row(
      success: nil, failures: .max, attempt: 3_600, isDue: true, why: "an hour after any number"),
    Row(success: nil, failures: .max, attempt: 3_599, isDue: false, why: "not before the hour"),
    Row(success: nil, failures: -3, attempt: 0, isDue: true, why: "fewer failures than none"),
    Row(success: nil, failures: 5, attempt: nil, isDue: true, why: "failures without a time"),
    Row(success: nil, failures: 5, attempt: -10, isDue: true, why: "an attempt in the future"),
    Row(success: 2 * day, failures: 1, attempt: 30, isDue: false, why: "old data, failed just now"),
    Row(success: 2 * day, failures: 1, attempt: 61, isDue: true, why: "old data, failed before"),
    Row(
      success: 10, failures: 3, attempt: 3_000, isDue: false,
      why: "fresh data stay fresh in any case"),
    Row(
      policy: .every(.seconds(15)), success: 60, failures: 6, attempt: 15, isDue: true,
      why: "failures wait no longer than the interval"),
    Row(
      policy: .every(.seconds(15)), success: 60, failures: 6, attempt: 14, isDue: false,
      why: "failures wait the interval"),
  ]

  @Test("a refresh policy reports when data is due", arguments: table)
  func due(row: Row) {
    let success = row.success.map { Self.now.addingTimeInterval(-$0) }
    let attempt = row.attempt.map { Self.now.addingTimeInterval(-$0) }
    #expect(
      row.policy.isDue(
        lastSuccess: success, now: Self.now, failures: row.failures, lastAttempt: attempt)
        == row.isDue)
  }

  @Test("a refresh policy returns the day after the last success, to the microsecond")
  func nextDay() {
    let next = RefreshPolicy.daily.nextDate(lastSuccess: Self.now, now: Self.now)
    let difference = next.timeIntervalSince(Self.now) - Self.day
    #expect(difference > 0)
    #expect(difference < 0.000_001)
  }

  @Test("a refresh policy returns now if a refresh is due")
  func nextNow() {
    for success in [
      nil, Self.now.addingTimeInterval(-Self.day * 3), Self.now.addingTimeInterval(9),
    ] {
      #expect(RefreshPolicy.daily.nextDate(lastSuccess: success, now: Self.now) == Self.now)
    }
  }

  @Test(
    "a refresh policy is due from the date that it returns on, and not before, for any input",
    arguments: 1...8 as ClosedRange<UInt64>)
  func law(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let policy = RefreshPolicy(
        interval: .milliseconds(Int.random(in: -5...200_000_000, using: &random)),
        initialDelay: .milliseconds(Int.random(in: 0...100_000, using: &random)),
        maximumDelay: .milliseconds(Int.random(in: 0...9_000_000, using: &random)))
      let success =
        Bool.random(using: &random)
        ? Self.now.addingTimeInterval(Double.random(in: -300_000...1_000, using: &random)) : nil
      let attempt =
        Bool.random(using: &random)
        ? Self.now.addingTimeInterval(Double.random(in: -10_000...1_000, using: &random)) : nil
      let failures = Int.random(in: 0...40, using: &random)
      func isDue(_ date: Date) -> Bool {
        policy.isDue(lastSuccess: success, now: date, failures: failures, lastAttempt: attempt)
      }
      let next = policy.nextDate(
        lastSuccess: success, now: Self.now, failures: failures, lastAttempt: attempt)
      #expect(next >= Self.now, "seed \(seed)")
      #expect(isDue(Self.now) == (next == Self.now), "seed \(seed)")
      // What lies in the future of now counts again when its time has come.
      if let success, success > Self.now { continue }
      if let attempt, attempt > Self.now { continue }
      #expect(isDue(next), "seed \(seed)")
      if next > Self.now {
        let before = Date(
          timeIntervalSinceReferenceDate: next.timeIntervalSinceReferenceDate.nextDown)
        #expect(!isDue(before), "seed \(seed)")
      }
    }
  }
}
