internal import FieldFoundation

/// A cache of pictures and other assets, in memory and in files.
///
/// ```swift
/// let pictures = AssetCache(storage: .application("guide"), transport: transport)
/// let panda = try await pictures.asset(for: AssetRequest("http://www.zoo.gov.tw/熊貓 1.jpg"))
/// ```
///
/// ### What it promises
///
/// - Concurrent calls for the same asset share one request. A canceled caller returns
///   immediately; canceling the last one cancels the request.
/// - Memory, files, the size of an asset, and the number of concurrent requests stay within
///   ``AssetLimits``. The least recently used assets are removed first.
/// - The bytes are those that the source sent: files have checksums, and a damaged file is
///   removed, reported in ``report()``, and fetched again.
/// - Unacceptable responses aren't kept: errors, empty bodies, HTML pages in place of pictures.
///   Failures aren't cached either; the next call tries again.
/// - A failing or full disk only disables the files, and assets are still returned; see the
///   ``report()`` for the reason.
/// - Keys are hashed and never used as paths.
///
/// ### When an asset is old
///
/// An asset is old after ``RefreshPolicy/interval``, which defaults to 7 days. The cache then sends
/// the validators to the source to check for a newer version. If the source can't be reached or no
/// longer has the asset, the cache returns the old asset with its ``Asset/refreshFailure`` and
/// delays the next attempt according to the policy. To show an old asset before the source is
/// queried, call ``cached(_:)`` first. The cache ignores `Cache-Control`; the app sets the
/// interval.
///
/// ### Sharing a directory
///
/// Several caches may share a directory, in one process or in several. Each sees the files of the
/// others, and the size limit applies to all of them together. An asset that one removes may still
/// be in the memory of another. Files aren't synced to the device because they can be fetched
/// again: a loss of power may damage one, which its checksum detects. The system may empty the
/// directory at any time.
public final class AssetCache: Sendable {
  let transport: any Transport
  let clock: any FieldClock
  let limits: AssetLimits
  let refresh: RefreshPolicy
  let fileSystem: any FileSystem
  let disk: AssetDisk?
  let queue: AssetQueue
  let state: Lock<State>
  /// The reason that there are no files although the storage should have them.
  private let placeFailure: FieldError?

  /// Creates a cache, which does no I/O before its first use.
  ///
  /// - Parameters:
  ///   - storage: The storage of the files. With ``Storage/inMemory``, there are none.
  ///   - name: The name of the directory in the storage. Caches with the same name share their
  ///     files.
  ///   - transport: The transport that sends the requests. Wrap it to retry requests.
  ///   - clock: The clock that determines the age of assets.
  ///   - limits: The limits of memory, files, and requests.
  ///   - refresh: The policy that determines when an asset is old. Defaults to 7 days.
  public convenience init(
    storage: Storage,
    name: String = "pictures",
    transport: any Transport,
    clock: any FieldClock = .system,
    limits: AssetLimits = AssetLimits(),
    refresh: RefreshPolicy = .every(.seconds(7 * 86_400))
  ) {
    self.init(
      place: Result { try storage.assets(name) }, transport: transport, clock: clock,
      limits: limits, refresh: refresh, fileSystem: PosixFileSystem())
  }

  package init(
    place: Result<AssetDirectory?, any Error>, transport: any Transport, clock: any FieldClock,
    limits: AssetLimits, refresh: RefreshPolicy, fileSystem: any FileSystem
  ) {
    self.transport = transport
    self.clock = clock
    self.limits = limits
    self.refresh = refresh
    self.fileSystem = fileSystem
    queue = AssetQueue(width: limits.transfers)
    var failure: FieldError?
    var directory: AssetDirectory?
    do {
      directory = try place.get()
      if let url = directory?.url, !url.isFileURL {
        throw FieldError(.invalidInput, "Assets need a file URL, but \(url) isn't one.")
      }
    } catch {
      directory = nil
      let wrapped = FieldError.wrapping(
        error, as: .io, "The storage provides no directory for assets.")
      failure = wrapped as? FieldError
    }
    disk = directory.map {
      AssetDisk(
        directory: $0.url.absolutePath, access: $0.access, limits: limits, clock: clock,
        fileSystem: PlacedFileSystem(fileSystem, $0.placement))
    }
    placeFailure = failure
    var state = State()
    state.report.diskFailure = failure
    self.state = Lock(state)
  }

  /// Returns an asset from memory, from a file, or from its source.
  ///
  /// If the source can't be reached, an old asset is returned with its ``Asset/refreshFailure``.
  ///
  /// - Parameters:
  ///   - request: The asset to return. A local file is read in place and not kept in the cache.
  ///   - trigger: Pass ``RefreshTrigger/now`` to query the source immediately. By default, it is
  ///     queried if the asset is missing or old.
  /// - Throws: ``FieldError`` if no asset, not even an old one, is available: with a code of the
  ///   transport, ``FieldError/Code/notFound``, ``FieldError/Code/status``,
  ///   ``FieldError/Code/assetTooLarge``, ``FieldError/Code/assetFormat``, or
  ///   ``FieldError/Code/emptyBody``; with ``FieldError/Code/assetMissing`` if a local file doesn't
  ///   exist; or with ``FieldError/Code/invalidInput`` if the URL can't be requested.
  @concurrent
  public func asset(
    for request: AssetRequest, refresh trigger: RefreshTrigger = .ifDue
  ) async throws -> Asset {
    try Task.checkCancellation()
    if request.url.isFileURL { return try localAsset(request) }
    if trigger != .now, let asset = freshInMemory(request) { return asset }
    try request.check()
    return try await fly(request, trigger, isUrgent: true)
  }

  /// Returns an asset, however old, without querying its source.
  ///
  /// - Returns: The asset from memory, a file, or the local file; `nil` if only the source has
  ///   it.
  /// - Throws: ``FieldError`` if a local file can't be read. Errors of the cache's own files
  ///   appear in the ``report()`` instead.
  @concurrent
  public func cached(_ request: AssetRequest) async throws -> Asset? {
    try Task.checkCancellation()
    if request.url.isFileURL { return try localAsset(request) }
    try request.check()
    guard let (kept, origin) = try await find(request) else { return nil }
    return kept.asset(from: origin, failure: failure(for: request.identity, kept))
  }

  /// Fetches missing and old assets, after all other requests of the cache.
  ///
  /// The assets are kept in files, so that they don't displace visible assets from memory. If an
  /// asset can't be fetched, the others still are.
  ///
  /// - Throws: `CancellationError` if the task is canceled; nothing else.
  @concurrent
  @discardableResult
  public func prefetch(_ requests: [AssetRequest]) async throws -> AssetPrefetchReport {
    // Twice the number of concurrent requests keeps the queue full.
    let limit = 2 * min(queue.width, requests.count)
    let outcomes = try await requests.concurrentMap(limit: limit) {
      try await self.prefetch($0)
    }
    var report = AssetPrefetchReport()
    for (request, outcome) in zip(requests, outcomes) {
      switch outcome {
      case .success(true): report.fetched += 1
      case .success(false): report.present += 1
      case .failure(let error): report.failures.append(.init(request: request, error: error))
      }
    }
    return report
  }

  /// Removes an asset from memory and files; a running request for it isn't kept either.
  @concurrent
  public func remove(_ request: AssetRequest) async throws {
    guard !request.url.isFileURL else { return }
    let identity = request.identity
    state.withLock { state in
      state.removals += 1
      state.memory.remove(identity)
      state.attempts.remove(identity)
      for key in state.flights.keys where key.identity == identity {
        state.flights[key]?.lastRemoval = state.removals
      }
    }
    try await disk?.forget(request.id)
  }

  /// Removes all assets; running requests aren't kept either.
  @concurrent
  public func removeAll() async throws {
    state.withLock { state in
      state.removals += 1
      state.memory = CostLRU()
      state.attempts = CostLRU()
      for key in state.flights.keys { state.flights[key]?.lastRemoval = state.removals }
    }
    try await disk?.forgetAll()
  }

  /// Removes all assets from memory, but not their files; call it after a memory warning.
  public func releaseMemory() { state.withLock { $0.memory = CostLRU() } }

  /// Opens the files now instead of at first use, removing leftovers and whatever exceeds the
  /// limit.
  ///
  /// - Throws: ``FieldError`` if files can't be kept. The cache still works, in memory only.
  @concurrent
  @discardableResult
  public func open() async throws -> AssetReport {
    if let placeFailure { throw placeFailure }
    if let disk, disk.isWritable { try await disk.open() } else { try disk?.look() }
    return makeReport()
  }

  /// Returns the contents of the cache and its statistics.
  @concurrent
  public func report() async throws -> AssetReport {
    try Task.checkCancellation()
    do {
      return try await open()
    } catch let error as FieldError {
      // The rest of the report is all the more useful.
      state.withLock { $0.report.diskFailure = error }
      return makeReport()
    }
  }

  private func makeReport() -> AssetReport {
    let usage = disk?.usage
    return state.withLock { state in
      var report = state.report
      report.memoryCount = state.memory.count
      report.memoryBytes = state.memory.cost
      report.diskCount = usage?.count ?? 0
      report.diskBytes = usage?.bytes ?? 0
      report.evictions = usage?.evictions ?? 0
      return report
    }
  }
}

// MARK: - Exchange

extension AssetCache {
  /// Requests the asset and rejects a response that the request doesn't accept.
  func exchange(_ request: AssetRequest, _ old: KeptAsset?) async throws -> Answer {
    let url = request.originalURL ?? request.url
    let address = SHA256.digest(of: Array(url.absoluteString.utf8))
    let http = TransportRequest(
      url: request.url, fields: request.fields, timeout: request.timeout,
      responseLimit: limits.largestAsset, operation: request.operation)
    // Validators are valid only for the URL that sent them.
    let conditional = ConditionalRequest(
      http, known: old?.address == address ? old?.validators : nil)
    let response = try await send(conditional.request, request)
    try Task.checkCancellation()
    let now = clock.now

    let answer = try conditional.answer(of: response)
    if !answer.isNew, var kept = old {
      kept.confirmedAt = now
      kept.validators = answer.validators
      return Answer(kept: kept, isNew: false)
    }
    let data = Data(try response.body.bytes())
    let kept = KeptAsset(
      data: data, format: try checked(data, request, response.head),
      contentType: response.fields["Content-Type"], fetchedAt: now, confirmedAt: now,
      validators: answer.validators, address: address)
    return Answer(kept: kept, isNew: true)
  }

  private func send(_ http: TransportRequest, _ request: AssetRequest) async throws
    -> TransportResponse
  {
    do {
      return try await transport.send(http)
    } catch let error as FieldError where error.code == .responseTooLarge {
      throw tooLarge(request, nil, error.response, error)
    } catch {
      throw FieldError.wrapping(
        error, as: .transport, "The asset couldn't be fetched.", operation: request.operation)
    }
  }

  /// Returns the format of the data, or throws if the request doesn't accept the data.
  func checked(
    _ data: Data, _ request: AssetRequest, _ head: TransportResponse.Head?
  ) throws(FieldError) -> AssetFormat? {
    guard data.count <= limits.largestAsset else { throw tooLarge(request, data.count, head) }
    guard !data.isEmpty else {
      throw FieldError(
        .emptyBody, "The asset is empty.", operation: request.operation, response: head)
    }
    let format = AssetFormat(sniffing: data)
    guard request.accepts(format) else {
      let formats = (request.formats ?? []).map { $0.rawValue.uppercased() }.sorted()
      let wanted =
        request.formats == AssetFormat.images ? "a picture" : formats.joined(separator: " or ")
      let found =
        format.map { $0 == .html ? "an HTML page" : $0.rawValue.uppercased() }
        ?? "data in an unknown format"
      throw FieldError(
        .assetFormat, "Expected \(wanted) but received \(found). Check the URL.",
        operation: request.operation, response: head)
    }
    return format
  }

  func tooLarge(
    _ request: AssetRequest, _ count: Int?, _ head: TransportResponse.Head?,
    _ cause: FieldError? = nil
  ) -> FieldError {
    let size = count.map { "The asset has \($0) bytes" } ?? "The asset is too large"
    return FieldError(
      .assetTooLarge,
      "\(size). Increase AssetLimits.largestAsset (\(limits.largestAsset) bytes) to accept it.",
      operation: request.operation, response: head, underlying: cause)
  }
}

// MARK: - Fetching

extension AssetCache {
  /// Returns the asset for all waiting callers, from the cache or from its source.
  func fetch(
    _ request: AssetRequest, _ trigger: RefreshTrigger, in flight: SingleFlight<Asset>
  ) async throws -> Asset {
    let key = AssetFlightKey(request)
    let token = token(key, flight)
    let old = try await find(request, remembering: isUrgent(key))
    if let old, trigger != .now, !isDue(key.identity, old.kept) {
      return old.kept.asset(
        from: old.origin, failure: failure(for: key.identity, old.kept))
    }
    do {
      let answer = try await queue.pass(key) {
        self.isUrgent(key)
      } _: {
        try await exchange(request, old?.kept)
      }
      await keep(answer, request, token)
      let origin = answer.isNew ? .network : old?.origin ?? .network
      return answer.kept.asset(from: origin)
    } catch let error as FieldError {
      state.withLock { $0.report.failures += 1 }
      guard let old else { throw error }
      noteFailure(key.identity, error)
      return old.kept.asset(from: old.origin, failure: error)
    }
  }

  /// A response of a source: new bytes, or a confirmation of the old ones.
  struct Answer: Sendable {
    var kept: KeptAsset
    var isNew: Bool
  }

  private func keep(_ answer: Answer, _ request: AssetRequest, _ token: FlightToken) async {
    state.withLock { state in
      state.attempts.remove(token.key.identity)
      if answer.isNew {
        state.report.downloads += 1
        state.report.downloadedBytes += answer.kept.data.count
      } else {
        state.report.confirmations += 1
      }
    }
    // An older version in memory would be found before the file.
    if isUrgent(token.key) || isInMemory(token.key.identity) { remember(answer.kept, token) }
    if await !store(answer.kept, request, token) || isUrgent(token.key) {
      // A prefetched asset is kept in memory only if there is no file of it.
      remember(answer.kept, token)
    }
  }

  /// Writes an asset to a file; returns `false` if there is no file of it.
  private func store(_ kept: KeptAsset, _ request: AssetRequest, _ token: FlightToken) async -> Bool
  {
    guard let disk, disk.isWritable else { return false }
    do {
      let isKept = try await disk.store(kept, as: request.id) { self.isWanted(token) }
      state.withLock { $0.report.diskFailure = nil }
      return isKept
    } catch let error as FieldError {
      state.withLock { $0.report.diskFailure = error }
    } catch {
      // All callers were canceled, so nobody misses the file.
    }
    return false
  }

  // MARK: Lookup

  private func isInMemory(_ identity: String) -> Bool {
    state.withLock { $0.memory.peek(identity) != nil }
  }

  /// Returns an acceptable asset from memory or from a file, however old.
  func find(
    _ request: AssetRequest, remembering: Bool = true
  ) async throws -> (kept: KeptAsset, origin: Asset.Origin)? {
    let (inMemory, removals) = useInMemory(request)
    if let inMemory { return (inMemory, .memory) }
    guard let onDisk = try await read(request.id), request.accepts(onDisk.format) else {
      state.withLock { $0.report.misses += 1 }
      return nil
    }
    state.withLock { $0.report.diskHits += 1 }
    // A removal in the meantime may concern this asset.
    if remembering { remember(onDisk, as: request.identity) { $0.removals == removals } }
    return (onDisk, .disk)
  }

  /// Returns the asset in a file; removes and reports a damaged file.
  private func read(_ id: BlobID) async throws -> KeptAsset? {
    guard let disk else { return nil }
    switch disk.read(id) {
    case .asset(let kept): return kept
    case .missing: return nil
    case .failure(let error):
      state.withLock { $0.report.diskFailure = error }
      return nil
    case .damaged(let reason):
      let drop = AssetReport.Drop(
        file: URL(filePath: disk.path(of: id)), reason: reason, date: clock.now)
      do {
        if disk.isWritable, try await !disk.drop(id) { return nil }
        state.withLock { $0.report.note(drop) }
      } catch let error as FieldError {
        state.withLock { state in
          state.report.note(drop)
          state.report.diskFailure = error
        }
      }
      return nil
    }
  }

  /// Fetches an asset unless it is present and fresh; returns whether it was fetched.
  func prefetch(_ request: AssetRequest) async throws -> Result<Bool, FieldError> {
    do {
      try Task.checkCancellation()
      if request.url.isFileURL { return .success(false) }
      try request.check()
      let inMemory = state.withLock { $0.memory.peek(request.identity)?.confirmedAt }
      if let confirmed = inMemory ?? disk?.confirmation(of: request.id),
        !refresh.isDue(lastSuccess: confirmed, now: clock.now)
      {
        return .success(false)
      }
      let asset = try await fly(request, .ifDue, isUrgent: false)
      if let error = asset.refreshFailure { return .failure(error) }
      return .success(true)
    } catch let error as FieldError {
      return .failure(error)
    }
  }

  /// Returns the asset of a local file, read in place.
  func localAsset(_ request: AssetRequest) throws(FieldError) -> Asset {
    let path = request.url.path
    let (status, bytes) = try readFile(path, request)
    guard !status.isDirectory else {
      throw FieldError(
        .invalidInput, "\(path) is a directory, not an asset.", operation: request.operation)
    }
    guard let bytes else { throw tooLarge(request, status.size, nil) }
    let data = Data(bytes)
    let format = try checked(data, request, nil)
    return Asset(local: data, format: format, file: request.url)
  }

  /// Returns the status of a path, and the bytes if it is a file of an allowed size.
  private func readFile(
    _ path: String, _ request: AssetRequest
  ) throws(FieldError) -> (FileStatus, [UInt8]?) {
    do throws(FileSystemError) {
      let file = try fileSystem.openFile(path, .reading)
      // Nothing was written, so closing can't lose data.
      defer { _ = try? fileSystem.closeFile(file) }
      let status = try fileSystem.status(of: file)
      guard !status.isDirectory, status.size <= limits.largestAsset else { return (status, nil) }
      return (status, try fileSystem.read(file, at: 0, count: status.size))
    } catch  where error.isNotFound {
      throw FieldError(
        .assetMissing, "There is no file at \(path).", operation: request.operation,
        underlying: error)
    } catch {
      throw error.fieldError("\(path) can't be read.")
    }
  }
}

// MARK: - State

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
