import FieldKit
import Foundation

/// The steps of a refresh as a bar on one line.
enum ProgressBar {
  static func show(_ step: RefreshProgress) {
    let width = 30
    let done = Int(step.fractionCompleted * Double(width))
    let bar = String(repeating: "█", count: done) + String(repeating: "░", count: width - done)
    let phase = step.phase.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0)
    print("\r  \(step.kit) \(bar) \(phase)", terminator: "")
    fflush(nil)
  }
}
