import FieldCore

/// All events in the order in which they were sent.
final class EventLog: Sendable {
  private let list = Lock<[FieldEvent]>([])

  /// A new observer that writes to the log.
  var observer: FieldObserver {
    FieldObserver { [list] event in list.withLock { $0.append(event) } }
  }

  var events: [FieldEvent] { list.withLock { $0 } }

  /// Each event as its name and step.
  var lines: [String] { events.map { "\($0.name) \($0.step)" } }

  func lines(of prefix: String) -> [String] { lines.filter { $0.hasPrefix(prefix) } }

  func removeAll() { list.withLock { $0 = [] } }

  /// Whether each operation began once and ended once, in this order.
  var isBalanced: Bool {
    let operations = Dictionary(grouping: events.filter { $0.step != .occurred }, by: \.operation)
    return operations.values.allSatisfy { events in
      events.count == 2 && events[0].step == .began && events[1].step != .began
        && events[0].name == events[1].name && events[1].duration != nil
    }
  }
}
