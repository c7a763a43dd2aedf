import FieldCore
import FieldFakes
import Foundation
import Testing

@Suite("Retry-After")
struct RetryAfterTests {
  /// The wait before the second attempt, the random part being zero.
  func wait(_ fields: HTTPHeaderFields, status: Int = 429) async throws -> Duration? {
    let clock = ImmediateClock(now: Date(timeIntervalSince1970: 1_767_225_600))  // 2026-01-01
    let base = ScriptedTransport(
      ScriptedTransport.status(status, fields), ScriptedTransport.status(200))
    _ = try await base.retrying(clock: clock, random: { 0 }).send(.test())
    return clock.slept.first
  }

  @Test(
    "Retry-After is honored as seconds and as a date, up to a minute, and nonsense is ignored",
    arguments: [
      ("7", 7), ("0", 0), (" 12 ", 12), ("60", 60), ("61", 60), ("86400", 60),
      ("99999999999999999999999999", 60), ("4294967297", 60),
      ("-5", 0), ("", 0), ("soon", 0), ("1.5", 0), ("1e3", 0), ("٧", 0),
      ("Thu, 01 Jan 2026 00:00:09 GMT", 9), ("Thursday, 01-Jan-26 00:00:09 GMT", 9),
      ("Thu Jan  1 00:00:09 2026", 9), ("Fri, 01 Jan 2027 00:00:00 GMT", 60),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 60), ("Wed, 31 Dec 2025 23:59:00 GMT", 0),
    ])
  func values(text: String, seconds: Int) async throws {
    #expect(try await wait(["Retry-After": text]) == .seconds(seconds))
  }

  @Test(
    "Retry-After may be the time of the response itself, but not an earlier one",
    arguments: [(-1, nil), (0, 0), (1, 1), (59, 59), (60, 60), (61, 60)] as [(Double, Int?)])
  func dates(offset: Double, seconds: Int?) {
    let now = Date(timeIntervalSince1970: 1_767_225_600)
    let text = HTTPDate.string(for: now.addingTimeInterval(offset))
    let wait = RetryAfter.wait(["Retry-After": text], now: now, longest: .seconds(60))
    #expect(wait == seconds.map { .seconds($0) })
  }

  @Test("Retry-After is no time if it consists of combining marks, however many")
  func marks() {
    let text = "2" + String(repeating: "\u{35A}\u{345}", count: 200_000)
    #expect(RetryAfter.wait(["Retry-After": text], now: .now, longest: .seconds(60)) == nil)
  }

  @Test(
    "Retry-After is honored with every status that is retried", arguments: [408, 429, 500, 503])
  func statuses(status: Int) async throws {
    #expect(try await wait(["retry-after": "3"], status: status) == .seconds(3))
  }

  @Test("Retry-After is measured by the server's own clock if the response states it")
  func serverDate() async throws {
    // The device believes in 2026; the server, half a year ahead, asks for 20 seconds.
    let fields: HTTPHeaderFields = [
      "Date": "Wed, 01 Jul 2026 12:00:00 GMT", "Retry-After": "Wed, 01 Jul 2026 12:00:20 GMT",
    ]
    #expect(try await wait(fields) == .seconds(20))
  }

  @Test("Retry-After doesn't shorten the regular delay")
  func longerBackoff() async throws {
    let clock = ImmediateClock()
    let base = ScriptedTransport(
      ScriptedTransport.status(503, ["Retry-After": "2"]), ScriptedTransport.status(200))
    let policy = RetryPolicy(initialDelay: .seconds(9))
    _ = try await base.retrying(policy, clock: clock, random: { 1 }).send(.test())
    #expect(clock.slept == [.seconds(9)])
  }

  @Test("Retry-After that exceeds the total returns the response immediately")
  func pastTotal() async throws {
    let clock = ImmediateClock()
    let base = ScriptedTransport(ScriptedTransport.status(429, ["Retry-After": "50"]))
    let policy = RetryPolicy(maximumTotalDelay: .seconds(40))
    let answer = try await base.retrying(policy, clock: clock).send(.test())
    #expect(answer.status == 429)
    #expect(clock.slept.isEmpty)
  }
}
