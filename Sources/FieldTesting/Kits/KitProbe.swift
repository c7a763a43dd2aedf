internal import FieldCore
internal import FieldFoundation

/// A kit under test and its environment.
struct KitProbe<K: Kit, Content: Equatable & Sendable>: Sendable {
  let folder: URL
  let transport: KitTransport
  let clock: KitClock
  let storage: Storage
  let makeKit: @Sendable (KitBench) throws -> K
  let later: KitConformance.Answer?
  let lacking: KitConformance.Answer?
  let unreadable: KitConformance.Answer?
  let upgrade: (@Sendable (KitBench) throws -> any Kit)?
  let fill: @Sendable (K) async throws -> Void
  let damage: (@Sendable (K) async throws -> [OpeningReport.Cut])?
  let follow: (@Sendable (K) -> FieldSequence<Content, any Error>)?
  let content: @Sendable (K) async throws -> Content

  func make(over transport: (any Transport)? = nil, in storage: Storage? = nil) throws -> K {
    try makeKit(
      KitBench(
        storage: storage ?? self.storage, transport: transport ?? self.transport, clock: clock))
  }

  func makeFilled() async throws -> K {
    let kit = try make()
    try await fill(kit)
    return kit
  }

  /// Returns the content of a kit with an empty storage.
  func nothing() async throws -> Content {
    let kit = try make(in: .inMemory)
    let nothing = try await content(kit)
    try await kit.close()
    return nothing
  }

  /// Returns whether the kit has anything to fetch: by a schedule, or on every visit.
  func fetches(_ kit: K) async throws -> Bool {
    if try await kit.nextRefreshDate != nil { return true }
    let counted = KitTransport(transport.respond)
    let other = try make(over: counted, in: .inMemory)
    let report = try await other.refresh(.now)
    try await other.close()
    return counted.count > 0 || report.outcome != .notDue
  }

  /// Returns the number of requests that a closure sends.
  func requests(_ body: () async throws -> Void) async throws -> Int {
    let before = transport.count
    try await body()
    return transport.count - before
  }

  func advance(seconds: Double) { clock.set(now: clock.now.addingTimeInterval(seconds)) }

  /// Lets tasks that a call has started run as far as they can.
  func letOthersRun() async throws {
    let clock: any FieldClock = .system
    for turn in 0..<40 {
      if turn % 4 == 0 {
        try await clock.sleep(for: .milliseconds(2))
      } else {
        await Task.yield()
      }
    }
  }

  /// Waits until a condition holds, at most as long as the case may take.
  func eventually(_ condition: () -> Bool) async throws {
    let clock: any FieldClock = .system
    while !condition() { try await clock.sleep(for: .milliseconds(2)) }
  }

  /// Throws a reason unless `body` throws a `FieldError`, and returns that error.
  @discardableResult
  func requireError(_ name: String, _ body: () async throws -> Void) async throws -> FieldError {
    do {
      try await body()
    } catch let error as FieldError {
      return error
    } catch {
      throw ConformanceMiss("\(name) threw \(error), which isn't a FieldError")
    }
    throw ConformanceMiss("\(name) threw nothing")
  }

  /// Throws a reason unless the kit has this content and age.
  func requireSame(
    _ kit: K, as content: Content, _ age: Date?, after event: String
  ) async throws {
    try require(try await self.content(kit) == content, "\(event) changed the data")
    try require(try await kit.lastRefresh == age, "\(event) changed the age")
  }
}

// MARK: - Files

extension KitProbe {
  /// Changes the bytes of the store files in the folder, or of the largest only.
  func change(
    _ which: (_ names: [URL]) -> [URL] = { $0 }, _ body: (inout [UInt8]) -> Void
  ) throws {
    let stores = try files().filter { $0.path.hasSuffix(".store") }
    try require(!stores.isEmpty, "the kit keeps nothing in the storage")
    for file in which(stores) {
      var bytes = [UInt8](try Data(contentsOf: file))
      body(&bytes)
      try Data(bytes).write(to: file)
    }
  }

  /// Damages the end of the largest store file, so that opening cuts it off.
  func damageEnd() throws { try change(largest) { $0[$0.count - 3] ^= 0xFF } }

  /// Damages the headers of the store files, so that none can be opened.
  func damageHeaders() throws { try change { $0[20] ^= 0xFF } }

  func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { folder.appending(path: $0) }
  }

  private func largest(_ files: [URL]) -> [URL] {
    func size(_ file: URL) -> Int { (try? Data(contentsOf: file).count) ?? 0 }
    return files.max { size($0) < size($1) }.map { [$0] } ?? []
  }
}
