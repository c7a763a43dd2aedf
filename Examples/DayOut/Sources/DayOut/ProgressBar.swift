import FieldKit
import Foundation

/// The steps of a refresh as a bar on one line; only the last step if the output isn't a terminal.
enum ProgressBar {
  private static let isWatched = isatty(STDOUT_FILENO) == 1

  static func show(_ step: RefreshProgress) {
    guard isWatched || step.outcome != nil else { return }
    if case .failed = step.outcome { return show("\(step.kit) failed") }
    // The rest of the line has the kit, the phase, and the number of rows.
    let width = min(30, max(4, Terminal.standard.width - 46))
    let done = Int(step.fractionCompleted * Double(width))
    let bar = String(repeating: "█", count: done) + String(repeating: "░", count: width - done)
    let phase = step.phase.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
    let rows = step.rows.map { "\(grouped($0)) rows" } ?? ""
    show("\(step.kit) \(bar) \(phase) \(rows)")
  }

  /// Replaces the line on a terminal.
  private static func show(_ text: String) {
    let rest = Terminal.standard.columns.map { max(0, $0 - Table.width(text) - 3) } ?? 0
    let end = String(repeating: " ", count: rest)
    print("\(isWatched ? "\r" : "")  \(text)\(end)", terminator: "")
    fflush(nil)
  }

  /// Shows the steps while something is done, and ends the line.
  static func following<Result: Sendable>(
    _ steps: RefreshProgressUpdates, _ work: () async throws -> Result
  ) async throws -> Result {
    let watcher = Task {
      for await step in steps { show(step) }
    }
    func end() async {
      watcher.cancel()
      await watcher.value
      print("")
    }
    do {
      let result = try await work()
      await end()
      return result
    } catch {
      await end()
      throw error
    }
  }
}
