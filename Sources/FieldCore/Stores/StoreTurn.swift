/// The turn of the tasks that use a store, after which a task lets others run.
///
/// Tasks share as many threads as there are cores, and a task keeps its thread until it suspends. Reading a store takes no
/// suspension, so a few tasks that read without a pause would keep all threads, and a task that is about to commit wouldn't
/// even start. The turn ends after some reads, because they are quick, or after some time, because what a task does with a
/// view may not be.
package struct StoreTurn: Sendable {
  /// The number of reads in a turn. Letting others run costs about as much as one.
  package static let length = 16
  /// The number of reads that a commit counts as.
  package static let commit = 4
  /// The time after which the next read ends a turn.
  package static let longest: Duration = .milliseconds(1)

  private var count = 0
  private var start: Duration?

  package init() {}

  /// Counts reads, and returns whether the turn has ended and another begins.
  package mutating func hasEnded(after reads: Int, at uptime: Duration) -> Bool {
    count += reads
    let start = start ?? uptime
    self.start = start
    guard count >= Self.length || uptime - start >= Self.longest else { return false }
    count = 0
    self.start = uptime
    return true
  }

  /// Lets other tasks run, unless the caller is on the main actor, whose thread isn't one of those that tasks share.
  static func yield(isolation: isolated (any Actor)? = #isolation) async {
    if isolation !== MainActor.shared { await Task.yield() }
  }
}
