internal import FieldCore

extension FakeSODAServer {
  /// A copy of the dataset that responds to requests, because portals have several.
  ///
  /// ```swift
  /// server.replicas = [.current, .behind(writes: 3), .behind(.seconds(9_000)).lying]
  /// ```
  public struct Replica: Sendable {
    enum Age: Sendable {
      case writes(Int)
      case time(Duration)
      case frozen(FakeSODATable)
    }

    let age: Age
    var claim: Bool?

    /// A replica with the newest state.
    public static var current: Replica { Replica(age: .writes(0)) }

    /// Returns a replica without the last writes, at most back to the oldest state that is kept.
    public static func behind(writes count: Int) -> Replica { Replica(age: .writes(count)) }

    /// Returns a replica with the state a duration ago, by the server's clock.
    public static func behind(_ duration: Duration) -> Replica { Replica(age: .time(duration)) }

    /// This replica, always claiming that it is up to date.
    public var lying: Replica { claiming(outOfDate: false) }

    /// Returns this replica, always making the same claim in `X-SODA2-Data-Out-Of-Date`.
    public func claiming(outOfDate claim: Bool) -> Replica {
      var replica = self
      replica.claim = claim
      return replica
    }
  }

  /// Returns a replica with the current state that never changes.
  public func frozenReplica() -> Replica { Replica(age: .frozen(state.withLock(\.table))) }
}

extension FakeSODAServer.State {
  func table(of replica: FakeSODAServer.Replica, now: Int64) -> FakeSODATable {
    switch replica.age {
    case .frozen(let table): return table
    case .writes(let count):
      guard count > 0 else { return table }
      return history.isEmpty ? table : history[max(0, history.count - count)]
    case .time(let duration):
      let moment = now - Int64(duration / .microseconds(1))
      return (history + [table]).last { $0.modifiedAt <= moment } ?? history.first ?? table
    }
  }
}
