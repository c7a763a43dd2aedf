import Foundation

/// What one run of a side cost, and what it answered.
struct Run<Answer> {
  let cost: Double
  let answer: Answer
}

extension Run where Answer == Void {
  /// A limit that was set, as a baseline.
  static func limit(_ limit: Duration) -> Run { Run(cost: limit / .nanoseconds(1), answer: ()) }
}

/// A clock that counts nanoseconds.
enum Clock {
  /// The CPU time of all threads of this process.
  case cpu
  /// The time that passes, for races in which the device is waited for.
  case wall

  var nanoseconds: Int {
    var time = timespec()
    clock_gettime(self == .cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}

/// Repeats an operation, and measures one of the times; what it returns last is released outside of the time.
///
/// - Parameter count: The operations in each of the times, such as look-ups in a loop.
func measured<Answer>(
  _ clock: Clock = .cpu, times: Int = 1, per count: Int = 1, _ body: () async throws -> Answer
) async rethrows -> Run<Answer> {
  let start = clock.nanoseconds
  var answer = try await body()
  for _ in 1..<times { answer = try await body() }
  return Run(cost: Double(clock.nanoseconds - start) / Double(times * count), answer: answer)
}

/// The memory of this process, in bytes, as Linux counts it; 0 elsewhere.
enum Memory {
  /// The highest resident memory so far.
  static var peak: Double { status("VmHWM") }

  /// The memory of its own that is resident, without what the allocator keeps for later.
  static var anonymous: Double {
    #if os(Linux)
      _ = trimHeap(keeping: 0)
    #endif
    return status("RssAnon")
  }

  private static func status(_ name: String) -> Double {
    let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = lines.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return (line?.split(whereSeparator: \.isWhitespace)[1]).flatMap { Double($0) }.map { $0 * 1024 }
      ?? 0
  }
}

#if os(Linux)
  /// Returns freed memory to the system; the module map of glibc has no `malloc.h`.
  @_silgen_name("malloc_trim")
  private func trimHeap(keeping bytes: Int) -> Int32
#endif

/// The two sides of a benchmark differ, or one of them did not do its work.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}

/// Throws unless a condition holds.
func require(_ condition: Bool, _ what: String = "a step failed") throws {
  if !condition { throw WrongResult(description: what) }
}
