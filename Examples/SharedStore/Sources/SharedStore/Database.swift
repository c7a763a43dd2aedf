import FieldCore
import Foundation

/// A database that the stores of a storage share, through one connection.
///
/// libpq blocks its thread, so the actor has a thread of its own. What runs in it runs to its end before the
/// next, and therefore so do the commits of one process.
actor Database {
  private let url: String
  private let executor = ThreadExecutor()
  private var connection: Connection?
  private var watchers: [UUID: Watcher] = [:]
  private var listening: Task<Void, Never>?

  private struct Watcher: Sendable {
    let store: String
    let catchUp: @Sendable () async -> Void
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// A Boolean value that indicates whether the server has `LISTEN` and `NOTIFY`; CockroachDB doesn't.
  private(set) var notifies = false

  init(_ url: String) { self.url = url }

  deinit { listening?.cancel() }

  /// Runs statements, with a new connection if the last one has ended.
  ///
  /// The server rolls back a transaction whose connection is lost, so `body` runs a second time, unless the
  /// connection was lost during a commit.
  func run<Result: Sendable>(
    _ body: @Sendable (Connection, _ notifies: Bool) throws -> Result
  ) throws -> Result {
    var isNew = connection == nil
    while true {
      let connection = try connected()
      do {
        return try body(connection, notifies)
      } catch {
        guard connection.isBroken else { throw error }
        self.connection = nil
        guard !isNew, !connection.isInDoubt else { throw error }
        isNew = true
      }
    }
  }

  private func connected() throws -> Connection {
    if let connection { return connection }
    let new = try Connection(url)
    // Two processes that create a table at the same time disturb each other, with one of several errors; the second
    // attempt finds it.
    for statement in Self.schema {
      do { try new.run(statement) } catch { try new.run(statement) }
    }
    let functions = try new.run("SELECT count(*)::BIGINT FROM pg_proc WHERE proname = 'pg_notify'")
    notifies = (functions.first?.int(0) ?? 0) > 0
    connection = new
    return new
  }

  /// Records have a position, which is their order, and the revision that changed them last. The row of a
  /// removed record stays without bytes, so that other processes notice the removal; `floor` is the revision
  /// up to which those rows have been deleted.
  private static let schema = [
    """
    CREATE TABLE IF NOT EXISTS field_stores (
      name TEXT PRIMARY KEY, type TEXT NOT NULL, revision BIGINT NOT NULL, floor BIGINT NOT NULL,
      checkpoint BYTEA)
    """,
    """
    CREATE TABLE IF NOT EXISTS field_records (
      store TEXT NOT NULL, position BIGINT NOT NULL, revision BIGINT NOT NULL,
      version BIGINT NOT NULL, record BYTEA,
      PRIMARY KEY (store, position), UNIQUE (store, revision, position))
    """,
    """
    CREATE TABLE IF NOT EXISTS field_blobs (
      store TEXT NOT NULL, id TEXT NOT NULL, put_by TEXT NOT NULL, put_at TIMESTAMPTZ NOT NULL,
      bytes BYTEA NOT NULL, PRIMARY KEY (store, id))
    """,
  ]

  // MARK: Commits of other processes

  /// Calls `catchUp` whenever a store may have changed, until ``unwatch(_:)``.
  func watch(_ id: UUID, store: String, _ catchUp: @escaping @Sendable () async -> Void) {
    watchers[id] = Watcher(store: store, catchUp: catchUp)
    guard listening == nil else { return }
    listening = Task { [url, weak self] in
      await Listener().run(url) { [weak self] stores in await self?.catchUp(stores) }
    }
  }

  func unwatch(_ id: UUID) { watchers[id] = nil }

  private func catchUp(_ stores: Set<String>?) async {
    for watcher in watchers.values where stores?.contains(watcher.store) ?? true {
      await watcher.catchUp()
    }
  }
}

/// A second connection, which waits for notifications on a thread of its own.
private actor Listener {
  private let executor = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Reports the stores that have changed, or `nil` for any of them, until the task is canceled.
  ///
  /// Without `LISTEN`, and after each connection, any store may have changed.
  func run(_ url: String, _ report: @Sendable (Set<String>?) async -> Void) async {
    while !Task.isCancelled {
      do {
        let connection = try Connection(url)
        let listens = (try? connection.run("LISTEN field_stores")) != nil
        await report(nil)
        while !Task.isCancelled {
          let stores = Set(try connection.notifications())
          if !stores.isEmpty { await report(stores) } else if !listens { await report(nil) }
        }
      } catch {
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }
}

/// An executor with one thread at a time.
private final class ThreadExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "SharedStore")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
