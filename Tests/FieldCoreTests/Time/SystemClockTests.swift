import FieldCore
import TestSupport
import Testing

@Suite("The device's clock")
struct SystemClockTests {
  @Test(.needsProcesses) func `the first uptime of a process is not negative`() async {
    #if os(macOS) || os(Linux)
      // Only a new process has a first uptime.
      await #expect(processExitsWith: .success) {
        let clock = SystemClock.system
        let first = clock.uptime
        #expect(first >= .zero && clock.uptime >= first)
      }
    #endif
  }

  @Test(
    "the device's clock waits forever or for a moment, until it is canceled",
    arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 2, .seconds(1 << 40)])
  func unboundedPagination(duration: Duration) async {
    let waiting = Task { try await SystemClock.system.sleep(for: duration) }
    try? await SystemClock.system.sleep(for: .milliseconds(50))
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }
}
