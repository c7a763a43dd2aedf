internal import FieldFoundation

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
