internal import FieldCore
internal import FieldFoundation

/// A storage that counts how often a kit opens its stores.
struct KitStorage: StorageProvider {
  let base: Storage
  let openings = Counts()

  /// The number of openings of each store.
  final class Counts: Sendable {
    private let counts = Lock<[String: Int]>([:])

    var most: Int { counts.withLock { $0.values.max() ?? 0 } }
    func add(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
  }

  private struct CountingStore<Record: StoredRecord>: ForwardingRecordStore {
    let base: any RecordStore<Record>
    let name: String
    let openings: Counts
    var observer: FieldObserver? { base.observer }

    func target() -> any RecordStore<Record> { base }

    func open() async throws -> OpeningReport {
      openings.add(name)
      return try await base.open()
    }
  }

  func records<Record: StoredRecord>(
    _ name: String, of type: Record.Type
  ) throws -> any RecordStore<Record> {
    CountingStore(base: try base.records(name, of: type), name: name, openings: openings)
  }

  func blobs(_ name: String) throws -> any BlobStore { try base.blobs(name) }

  func assets(_ name: String) throws -> AssetDirectory? { try base.assets(name) }

  func journals(_ name: String) throws -> JournalDirectory { try base.journals(name) }
}

/// The clock of a kit under test, which stands still until a case moves it, and on which sleeps
/// take no time.
final class KitClock: FieldClock {
  private struct State: Sendable {
    var now = Date(timeIntervalSince1970: 1_767_225_600)
    var slept = Duration.zero
  }

  private let state = Lock(State())

  var now: Date { state.withLock(\.now) }
  var uptime: Duration { state.withLock(\.slept) }

  func set(now: Date) { state.withLock { $0.now = now } }

  func sleep(for duration: Duration) async throws {
    state.withLock { $0.slept += max(duration, .zero) }
    await Task.yield()
    try Task.checkCancellation()
  }
}
