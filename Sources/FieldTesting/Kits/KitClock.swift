internal import FieldCore
internal import FieldFoundation

/// The clock of a kit under test, which stands still until a case moves it, and on which sleeps
/// take no time.
final class KitClock: FieldClock {
  private struct State: Sendable {
    var now = Date(timeIntervalSince1970: 1_767_225_600)
    var slept = Duration.zero
  }

  private let state = Lock(State())

  var now: Date { state.withLock(\.now) }
  var uptime: Duration { state.withLock(\.slept) }

  func set(now: Date) { state.withLock { $0.now = now } }

  func sleep(for duration: Duration) async throws {
    state.withLock { $0.slept += max(duration, .zero) }
    await Task.yield()
    try Task.checkCancellation()
  }
}
