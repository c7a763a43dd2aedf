import Dispatch
import FieldKit
import FieldTesting
import Foundation
import TestSupport
import Testing

/// All tasks of a test share one thread, and each keeps it until it suspends, so it is counted how often a task uses a
/// store before it lets the others run.
@Suite("Tasks that use a store without a pause", .timeLimit(.minutes(60)))
struct StarvationTests {
  private struct Stone: CatalogRecord {
    let id: String
    var mass: Double?
    static let indexes: [RecordIndex<Stone>] = [.order(\.mass)]
    static let written = Stone(id: "written", mass: 1)
  }

  /// Far more than any task uses a store here before the others run, and far fewer than it would.
  private static let (limit, all) = (500, 5_000)

  private func storage(_ isInMemory: Bool, _ folder: TemporaryFolder) -> Storage {
    isInMemory ? .inMemory : .directory(folder.url, durability: .deferred)
  }

  /// One thread for all tasks that prefer it, in the order in which they are ready.
  private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "StarvationTests")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  @Test(
    "tasks that use a store without a pause let another commit after a bounded number of views",
    arguments: [true, false])
  func commitBesideReaders(isInMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    let storage = storage(isInMemory, folder)
    let catalog = Catalog<Stone>(
      "stones", at: URL(filePath: "/stones"), storage: storage, transport: StubTransport { _ in })
    let store: any RecordStore<Stone> = storage.store("stones")
    let counted = try await counts { _ in
      let view = try await catalog.view()
      _ = view.find(\.mass, order: .descending, limit: 5)
      return view[Stone.written.id] == nil
    } beside: {
      try await store.commit(Changes(upserting: [.written]), checkpoint: nil, expecting: nil)
    }
    #expect(counted.allSatisfy { $0 < Self.limit }, "\(counted)")
  }

  @Test(
    "tasks that use a store without a pause let another read after a bounded number of commits",
    arguments: [true, false])
  func readBesideWriters(isInMemory: Bool) async throws {
    let folder = try TemporaryFolder()
    let storage = storage(isInMemory, folder)
    let other: any RecordStore<Stone> = storage.store("other")
    let hasRead = Lock(false)
    let store: any RecordStore<Stone> = storage.store("stones")
    let counted = try await counts { count in
      let stone = Stone(id: "a", mass: Double(count))
      try await store.commit(Changes(upserting: [stone]), checkpoint: nil, expecting: nil)
      return !hasRead.withLock(\.self)
    } beside: {
      _ = try await other.snapshot()
      hasRead.withLock { $0 = true }
    }
    #expect(counted.allSatisfy { $0 < Self.limit }, "\(counted)")
  }

  /// Returns how often each of three tasks repeats an operation until it returns `false`, which happens after another
  /// task, which is ready to run from the first operation on, has run.
  private func counts(
    of operation: @escaping @Sendable (Int) async throws -> Bool,
    beside other: @escaping @Sendable () async throws -> Void
  ) async throws -> [Int] {
    let thread = OneThread()
    let (hasBegun, begin) = AsyncStream.makeStream(of: Void.self)
    return try await withThrowingTaskGroup(of: Int.self) { group in
      group.addTask(executorPreference: thread) {
        for await _ in hasBegun { break }
        try await other()
        return 0
      }
      for _ in 0..<3 {
        group.addTask(executorPreference: thread) {
          for count in 1...Self.all {
            guard try await operation(count) else { return count }
            begin.yield()
          }
          return Self.all
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }
}
