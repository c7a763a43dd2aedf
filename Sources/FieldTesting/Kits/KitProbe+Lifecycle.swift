internal import FieldCore
internal import FieldFoundation

// MARK: - Creating and opening

extension KitProbe {
  func creation() async throws {
    let counting = KitStorage(base: storage)
    let kit = try make(in: Storage(counting))
    try await letOthersRun()
    try require(transport.count == 0, "creating the kit sent a request")
    try require(counting.openings.most == 0, "creating the kit opened a store")
    let written = try files().map(\.lastPathComponent)
    try require(written.isEmpty, "creating the kit wrote \(written)")
    try await kit.close()
  }

  func firstUse() async throws {
    let first = try await makeFilled()
    let (filled, age) = (try await content(first), try await first.lastRefresh)
    let next = try await first.nextRefreshDate
    try await first.close()
    transport.setOffline(true)
    let uses: [(String, @Sendable (K) async throws -> Bool)] = [
      ("open()", { try await $0.open().isClean }),
      ("lastRefresh", { try await $0.lastRefresh == age }),
      ("nextRefreshDate", { try await $0.nextRefreshDate == next }),
      ("reading", { try await content($0) == filled }),
      ("close()", { _ in true }),
      (
        "eraseAll()",
        { kit in
          try await kit.eraseAll()
          return try await content(kit) != filled
        }
      ),
    ]
    for (name, use) in uses {
      let counting = KitStorage(base: storage)
      let kit = try make(in: Storage(counting))
      do {
        try require(try await use(kit), "as the first call, \(name) hasn't the kit's data")
      } catch let error as FieldError {
        throw ConformanceMiss("as the first call, \(name) threw \(error)")
      }
      try await kit.close()
    }
    transport.setOffline(false)
    try await requireOneOpening()
  }

  private func requireOneOpening() async throws {
    let counting = KitStorage(base: storage)
    let kit = try make(in: Storage(counting))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          if number % 2 == 0 { _ = try await content(kit) } else { _ = try await kit.lastRefresh }
        }
      }
      try await group.waitForAll()
    }
    let most = counting.openings.most
    try require(most <= 1, "8 callers opened a store \(most) times")
    try await kit.close()
  }

  func name() async throws {
    let (first, second) = (try make(), try make())
    let name = first.name
    try require(!name.isEmpty, "the name is empty")
    try require(second.name == name, "two kits of a storage have the names \(name), \(second.name)")
    try await fill(first)
    try require(first.name == name, "the name changed to \(first.name)")
    try await first.close()
    try await second.close()
  }

  func offlineStart() async throws {
    transport.setOffline(true)
    let kit = try make()
    try await kit.open()
    try require(try await content(kit) == (try await nothing()), "a new kit isn't empty")
    try require(try await kit.lastRefresh == nil, "a new kit was refreshed before")
    guard try await fetches(kit) else { return }
    try await requireError("a refresh without a network") { try await kit.refresh(.now) }
    try require(try await kit.lastRefresh == nil, "a refresh without a network set the age")
    transport.setOffline(false)
    try await kit.refresh(.now)
    try require(try await kit.lastRefresh != nil, "a refresh set no age")
    try await kit.close()
  }

  func reopening() async throws {
    let first = try await makeFilled()
    let (before, age) = (try await content(first), try await first.lastRefresh)
    try require(before != (try await nothing()), "a filled kit has nothing")
    try await first.close()
    transport.setOffline(true)
    let second = try make()
    try require(try await content(second) == before, "the data was lost with the process")
    try require(try await second.lastRefresh == age, "the age was lost with the process")
    try await second.close()
  }

  func twoKits() async throws {
    let (first, second) = (try make(), try make())
    try await fill(first)
    let filled = try await content(first)
    try require(try await content(second) == filled, "the other kit doesn't see the data")
    try await second.eraseAll()
    try require(try await content(first) == (try await nothing()), "the first kit still has data")
    try await first.close()
    try require(try await content(second) == (try await nothing()), "closing one closed the other")
    try await second.close()
  }
}

// MARK: - Following

extension KitProbe {
  func following() async throws {
    guard let follow else { return }
    let kit = try await makeFilled()
    let (filled, nothing) = (try await content(kit), try await nothing())
    let seen = Lock<[Content]>([])
    let reader = Task {
      for try await content in follow(kit) { seen.withLock { $0.append(content) } }
    }
    try await eventually { seen.withLock(\.last) == filled }
    if try await fetches(kit) {
      // Only the age changes.
      advance(seconds: 10)
      try await kit.refresh(.now)
      try await letOthersRun()
      try require(
        seen.withLock(\.count) == 1, "a refresh that changed nothing yielded a result again")
    }
    try await kit.eraseAll()
    try await eventually { seen.withLock(\.last) == nothing }
    try await fill(kit)
    try await eventually { seen.withLock(\.last) == filled }
    let results = seen.withLock(\.self)
    try require(
      !zip(results, results.dropFirst()).contains(where: ==), "a result was yielded twice in turn")
    try await kit.close()
    do {
      try await reader.value
    } catch {
      throw ConformanceMiss("closing the kit ended the results with \(error)")
    }
  }

  func followingDamaged() async throws {
    guard let follow else { return }
    let kit = try await makeFilled()
    try await kit.close()
    try damageHeaders()
    let damaged = try make()
    try await requireError("following the results of a damaged kit") {
      for try await _ in follow(damaged) { break }
    }
    try await damaged.eraseAll()
    try await damaged.close()
  }
}

// MARK: - Damage

extension KitProbe {
  func damageIsReportedOnce() async throws {
    for asks in [true, false] {
      let kit = try await makeFilled()
      try await kit.close()
      try damageEnd()
      let damaged = try make()
      if asks {
        try require(!(try await damaged.open().cuts.isEmpty), "open() doesn't report the damage")
      }
      let codes = try await damaged.refresh(.now).notices.map(\.code)
      try require(
        codes.contains(.damaged) != asks,
        asks ? "the damage was reported twice" : "a refresh doesn't report the damage")
      let again = try await damaged.refresh(.now).notices.map(\.code)
      try require(!again.contains(.damaged), "the damage was reported by two refreshes")
      try await damaged.eraseAll()
      try await damaged.close()
    }
  }

  func damageInViews() async throws {
    guard let damage else { return }
    for opens in [true, false] {
      let kit = try await makeFilled()
      try require(try await damage(kit).isEmpty, "a view of an intact kit contains damage")
      try await kit.close()
      try damageEnd()
      let damaged = try make()
      for _ in 0..<2 {
        try require(!(try await damage(damaged).isEmpty), "a view doesn't contain the damage")
      }
      if opens { try await damaged.open() } else { try await damaged.refresh(.now) }
      try require(
        try await damage(damaged).isEmpty, "a view contains damage that has been reported")
      try await damaged.eraseAll()
      try await damaged.close()
    }
  }

  func damagedHeader() async throws {
    let kit = try await makeFilled()
    let filled = try await content(kit)
    try await kit.close()
    try damageHeaders()
    let stores = try files().filter { $0.path.hasSuffix(".store") }
    let originals = try stores.map { try Data(contentsOf: $0) }
    let damaged = try make()
    let error = try await requireError("open() with a damaged header") { try await damaged.open() }
    try require(error.message.contains("erase"), "the message doesn't say what to do: \(error)")
    try await damaged.eraseAll()
    let kept = try files().compactMap { try? Data(contentsOf: $0) }
    try require(
      originals.allSatisfy(kept.contains), "a file that can't be opened wasn't set aside")
    try require(try await content(damaged) == (try await nothing()), "an erased kit has data")
    try await fill(damaged)
    try require(try await content(damaged) == filled, "an erased kit can't be filled again")
    try await damaged.close()
  }
}

// MARK: - Erasing and closing

extension KitProbe {
  func erasing() async throws {
    let kit = try await makeFilled()
    let filled = try await content(kit)
    try await kit.eraseAll()
    try require(try await content(kit) == (try await nothing()), "an erased kit has data")
    try require(try await kit.lastRefresh == nil, "an erased kit has an age")
    if let next = try await kit.nextRefreshDate {
      try require(next <= clock.now, "an erased kit isn't due")
    }
    try await kit.close()
    let reopened = try make()
    try require(try await content(reopened) == (try await nothing()), "erased data is back")
    try require(try await reopened.lastRefresh == nil, "the age of erased data is back")
    try await fill(reopened)
    try require(try await content(reopened) == filled, "an erased kit can't be filled again")
    try await reopened.close()
  }

  func erasingDuringRefresh() async throws {
    let kit = try await makeFilled()
    guard try await fetches(kit) else { return }
    try await requireErased(kit, by: kit)
    try await kit.close()
  }

  func erasingByAnother() async throws {
    let (kit, other) = (try await makeFilled(), try make())
    guard try await fetches(kit) else { return }
    try await requireErased(kit, by: other)
    try await kit.close()
    try await other.close()
  }

  /// Refreshes a kit, whose data a kit of the same storage erases in the meantime.
  private func requireErased(_ kit: K, by other: K) async throws {
    transport.hold()
    let refresh = Task { try await kit.refresh(.now) }
    await transport.heldAnswer()
    try await other.eraseAll()
    transport.release()
    let error = try await requireError("a refresh during which the kit was erased") {
      _ = try await refresh.value
    }
    try require(error.code == .conflict, "erasing during a refresh threw \(error)")
    try require(try await content(kit) == (try await nothing()), "erased data reappeared")
    try require(try await kit.lastRefresh == nil, "an erased kit has an age")
  }

  func closingDuringRefresh() async throws {
    let kit = try await makeFilled()
    guard try await fetches(kit) else { return }
    let (before, age) = (try await content(kit), try await kit.lastRefresh)
    advance(seconds: 10)
    transport.hold()
    let refresh = Task { try await kit.refresh(.now) }
    await transport.heldAnswer()
    try await kit.close()
    transport.release()
    let error = try await requireError("a refresh during which the kit was closed") {
      _ = try await refresh.value
    }
    try require(error.code == .closed, "closing during a refresh threw \(error)")
    let reopened = try make()
    try await requireSame(reopened, as: before, age, after: "a refresh of a closed kit")
    try await reopened.close()
  }

  func useAfterClose() async throws {
    let kit = try await makeFilled()
    try await kit.close()
    try await requireError("open() after close()") { try await kit.open() }
    try await requireError("reading after close()") { _ = try await content(kit) }
    for await step in kit.refreshProgress() {
      try require(false, "a closed kit reported \(step.phase)")
    }
    if try await fetches(try make()) {
      try await requireError("refresh() after close()") { try await kit.refresh(.now) }
    }
    try await kit.close()
  }
}
