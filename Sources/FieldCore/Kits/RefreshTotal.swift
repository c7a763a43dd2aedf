/// The progress of several kits as one fraction, which is added to their steps.
package struct RefreshTotal: Sendable {
  /// A step of a kit, or `nil` if the kit has nothing to refresh.
  package struct Event: Sendable {
    /// The position of the kit.
    package var kit: Int
    package var step: RefreshProgress?

    package init(kit: Int, step: RefreshProgress?) {
      self.kit = kit
      self.step = step
    }
  }

  private let isRepeated: Bool
  /// The kits without an event so far.
  private var awaited: Set<Int>
  private var running: Set<Int> = []
  private var fractions: [Int: Double] = [:]
  private var last = 0.0
  /// A kit's last step, while it isn't known whether any other kit has something to refresh.
  private var held: RefreshProgress?

  /// Creates the total of one refresh of kits, or, without any, of refreshes as they occur.
  package init(awaiting kits: Range<Int>) {
    awaited = Set(kits)
    isRepeated = kits.isEmpty
  }

  /// Returns the steps to pass on after an event, with the completed fraction of all kits.
  package mutating func steps(after event: Event) -> [RefreshProgress] {
    awaited.remove(event.kit)
    var steps: [RefreshProgress] = []
    if let step = event.step {
      if let held { steps.append(held) }
      if step.outcome == nil { running.insert(event.kit) } else { running.remove(event.kit) }
      fractions[event.kit] = step.outcome == nil ? step.fractionCompleted : 1
      steps.append(counted(step))
    } else if let held {
      steps.append(counted(held))
    }
    held = running.isEmpty && !awaited.isEmpty ? steps.popLast() : nil
    if isRepeated, running.isEmpty { self = RefreshTotal(awaiting: 0..<0) }
    return steps
  }

  private mutating func counted(_ step: RefreshProgress) -> RefreshProgress {
    let sum = fractions.values.reduce(0, +)
    let hasEnded = running.isEmpty && awaited.isEmpty
    last = max(last, hasEnded ? 1 : sum / Double(fractions.count + awaited.count))
    var step = step
    step.totalFraction = last
    return step
  }
}
