internal import FieldCore

extension FakeSODAServer {
  /// Returns the whole response to a request, and the number of bytes of the body after which the
  /// connection ends; `nil` if it doesn't.
  func respond(
    to request: TransportRequest
  ) async throws -> (response: TransportResponse, cut: Int?) {
    try Task.checkCancellation()
    let (received, hook) = try state.withLock { state in
      let received = try ReceivedRequest(request, number: state.requests.count + 1)
      state.requests.append(received)
      return (received, state.onRequest)
    }
    hook?(received.number, received)
    let faults = state.withLock { $0.faults.meet(received, request) }
    for case .latency(let duration) in faults { try await clock.sleep(for: duration) }
    try Task.checkCancellation()
    for fault in faults {
      switch fault {
      case .failure(let error): throw error
      case .response(let response): return (response, nil)
      case .silence: try await Fault.waitForCancellation()
      default: break
      }
    }
    var response = response(received)
    var cut: Int?
    for fault in faults {
      switch fault {
      case .lostResponse(let error): throw error
      case .cutBody(let count):
        if try response.body.bytes().count > count { cut = count }
      case .truncatedBody(let count):
        response.body = .bytes(Array(try response.body.bytes().prefix(count)))
      default: break
      }
    }
    return (response, cut)
  }

  /// Returns the response of the replica whose turn it is.
  private func response(_ received: ReceivedRequest) -> TransportResponse {
    let now = Self.micros(clock.now)
    let setting = state.withLock { state in
      let replicas = state.replicas
      let turn = state.replicaForRequest?(received.number) ?? received.number - 1
      let replica = replicas[((turn % replicas.count) + replicas.count) % replicas.count]
      return FakeSODASetting(
        table: state.table(of: replica, now: now), current: state.table, claim: replica.claim,
        options: state.options, isRetired: state.isRetired, now: now)
    }
    var responder = FakeSODAResponder(server: self, request: received, setting: setting)
    let response = responder.respond()
    state.withLock { $0.lastVisitedCount = responder.visitedCount }
    return response
  }

  /// Adds rows that fill a page of an endless dataset, and returns the table with them.
  func extend(by count: Int) -> FakeSODATable {
    guard let row = options.unboundedRow else { return state.withLock(\.table) }
    let first = state.withLock { state in
      defer { state.unboundedCount += count }
      return state.unboundedCount
    }
    insert((first..<first + count).map(row))
    return state.withLock(\.table)
  }
}

/// The state of the server at the time of a request.
struct FakeSODASetting: Sendable {
  /// The table of the responding replica.
  var table: FakeSODATable
  /// The table of the newest replica.
  let current: FakeSODATable
  /// The replica's claim about being out of date, whether or not it is true.
  let claim: Bool?
  let options: FakeSODAServer.Options
  let isRetired: Bool
  let now: Int64
}
