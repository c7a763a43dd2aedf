internal import FieldCore

/// What changes in a diary, as it happens.
///
/// ```swift
/// for try await change in diary.updates() where change.affects(mesh.id) {
///   show(try await diary.walks(of: mesh.id))
/// }
/// ```
///
/// The first element comes at once and says that everything is new. A reader that is slower than the
/// changes gets several of them as one. The sequence ends when its task is cancelled and when the diary
/// is closed.
public struct WalkDiaryUpdates: AsyncSequence, Sendable {
  fileprivate enum Base: Sendable {
    case store(@Sendable () throws -> SnapshotUpdates<StoredWalks.Record>)
    case stream(@Sendable () async throws -> AsyncStream<WalkDiaryChange>)
  }

  private let base: Base

  /// Makes the sequence of a backend of your own.
  ///
  /// - Parameter start: Called at the first step of each iteration.
  public init(_ start: @escaping @Sendable () async throws -> AsyncStream<WalkDiaryChange>) {
    base = .stream(start)
  }

  init(of store: @escaping @Sendable () throws -> SnapshotUpdates<StoredWalks.Record>) {
    base = .store(store)
  }

  /// Makes an iterator, which observes from its first step on.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base) }

  /// Waits for the next change.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private enum Phase {
      case before(Base)
      case store(SnapshotUpdates<StoredWalks.Record>.AsyncIterator, Snapshot<StoredWalks.Record>?)
      case stream(AsyncStream<WalkDiaryChange>.AsyncIterator)
      case after
    }

    private var phase: Phase

    fileprivate init(base: Base) { phase = .before(base) }

    /// The next change; nil when there will be none.
    public mutating func next() async throws -> WalkDiaryChange? {
      try await next(isolation: #isolation)
    }

    /// The next change; nil when there will be none.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> WalkDiaryChange? {
      if case .before(let base) = phase {
        phase = .after
        switch base {
        case .store(let updates): phase = .store(try updates().makeAsyncIterator(), nil)
        case .stream(let start): phase = .stream(try await start().makeAsyncIterator())
        }
      }
      switch phase {
      case .store(var iterator, let last):
        phase = .after
        while let snapshot = try await iterator.next(isolation: actor) {
          guard let change = WalkDiaryChange(from: last, to: snapshot) else { continue }
          phase = .store(iterator, snapshot)
          return change
        }
        return nil
      case .stream(var iterator):
        let change = await iterator.next(isolation: actor)
        phase = change == nil ? .after : .stream(iterator)
        return change
      case .before, .after:
        return nil
      }
    }
  }
}

extension WalkDiaryChange {
  /// What is different between two contents of a store; nil when nothing is.
  init?(from old: Snapshot<StoredWalks.Record>?, to new: Snapshot<StoredWalks.Record>) {
    guard let old, let ids = new.changedIDs(since: old.revision) else {
      self.init(everything: true)
      return
    }
    self.init()
    for id in ids {
      let records = [old[id: id], new[id: id]]
      guard records[0] != records[1] else { continue }
      for record in records {
        switch record?.content {
        case .pet(let pet): pets.insert(pet.id)
        case .walk(let walk):
          walks.insert(walk.id)
          pets.formUnion(walk.pets.map(\.pet))
        case .place: places = true
        case .choice, .alias, nil: break
        }
      }
      if case .choice(let pet) = new[id: id]?.content, let pet { pets.insert(pet) }
      if case .choice(let pet) = old[id: id]?.content, let pet { pets.insert(pet) }
    }
    if self == WalkDiaryChange() { return nil }
  }
}
