public import FieldFoundation

/// A batch of changes to records and operations, committed in one step by ``Outbox/update(_:)``.
public struct OutboxChanges<Record: OutboxRecord>: Sendable {
  /// An operation of the store.
  public typealias Operation = OutboxOperation<Record.Payload>

  /// Returns one payload that replaces two, or `nil` if both have to be sent.
  typealias Merge =
    @Sendable (_ earlier: Record.Payload, _ later: Record.Payload) -> Record.Payload?

  private var changes = Changes<Record>()
  private let index: OutboxIndex<Record>
  private let now: Date
  private let merge: Merge
  /// The operations that the batch adds or changes.
  private var changed: [UUID: Operation] = [:]
  /// The IDs of those operations, in order.
  private var order: [UUID] = []
  /// The IDs of the operations that the batch adds to each lane, in order.
  private var added: [String: [UUID]] = [:]
  private var discarded: Set<UUID> = []

  init(over index: OutboxIndex<Record>, at now: Date, merge: @escaping Merge) {
    self.index = index
    self.now = now
    self.merge = merge
  }

  /// Inserts a record, or replaces the one with its ID.
  public mutating func upsert(_ record: Record) { changes.upsert(record) }

  /// Removes the record with this ID, if there is one.
  public mutating func remove(_ id: Record.ID) { changes.remove(id) }

  /// Adds an operation at the end of a lane, or merges it into the last one there.
  ///
  /// Operations are merged by the outbox's `merging` closure, and only into one that was never
  /// sent.
  ///
  /// - Parameters:
  ///   - payload: The content to send to the server.
  ///   - lane: The name of the lane. Put operations that depend on each other in the same lane.
  ///   - subject: The name of the operation's subject, such as a record's ID. Defaults to the
  ///     lane.
  ///   - blocksLane: Pass `false` to send the operations behind this one even if it is rejected.
  ///     Defaults to `true`.
  ///   - id: The ID of the operation. An existing operation with this ID isn't changed.
  /// - Returns: The ID of the operation that contains the payload.
  @discardableResult
  public mutating func enqueue(
    _ payload: Record.Payload, lane: String, subject: String? = nil, blocksLane: Bool = true,
    id: UUID = UUID()
  ) -> UUID {
    guard self[id] == nil else { return id }
    if var last = last(in: lane), last.isMergeable, let merged = merge(last.payload, payload) {
      last.payload = merged
      put(last)
      return last.id
    }
    put(
      Operation(
        payload, id: id, lane: lane, subject: subject, blocksLane: blocksLane, enqueued: now))
    added[lane, default: []].append(id)
    return id
  }

  /// Changes the payload of a waiting or rejected operation, and sends it as soon as possible.
  ///
  /// The operation keeps its place in its lane. If it was sent before, it gets a new key.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/notPending`` if the operation no
  ///   longer exists, or ``FieldError/Code/alreadySent`` if the server may have received it; or an
  ///   error from `body`.
  public mutating func edit(
    _ id: UUID, _ body: (inout Record.Payload) throws -> Void
  ) throws {
    var operation = try require(id)
    guard operation.isEditable else { throw Self.alreadySent(operation) }
    try body(&operation.payload)
    operation.restart()
    put(operation)
  }

  /// Sends a waiting operation, or a rejected one with a new key, as soon as possible.
  ///
  /// If the outcome of the last attempt is unknown, the outbox asks the server first.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/notPending`` if the operation no
  ///   longer exists.
  public mutating func resend(_ id: UUID) throws {
    var operation = try require(id)
    switch operation.state {
    case .rejected: operation.restart()
    case .waiting, .unsure: operation.nextAttempt = nil
    case .sending: return
    }
    put(operation)
  }

  /// Removes an operation without sending it.
  ///
  /// If its outcome is unknown, the server may have applied it.
  ///
  /// - Throws: ``FieldError`` with the code ``FieldError/Code/notPending`` if the operation no
  ///   longer exists, or ``FieldError/Code/alreadySent`` if it is being sent.
  public mutating func discard(_ id: UUID) throws {
    let operation = try require(id)
    guard operation.state != .sending else { throw Self.alreadySent(operation) }
    removeOperation(operation)
  }

  private func require(_ id: UUID) throws -> Operation {
    guard let operation = self[id] else {
      throw FieldError(
        .notPending, "The operation \(id) isn't in the outbox. It was sent or discarded.")
    }
    return operation
  }

  private static func alreadySent(_ operation: Operation) -> FieldError {
    FieldError(
      .alreadySent,
      "The operation \(operation.id) can't be changed, because the server may have received it. Wait for its outcome."
    )
  }
}

extension OutboxChanges {
  /// The operation with this ID, including changes of the batch.
  subscript(id: UUID) -> Operation? { discarded.contains(id) ? nil : changed[id] ?? index[id] }

  /// Returns the rejected operation of a lane; `nil` if there is none.
  package func rejected(in lane: String) -> Operation? {
    index.operations(in: lane).lazy.compactMap { self[$0] }.first { $0.state == .rejected }
  }

  private func last(in lane: String) -> Operation? {
    added[lane]?.last { !discarded.contains($0) }.flatMap { changed[$0] }
      ?? index.operations(in: lane).last { !discarded.contains($0) }.flatMap { self[$0] }
  }

  mutating func put(_ operation: Operation) {
    if changed.updateValue(operation, forKey: operation.id) == nil { order.append(operation.id) }
  }

  mutating func removeOperation(_ operation: Operation) {
    changed[operation.id] = nil
    discarded.insert(operation.id)
    changes.remove(Record.operation(operation).id)
  }

  /// Returns all changes, with those of operations last.
  func finished() throws -> Changes<Record> {
    var changes = changes
    for id in order {
      guard var operation = changed[id] else { continue }
      if operation.payload != index[id]?.payload {
        operation.byteCount = try StoredJSON.encode(operation.payload).count
      }
      changes.upsert(.operation(operation))
    }
    return changes
  }
}
