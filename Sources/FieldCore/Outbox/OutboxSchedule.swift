internal import FieldFoundation

/// The volatile state of an outbox: which operations are in flight, and when the others are due on
/// the monotonic clock.
struct OutboxSchedule<Record: OutboxRecord>: Sendable {
  typealias Operation = OutboxOperation<Record.Payload>

  private struct Due: Sendable {
    /// The stored date that the uptime was computed from.
    let date: Date
    let uptime: Duration
  }

  private var index: OutboxIndex<Record>?
  private var dues: [UUID: Due] = [:]
  /// The operations that this outbox is currently sending or asking about.
  var inFlight: Set<UUID> = []
  /// The uptime until which the server accepts nothing.
  var heldUntil: Duration = .zero

  /// The operations that can be sent now.
  struct Plan: Sendable {
    var operations: [Operation] = []
    /// The uptime at which the next operation is due, or `nil` if none will be.
    var next: Duration?
  }

  mutating func index(of snapshot: Snapshot<Record>) -> OutboxIndex<Record> {
    // Taken out of the property, so that it is changed in place.
    var index = index.take() ?? OutboxIndex(of: snapshot)
    index.follow(snapshot)
    self.index = index
    if dues.count > 2 * index.count + 64 { dues = dues.filter { index[$0.key] != nil } }
    return index
  }

  /// Returns the operations to send or ask about now, at most one for each lane.
  ///
  /// - Parameter skipped: The operations to leave out.
  mutating func plan(
    for snapshot: Snapshot<Record>, by sender: OutboxSender, skipping skipped: Set<UUID>
  ) -> Plan {
    var plan = Plan()
    let uptime = sender.clock.uptime
    var places = sender.policy.maximumConcurrentLanes - inFlight.count
    for operation in index(of: snapshot).heads
    where !inFlight.contains(operation.id) && !skipped.contains(operation.id) {
      let due = max(due(operation, sender), heldUntil)
      if due > uptime {
        plan.next = min(plan.next ?? due, due)
      } else if places > 0 {
        places -= 1
        plan.operations.append(operation)
      }
    }
    return plan
  }

  /// Makes all operations due that wait after a failure.
  mutating func makeDue(in snapshot: Snapshot<Record>) {
    for operation in index(of: snapshot).heads {
      guard let date = operation.nextAttempt else { continue }
      setDue(operation.id, date, .zero)
    }
  }

  /// Records when an operation is due, which is stored as a date.
  mutating func setDue(_ id: UUID, _ date: Date, _ uptime: Duration) {
    dues[id] = Due(date: date, uptime: uptime)
  }

  /// Returns the uptime at which an operation is due.
  ///
  /// A stored date is evaluated once, when it is first seen, and is limited to the longest delay.
  /// After that, changes to the clock don't matter.
  private mutating func due(_ operation: Operation, _ sender: OutboxSender) -> Duration {
    let date: Date
    let longest: Duration
    if operation.state == .sending {
      // It isn't in flight here. If this outbox marked it, there is nobody to wait for.
      guard let lease = operation.lease, lease.sender != sender.id, !lease.isAbandoned else {
        return .zero
      }
      (date, longest) = (lease.end, sender.policy.lease)
    } else {
      guard let next = operation.nextAttempt else { return .zero }
      (date, longest) = (next, max(sender.policy.maximumDelay, sender.policy.maximumRetryAfter))
    }
    if let due = dues[operation.id], due.date == date { return due.uptime }
    let seconds = date.timeIntervalSince(sender.clock.now)
    let delay = max(.zero, min(Duration(limiting: seconds), longest))
    let uptime = sender.clock.uptime + delay
    setDue(operation.id, date, uptime)
    return uptime
  }
}

/// The identity and the policy of a sender.
struct OutboxSender: Sendable {
  /// The ID that distinguishes the outbox from others that send from the same store.
  let id = UUID()
  let policy: OutboxPolicy
  let clock: any FieldClock
  let random: @Sendable () -> Double
  var process = ProcessMark.current

  /// Returns a claim that begins now.
  func lease<Payload>() -> OutboxOperation<Payload>.Lease {
    .init(
      sender: id, end: clock.now.addingTimeInterval(policy.lease / .seconds(1)), process: process)
  }
}
