internal import FieldFoundation

/// The key of a shared request; callers that accept different formats don't share one.
struct AssetFlightKey: Hashable, Sendable {
  var identity: String
  var formats: Set<AssetFormat>?

  init(_ request: AssetRequest) {
    identity = request.identity
    formats = request.formats
  }
}

extension AssetCache {
  struct State: Sendable {
    var memory = CostLRU<String, KeptAsset>()
    var flights: [AssetFlightKey: Flight] = [:]
    /// The assets whose sources couldn't confirm them.
    var attempts = CostLRU<String, Attempt>()
    var report = AssetReport()
    var removals = 0
  }

  /// A request that is shared by all callers that wait for one asset.
  struct Flight: Sendable {
    let shared = SingleFlight<Asset>()
    var users = 0
    var isUrgent = false
    /// The number of the asset's last removal.
    var lastRemoval = 0
  }

  /// The consecutive failures to confirm an old asset.
  struct Attempt: Sendable {
    var failures: Int
    var last: Date
    var error: FieldError
  }

  /// The facts by which a request notices that its asset was removed in the meantime.
  struct FlightToken: Sendable {
    var key: AssetFlightKey
    var flight: SingleFlight<Asset>
    var removals: Int
  }

  /// Starts or joins the shared request and returns its asset.
  func fly(
    _ request: AssetRequest, _ trigger: RefreshTrigger, isUrgent: Bool
  ) async throws -> Asset {
    let key = AssetFlightKey(request)
    let flight = join(key, isUrgent: isUrgent)
    defer { leave(key) }
    if isUrgent { queue.promote(key) }
    return try await flight.run(level: trigger.isForced ? 1 : 0) {
      try await self.fetch(request, trigger, in: flight)
    }
  }

  private func join(_ key: AssetFlightKey, isUrgent: Bool) -> SingleFlight<Asset> {
    state.withLock { state in
      var flight = state.flights[key] ?? Flight()
      flight.users += 1
      if isUrgent { flight.isUrgent = true }
      state.flights[key] = flight
      return flight.shared
    }
  }

  private func leave(_ key: AssetFlightKey) {
    state.withLock { state in
      state.flights[key]?.users -= 1
      if state.flights[key]?.users == 0 { state.flights[key] = nil }
    }
  }

  func token(_ key: AssetFlightKey, _ flight: SingleFlight<Asset>) -> FlightToken {
    state.withLock { FlightToken(key: key, flight: flight, removals: $0.removals) }
  }

  func isUrgent(_ key: AssetFlightKey) -> Bool {
    state.withLock { $0.flights[key]?.isUrgent ?? false }
  }

  func isWanted(_ token: FlightToken) -> Bool { state.withLock { Self.isWanted(token, $0) } }

  /// Whether a caller still waits and the asset hasn't been removed since.
  private static func isWanted(_ token: FlightToken, _ state: State) -> Bool {
    guard let flight = state.flights[token.key], flight.shared === token.flight else {
      return false
    }
    return flight.lastRemoval <= token.removals
  }

  // MARK: Memory

  /// Uses the asset in memory if it is acceptable and meets a condition; also returns the number of
  /// removals so far.
  func useInMemory(
    _ request: AssetRequest, where isIncluded: (KeptAsset) -> Bool = { _ in true }
  ) -> (kept: KeptAsset?, removals: Int) {
    let identity = request.identity
    let found = state.withLock { state -> (kept: KeptAsset?, removals: Int) in
      guard let kept = state.memory.peek(identity), request.accepts(kept.format), isIncluded(kept)
      else { return (nil, state.removals) }
      state.report.memoryHits += 1
      return (state.memory.use(identity), state.removals)
    }
    if found.kept != nil { disk?.use(request.id) }
    return found
  }

  /// Returns the asset in memory if it is acceptable and fresh.
  func freshInMemory(_ request: AssetRequest) -> Asset? {
    let now = clock.now
    let found = useInMemory(request) { !refresh.isDue(lastSuccess: $0.confirmedAt, now: now) }
    return found.kept?.asset(from: .memory)
  }

  /// Keeps an asset in memory if it is wanted and fits.
  func remember(_ asset: KeptAsset, as identity: String, _ isWanted: (State) -> Bool) {
    state.withLock { state in
      guard isWanted(state) else { return }
      state.memory.remove(identity)
      guard asset.cost <= limits.memoryBytes else { return }
      state.memory.shrink(to: limits.memoryBytes - asset.cost)
      state.memory.put(asset, for: identity, cost: asset.cost)
    }
  }

  func remember(_ asset: KeptAsset, _ token: FlightToken) {
    remember(asset, as: token.key.identity) { Self.isWanted(token, $0) }
  }

  // MARK: Failures

  /// Returns the error of the last attempt to confirm an old asset, if it is still old.
  func failure(for identity: String, _ kept: KeptAsset) -> FieldError? {
    guard refresh.isDue(lastSuccess: kept.confirmedAt, now: clock.now) else { return nil }
    return state.withLock { $0.attempts.peek(identity)?.error }
  }

  /// Returns a Boolean value that indicates whether to query the source of an asset.
  func isDue(_ identity: String, _ kept: KeptAsset) -> Bool {
    let attempt = state.withLock { $0.attempts.peek(identity) }
    return refresh.isDue(
      lastSuccess: kept.confirmedAt, now: clock.now, failures: attempt?.failures ?? 0,
      lastAttempt: attempt?.last)
  }

  func noteFailure(_ identity: String, _ error: FieldError) {
    let now = clock.now
    state.withLock { state in
      let failures = (state.attempts.peek(identity)?.failures ?? 0) + 1
      state.attempts.put(
        Attempt(failures: failures, last: now, error: error), for: identity, cost: 1)
      state.attempts.shrink(to: 1000)
    }
  }
}

extension AssetRequest {
  var id: BlobID { BlobID(of: Array(identity.utf8)) }
}

extension AssetCache {
  /// The number of waiting requests, for tests.
  package var waiting: Int { queue.waitingCount }

  /// The number of waiting urgent requests, for tests.
  package var urgent: Int { queue.urgentCount }
}
