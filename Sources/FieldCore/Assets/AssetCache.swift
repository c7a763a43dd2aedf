internal import FieldFoundation

/// Gives pictures and other assets: out of memory, else out of a file, else from their source.
///
/// ```swift
/// let pictures = AssetCache(storage: .application("guide"), transport: transport)
/// let panda = try await pictures.asset(for: AssetRequest("http://www.zoo.gov.tw/熊貓 1.jpg"))
/// ```
///
/// ### What it promises
///
/// - All who ask for one asset at a time share one exchange. One who is cancelled leaves at once; with
///   the last, the exchange is cancelled.
/// - Memory, files, the size of an asset and the number of exchanges at a time stay within
///   ``AssetLimits``. What was not used for the longest time goes first.
/// - The bytes are those that the source sent: files have checksums, and a damaged one is removed, told
///   in the ``report()``, and fetched again.
/// - What was not asked for is not kept: an error, an empty body, a web page in place of a picture.
///   Failures are not kept either; the next call asks again.
/// - A disk that fails or is full costs the files and never an asset; the ``report()`` says why.
/// - Keys are hashed and never paths.
///
/// ### When an asset is old
///
/// After ``RefreshPolicy/interval``, a week by default, the source is asked whether it has a newer one,
/// with the validators that it gave. When it cannot be asked, or has the asset no more, the old one is
/// given along with the ``Asset/refreshFailure``, and the next attempt waits as the policy says. To show
/// an old asset before the source is asked, take ``cached(_:)`` first. What a server says about
/// caching (`Cache-Control`) is not looked at: the interval is the app's.
///
/// ### Sharing a directory
///
/// Several caches may use one directory, in one process or in several. Each sees what the others have
/// kept, and the limit of the directory holds for all together; what one removes may still be in the
/// memory of another. The files are written without waiting
/// for the device, since they can be fetched again: a loss of power may damage one, which its checksum
/// tells. The system may empty the directory at any time.
public final class AssetCache: Sendable {
  let transport: any Transport
  let clock: any FieldClock
  let limits: AssetLimits
  let refresh: RefreshPolicy
  let fileSystem: any FileSystem
  let disk: AssetDisk?
  let queue: AssetQueue
  let state: Lock<State>
  /// Why there are no files, when there should be.
  private let placeFailure: FieldError?

  /// Makes a cache, which touches neither disk nor network before its first use.
  ///
  /// - Parameters:
  ///   - storage: Where the files are; with ``Storage/inMemory`` there are none.
  ///   - name: The name of the files' directory in the storage. Caches of one name share their files.
  ///   - transport: What asks the sources. Retrying is the work of a transport.
  ///   - clock: What tells the age of assets.
  ///   - limits: How much may be held.
  ///   - refresh: When an asset is old.
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
        throw FieldError(.invalidInput, "assets are kept at a file URL, and \(url) is none")
      }
    } catch {
      directory = nil
      let wrapped = FieldError.wrapping(error, as: .io, "the storage has no place for assets")
      failure = wrapped as? FieldError
    }
    disk = directory.map {
      AssetDisk(
        directory: $0.url.absoluteURL.path, access: $0.access, limits: limits, clock: clock,
        fileSystem: fileSystem)
    }
    placeFailure = failure
    var state = State()
    state.report.diskFailure = failure
    self.state = Lock(state)
  }

  /// The asset, from wherever it is.
  ///
  /// - Parameters:
  ///   - request: The asset. A file URL is read where it is; it is not kept, since it is there.
  ///   - trigger: With ``RefreshTrigger/now`` the source is asked in any case, as when a person pulls a
  ///     list down. Else it is asked when the asset is not there, or is old.
  /// - Throws: ``FieldError`` when there is neither an asset nor an older one, with the transport's
  ///   codes, ``FieldError/Code/notFound`` and ``FieldError/Code/status``,
  ///   ``FieldError/Code/assetTooLarge``, ``FieldError/Code/assetFormat``,
  ///   ``FieldError/Code/emptyBody``, ``FieldError/Code/assetMissing`` for a local file, or
  ///   ``FieldError/Code/invalidInput`` for an address that nothing can be asked from.
  @concurrent
  public func asset(
    for request: AssetRequest, refresh trigger: RefreshTrigger = .ifDue
  ) async throws -> Asset {
    try Task.checkCancellation()
    if request.url.isFileURL { return try localAsset(request) }
    if trigger == .ifDue, let asset = freshInMemory(request) { return asset }
    try request.check()
    return try await fly(request, trigger, isUrgent: true)
  }

  /// The asset when it is at hand, however old: out of memory, a file or the local file.
  ///
  /// - Returns: The asset; nil when the source would have to be asked.
  /// - Throws: ``FieldError`` for a local file that cannot be used; a file of the cache that cannot be
  ///   is told in the ``report()``.
  @concurrent
  public func cached(_ request: AssetRequest) async throws -> Asset? {
    try Task.checkCancellation()
    if request.url.isFileURL { return try localAsset(request) }
    try request.check()
    guard let (kept, origin) = try await find(request) else { return nil }
    return kept.asset(from: origin, failure: failure(for: request.identity, kept))
  }

  /// Fetches assets that are not at hand or are old, after all that others ask for at the time.
  ///
  /// They are kept in files, so that they do not drive out of memory what is shown. An asset that
  /// cannot be had does not end the others.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; nothing else.
  @concurrent
  @discardableResult
  public func prefetch(_ requests: [AssetRequest]) async throws -> AssetPrefetchReport {
    // Twice as many as there are transfers keep the queue full.
    let outcomes = try await requests.concurrentMap(limit: limits.transfers * 2) {
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

  /// Forgets an asset: in memory, in its file, and what an exchange under way will give.
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

  /// Forgets all assets, those that exchanges under way will give included.
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

  /// Forgets what is in memory, as when the system warns that there is little left; the files stay.
  public func releaseMemory() { state.withLock { $0.memory = CostLRU() } }

  /// Looks at the files now, and not at the first use: removes what was left by a process that died,
  /// and what is too much.
  ///
  /// - Throws: ``FieldError`` when files cannot be kept. The cache works all the same, from memory.
  @concurrent
  @discardableResult
  public func open() async throws -> AssetReport {
    if let placeFailure { throw placeFailure }
    if let disk, disk.isWritable { try await disk.open() } else { try disk?.look() }
    return makeReport()
  }

  /// What is held, and what was done since the cache was made.
  @concurrent
  public func report() async throws -> AssetReport {
    try Task.checkCancellation()
    do {
      return try await open()
    } catch let error as FieldError {
      // The rest of the report is worth having all the more.
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
