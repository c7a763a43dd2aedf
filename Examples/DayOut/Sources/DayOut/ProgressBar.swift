import FieldKit
import Foundation

/// The steps of a refresh as a bar on one line; only the last step if the output isn't a terminal.
enum ProgressBar {
  private static let isWatched = isatty(STDOUT_FILENO) == 1

  static func show(_ step: RefreshProgress) {
    guard isWatched || step.outcome != nil else { return }
    if case .failed = step.outcome {
      let rest = String(repeating: " ", count: isWatched ? 40 : 0)
      return print("\(isWatched ? "\r" : "")  \(step.kit) failed\(rest)", terminator: "")
    }
    let width = 30
    let done = Int(step.fractionCompleted * Double(width))
    let bar = String(repeating: "█", count: done) + String(repeating: "░", count: width - done)
    let phase = step.phase.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
    let rows = step.rows.map { "\($0) rows" } ?? ""
    print("\(isWatched ? "\r" : "")  \(step.kit) \(bar) \(phase) \(rows)", terminator: "")
    fflush(nil)
  }

  /// Shows the steps while something is done, and ends the line.
  static func following<Result: Sendable>(
    _ steps: RefreshProgressUpdates, _ work: () async throws -> Result
  ) async throws -> Result {
    let watcher = Task {
      for await step in steps { show(step) }
    }
    defer {
      watcher.cancel()
      print("")
    }
    return try await work()
  }
}
