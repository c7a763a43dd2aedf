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
