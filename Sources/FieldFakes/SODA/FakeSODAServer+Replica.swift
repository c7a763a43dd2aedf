internal import FieldCore

extension FakeSODAServer {
  /// A copy of the dataset that answers requests, as portals have several.
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

    /// The newest state.
    public static var current: Replica { Replica(age: .writes(0)) }

    /// The state before the last so many writes; the first one that is kept when there are fewer.
    public static func behind(writes count: Int) -> Replica { Replica(age: .writes(count)) }

    /// The state of so long ago by the server's clock.
    public static func behind(_ duration: Duration) -> Replica { Replica(age: .time(duration)) }

    /// This replica, saying of itself that it is up to date whether it is or not.
    public var lying: Replica { claiming(outOfDate: false) }

    /// This replica, saying always the same in `X-SODA2-Data-Out-Of-Date`.
    public func claiming(outOfDate claim: Bool) -> Replica {
      var replica = self
      replica.claim = claim
      return replica
    }
  }

  /// The present state as a replica that never moves on.
  public func frozenReplica() -> Replica { Replica(age: .frozen(state.withLock(\.table))) }
}

extension FakeSODAServer.State {
  /// What a replica has.
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
