import MetroKit
import Testing

@Suite("The delays between polls")
struct PollingPolicyTests {
  private let policy = PollingPolicy()

  @Test(
    "the delays between polls double with every failure after the first, up to five minutes",
    arguments: [(0, 15), (1, 15), (2, 30), (3, 60), (4, 120), (5, 240), (6, 300), (1_000, 300)])
  func backoff(failures: Int, seconds: Int) {
    #expect(policy.wait(every: .seconds(15), failures: failures) == .seconds(seconds))
  }

  @Test(
    "the delays between polls are never shorter than the minimum interval",
    arguments: [-5.0, 0, 0.001, 4.9])
  func shortest(seconds: Double) {
    #expect(policy.wait(every: .seconds(seconds)) == .seconds(5))
    let none = PollingPolicy(shortestInterval: .zero)
    #expect(none.wait(every: .zero) > .zero)
  }

  @Test(
    "the delays between polls are never shorter than an interval that exceeds the maximum delay")
  func longInterval() {
    #expect(policy.wait(every: .seconds(3600), failures: 9) == .seconds(3600))
  }

  @Test(
    "the delays between polls are randomly lengthened by up to a tenth",
    arguments: [(0.0, 15.0), (0.5, 15.75), (1, 16.5), (7, 16.5), (-1, 15), (.nan, 15)])
  func jitter(random: Double, seconds: Double) {
    let wait = policy.wait(every: .seconds(15), random: random)
    #expect(abs(wait / .seconds(1) - seconds) < 1e-9)
  }
}
