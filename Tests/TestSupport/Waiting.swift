public import FieldCore

/// Lets every other task get as far as it can without this one: a caller that was just started has
/// joined what it joins.
///
/// All tests share few threads, whose tasks take turns; a task that is ready is behind every other one
/// that is ready, for seconds on a small machine. No length of time is long enough for it, but a number
/// of turns is: each lets all that were ready before it take one step.
public func letOthersRun(turns: Int = 40) async throws {
  for turn in 0..<turns {
    // Now and then a time, for what goes on outside of the tasks.
    if turn % 4 == 0 { try await Task.sleep(for: .milliseconds(2)) } else { await Task.yield() }
  }
}

/// Waits until it is so, and lets others go on meanwhile; a time limit ends what never comes.
public func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () throws -> Bool
) async throws {
  var pause = 1
  while try !condition() {
    try await Task.sleep(for: .milliseconds(pause))
    // Hundreds of tests wait at once.
    pause = min(pause + 1, 5)
  }
}

/// A transport that waits for an answer as long as the time limit of the test, however busy the machine is.
public struct WithoutTimeout: Transport {
  private let base: any Transport

  /// Creates the transport.
  public init(_ base: any Transport) { self.base = base }

  /// Sends the request with a timeout of an hour.
  public func send(_ request: TransportRequest) async throws -> TransportResponse {
    var request = request
    request.timeout = .seconds(3_600)
    return try await base.send(request)
  }
}
