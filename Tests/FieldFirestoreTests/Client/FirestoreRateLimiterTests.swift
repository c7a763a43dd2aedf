import FieldCore
import FieldFakes
import Testing

@testable import FieldFirestore

@Suite struct FirestoreRateLimiterTests {
  @Test(arguments: [
    (Duration.zero, 500.0), (.seconds(299.9), 500), (.seconds(300), 750), (.seconds(599.9), 750),
    (.seconds(600), 1_125), (.seconds(900), 1_687.5), (.seconds(2_399.9), 8_542.968_75),
    // 12,814 by the rule, which is more than a database takes.
    (.seconds(2_400), 10_000), (.seconds(2_700), 10_000), (.seconds(366 * 86_400), 10_000),
    (.seconds(-1), 500),
  ])
  func `the rate begins with 500, grows by half every 5 minutes, and has a cap`(
    elapsed: Duration, rate: Double
  ) {
    #expect(FirestoreRateLimiter.rate(after: elapsed) == rate)
  }

  @Test func `the rate grows from the first write on`() async throws {
    let clock = ImmediateClock()
    // Time before the first write doesn't count.
    try await clock.sleep(for: .seconds(1_000))
    let limiter = FirestoreRateLimiter(clock: clock)
    try await limiter.wait(for: 500)
    try await clock.sleep(for: .seconds(297))
    try await limiter.wait(for: 500)
    try await limiter.wait(for: 500)
    try await clock.sleep(for: .seconds(300))
    try await limiter.wait(for: 750)
    try await limiter.wait(for: 750)
    #expect(
      clock.slept == [
        .seconds(1_000), .seconds(297), .milliseconds(1_001), .seconds(300), .milliseconds(1_001),
      ])
  }

  @Test func `a batch that is larger than the rate doesn't wait forever`() async throws {
    let clock = ImmediateClock()
    let limiter = FirestoreRateLimiter(clock: clock)
    for _ in 1...3 { try await limiter.wait(for: 5_000) }
    #expect(clock.slept == [.milliseconds(1_001), .milliseconds(1_001)])
  }
}
