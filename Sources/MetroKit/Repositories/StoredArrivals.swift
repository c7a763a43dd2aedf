public import FieldCore

/// The last board in a record store: replaced in one commit, there again after a restart.
///
/// A board is fetched anew all the time, so a storage whose durability is
/// ``/FieldCore/Durability/deferred`` suffices: a loss of power can only bring an older board back, and
/// its age tells.
public final class StoredArrivals: ArrivalRepository {
  /// The name of the store in a ``/FieldCore/Storage``.
  public static let storeName = "metro"

  private let makeStore: @Sendable () throws -> any RecordStore<Record>
  private let opened = Lock<(any RecordStore<Record>)?>(nil)

  /// Keeps the board in `store`.
  public init(store: any RecordStore<Record>) {
    makeStore = { store }
  }

  /// Keeps the board in the store ``storeName`` of `storage`.
  public init(storage: Storage) {
    makeStore = { try storage.records(Self.storeName, of: Record.self) }
  }

  /// Opens the store, and tells what was found.
  @discardableResult
  public func open() async throws -> OpeningReport {
    try await store().open()
  }

  /// The board that was last saved.
  public func load() async throws -> ArrivalBoard? {
    try await store().snapshot()[id: Record.onlyID]?.board
  }

  /// Keeps a board in place of the one before, in one commit.
  public func save(_ board: ArrivalBoard) async throws {
    let checkpoint = Checkpoint(lastSuccess: board.fetchedAt)
    try await store().commit(
      Changes(upserting: [Record(board: board)]), checkpoint: checkpoint, expecting: nil)
  }

  /// Forgets the board.
  public func eraseAll() async throws {
    var changes = Changes<Record>()
    changes.removeAll()
    try await store().commit(changes, checkpoint: Checkpoint(), expecting: nil)
  }

  /// Closes the store.
  public func close() async throws {
    try await store().close()
  }

  private func store() throws -> any RecordStore<Record> {
    try opened.withLock { opened in
      if let opened { return opened }
      let store = try makeStore()
      opened = store
      return store
    }
  }
}

extension StoredArrivals {
  /// A board as a record of a store, the only one in it.
  ///
  /// The rows of a board belong together, and their order is the source's: as one record they can only
  /// be replaced together.
  public struct Record: StoredRecord, Hashable {
    /// Always the same, so that a board takes the place of the one before.
    public let id: String
    /// The board.
    public var board: ArrivalBoard

    static let onlyID = "board"

    /// Makes a record.
    public init(board: ArrivalBoard) {
      id = Self.onlyID
      self.board = board
    }

    /// The name of the type in store files.
    public static var storedName: String { "ArrivalBoard" }
  }
}
