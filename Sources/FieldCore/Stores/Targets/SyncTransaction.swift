/// The content of a ``SyncTarget`` within a transaction of a ``SyncTargetRun``.
public protocol SyncTransaction<Record> {
  /// The type of the records.
  associatedtype Record: StoredRecord

  /// The stored checkpoint; `nil` if there is none.
  var checkpoint: Checkpoint? { get }

  /// The number of stored records before the transaction removes any.
  var count: Int { get throws }

  /// Returns the stored record of each ID, or `nil` where there is none, in the order of the IDs.
  func records(_ ids: [Record.ID]) throws -> [Record?]

  /// Inserts or replaces records with distinct IDs.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - stored: What ``records(_:)`` has returned for their IDs: a record to replace, or `nil` to insert one.
  func store(_ records: [Record], over stored: [Record?]) throws

  /// Removes the records with these IDs, which are stored.
  func remove(_ ids: [Record.ID]) throws

  /// Replaces the checkpoint.
  func store(_ checkpoint: Checkpoint) throws

  /// Remembers that the run has seen these IDs.
  ///
  /// - Parameters:
  ///   - ids: The IDs, each of which may occur more than once.
  ///   - rows: A number for each ID that distinguishes its row; `nil` if rows aren't compared, which leaves known numbers as they are.
  /// - Returns: How often an ID was seen before, in another row.
  @discardableResult
  func see(_ ids: [Record.ID], rows: [UInt64]?) throws -> Int

  /// Forgets the IDs that the run has seen, so that ``revert(merging:)`` isn't called anymore.
  func forgetSeen() throws

  /// Returns the IDs of stored records that the run hasn't seen, at most `limit` of them.
  func unseenIDs(limit: Int) throws -> [Record.ID]

  /// Gives the records that the run has changed their earlier values, and removes those that it has inserted.
  ///
  /// Records that no longer exist stay removed.
  ///
  /// - Parameter merge: A closure that returns what becomes of the current value and the earlier one; `nil` uses the earlier one.
  func revert(merging merge: ((_ current: Record, _ earlier: Record) -> Record)?) throws
}

extension SyncTransaction {
  /// Throws an error if the target was erased since a run began.
  func check(_ run: RunErasures, began base: Checkpoint?) throws(FieldError) {
    guard checkpoint?.erasure == base?.erasure,
      run.contains(checkpoint?.erasure, of: Record.self)
    else { throw .erasedInRun }
  }
}
