internal import FieldCore
public import FieldFoundation

extension FirestoreClient {
  /// Applies writes in order, atomically.
  ///
  /// After a failure, the client repeats the commit only if that can't apply it twice. To see
  /// whether a failed commit may have been applied, check the error's `firestoreOutcome`. Pass a
  /// receipt for writes that aren't idempotent.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the server would reject a write, or
  ///   with a `firestore.…` code.
  @discardableResult
  public func commit(_ writes: [FirestoreWrite]) async throws -> FirestoreCommit {
    try check(writes)
    guard !writes.isEmpty else { return FirestoreCommit() }
    return try await send(writes, isSafeToRepeat: writes.allSatisfy(\.isIdempotent))
  }

  /// Applies writes in order, atomically, and exactly once for each ID.
  ///
  /// The commit also creates a receipt. If the ID already has a receipt, an earlier attempt has
  /// applied the writes, and nothing is changed. You can therefore repeat the call after any
  /// failure, even in another process, as long as receipts are kept. A receipt costs one write.
  ///
  /// - Parameters:
  ///   - writes: The writes.
  ///   - receipt: The ID of the operation, the same for each attempt.
  ///   - firstAttempt: The time of the first attempt. If it is further in the past than receipts
  ///     are kept, nothing is sent.
  /// - Throws: `FieldError` with the code `firestore.receiptExpired` in that case, and otherwise
  ///   the errors of ``commit(_:)``.
  @discardableResult
  public func commit(
    _ writes: [FirestoreWrite], receipt: UUID, firstAttempt: Date? = nil
  ) async throws -> FirestoreCommit {
    let policy = configuration.receipts
    if let firstAttempt,
      clock.now.timeIntervalSince(firstAttempt) > (policy.lifetime - policy.margin) / .seconds(1)
    {
      throw FirestoreMethod.commit.error(
        .firestoreReceiptExpired,
        "The operation \(receipt) was first sent at \(FirestoreTimestamp(firstAttempt)), and its receipt "
          + "may have been deleted. Check whether it was applied, and send it under a new ID.")
    }
    let all = [receiptWrite(receipt)] + writes
    try check(all)
    do {
      var commit = try await send(all, isSafeToRepeat: true)
      commit.results.removeFirst()
      return commit
    } catch let error as FieldError {
      return try await resolve(error, receipt)
    }
  }

  /// Returns a Boolean value that indicates whether the writes of an operation were applied.
  ///
  /// Even if it is `false`, a request that is still on its way may be applied later.
  public func receipt(_ id: UUID) async throws -> Bool { try await receiptTime(id) != nil }

  private func receiptTime(_ id: UUID) async throws -> FirestoreTimestamp? {
    try await get(receiptPath(id)).map { document in
      try document.updateTime ?? FirestoreTimestamp(seconds: 0)
    }
  }

  private func receiptPath(_ id: UUID) -> FirestorePath {
    configuration.receipts.collection.child(id.uuidString.lowercased())
  }

  func receiptWrite(_ id: UUID) -> FirestoreWrite {
    let policy = configuration.receipts
    var fields = policy.fields
    fields[policy.expiryField] = .date(clock.now.addingTimeInterval(policy.lifetime / .seconds(1)))
    return FirestoreWrite(receiptPath(id), .update(fields, mask: nil), precondition: .exists(false))
  }

  /// Determines whether an earlier attempt has applied a commit that was rejected.
  ///
  /// The status of a failed precondition varies between servers, and another precondition of the
  /// commit may fail first. The receipt decides.
  func resolve(_ error: FieldError, _ receipt: UUID) async throws -> FirestoreCommit {
    switch error.code {
    case .firestoreAlreadyExists, .firestoreFailedPrecondition, .firestoreNotFound:
      guard let time = try await receiptTime(receipt) else { throw error }
      return FirestoreCommit(applied: .earlier, time: time)
    default: throw error
    }
  }

  // MARK: Committing

  func check(_ writes: [FirestoreWrite]) throws {
    let limits = configuration.limits
    guard writes.count <= limits.writeCount else {
      throw FieldError(
        .invalidInput,
        "There are \(writes.count) writes, but a commit takes \(limits.writeCount). Use write(_:), "
          + "or divide them.")
    }
    var transforms: [FirestorePath: Int] = [:]
    for write in writes {
      try limits.check(write, in: database)
      transforms[write.path, default: 0] += write.transforms.count
    }
    if let (path, count) = transforms.first(where: { $0.value > limits.transformCount }) {
      throw FieldError(
        .invalidInput,
        "\(path) has \(count) transforms in one commit, but \(limits.transformCount) is the limit.")
    }
  }

  /// Sends a commit that has already been checked.
  func send(
    _ writes: [FirestoreWrite], transaction: String? = nil, isSafeToRepeat: Bool
  ) async throws -> FirestoreCommit {
    let answer = try await call(
      .commit, database.name(of: ""), verb: "commit",
      body: [
        "writes": .array(writes.map { $0.json(name: database.name) }),
        "transaction": transaction.map { .string($0) },
      ], isSafeToRepeat: isSafeToRepeat)
    guard case .object = answer else { throw Self.unexpected(answer, .commit) }
    let results = answer["writeResults"]?.elements ?? []
    guard results.count == writes.count else {
      throw FieldError(
        .firestoreIncomplete,
        "The response has \(results.count) results for \(writes.count) writes, so it isn't known "
          + "whether they were applied.", operation: FirestoreMethod.commit.operation)
    }
    return FirestoreCommit(
      results: try results.map(Self.result), time: Self.time(answer["commitTime"]))
  }

  private static func result(_ json: JSONValue) throws -> FirestoreCommit.WriteResult {
    do {
      return FirestoreCommit.WriteResult(
        updateTime: try FirestoreDocument.time(json["updateTime"]),
        transformResults: try (json["transformResults"]?.elements ?? []).map {
          try FirestoreValue(json: $0)
        })
    } catch {
      throw FirestoreMethod.commit.error(
        .malformed, "The writes were applied, but a result can't be read: it \(error).")
    }
  }
}
