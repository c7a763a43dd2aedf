internal import FieldCore
public import FieldFoundation

extension FirestoreClient {
  /// Applies writes in order, all of them or none.
  ///
  /// The commit is sent again after a failure only if that can't apply it twice. If the outcome is unknown,
  /// `firestoreOutcome` of the error says so; pass a receipt where writes aren't
  /// idempotent.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if a write would be refused, or a `firestore.…`
  ///   code.
  @discardableResult
  public func commit(_ writes: [FirestoreWrite]) async throws -> FirestoreCommit {
    try check(writes)
    guard !writes.isEmpty else { return FirestoreCommit() }
    return try await send(writes, isSafeToRepeat: writes.allSatisfy(\.isIdempotent))
  }

  /// Applies writes in order, all of them or none, and exactly once for each ID.
  ///
  /// A receipt is created in the same commit. If the ID has a receipt, the writes were applied by an earlier
  /// attempt, and nothing is changed. So the call can be repeated after any failure, in another process too,
  /// as long as receipts are kept. It costs one write.
  ///
  /// - Parameters:
  ///   - writes: The writes.
  ///   - receipt: The ID of the operation, the same for each attempt.
  ///   - firstAttempt: The time of the first attempt. If it is longer ago than receipts are kept, nothing is
  ///     sent.
  /// - Throws: `FieldError` with the code `firestore.receiptExpired` in that case, and otherwise as
  ///   ``commit(_:)`` does.
  @discardableResult
  public func commit(
    _ writes: [FirestoreWrite], receipt: UUID, firstAttempt: Date? = nil
  ) async throws -> FirestoreCommit {
    let policy = configuration.receipts
    if let firstAttempt,
      clock.now.timeIntervalSince(firstAttempt) > (policy.lifetime - policy.margin) / .seconds(1)
    {
      throw FieldError(
        .firestoreReceiptExpired,
        "The operation \(receipt) was first sent at \(FirestoreTimestamp(firstAttempt)), and its receipt "
          + "may have been deleted. Check whether it was applied, and send it under a new ID.",
        operation: FirestoreMethod.commit.operation)
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
  /// `false` says nothing of attempts that are still on their way.
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
    fields[policy.expiryField] = .date(
      clock.now.addingTimeInterval(policy.lifetime / .seconds(1)))
    return FirestoreWrite(
      receiptPath(id), .update(fields, mask: nil), precondition: .exists(false))
  }

  /// Finds out whether a commit that was refused had been applied by an earlier attempt.
  ///
  /// The status of a failed precondition isn't the same everywhere, and another precondition of the same
  /// commit may be found to fail first; the receipt decides.
  func resolve(_ error: FieldError, _ receipt: UUID) async throws -> FirestoreCommit {
    switch error.code {
    case .firestoreAlreadyExists, .firestoreFailedPrecondition, .firestoreNotFound:
      guard let time = try await receiptTime(receipt) else { throw error }
      return FirestoreCommit(applied: .earlier, time: time)
    default: throw error
    }
  }

  // MARK: One commit

  func check(_ writes: [FirestoreWrite]) throws {
    let limits = configuration.limits
    guard writes.count <= limits.writeCount else {
      throw FieldError(
        .invalidInput,
        "There are \(writes.count) writes, and a commit takes \(limits.writeCount). Use write(_:), or "
          + "divide them.")
    }
    var transforms: [FirestorePath: Int] = [:]
    for write in writes {
      try limits.check(write, in: database)
      transforms[write.path, default: 0] += write.transforms.count
    }
    if let (path, count) = transforms.first(where: { $0.value > limits.transformCount }) {
      throw FieldError(
        .invalidInput,
        "\(path) has \(count) transforms in one commit, and \(limits.transformCount) are allowed.")
    }
  }

  /// Sends a commit that has been checked.
  func send(
    _ writes: [FirestoreWrite], transaction: String? = nil, isSafeToRepeat: Bool
  ) async throws -> FirestoreCommit {
    var members: [JSONValue.Member] = [
      .init(key: "writes", value: .array(writes.map { $0.json(name: database.name) }))
    ]
    if let transaction { members.append(.init(key: "transaction", value: .string(transaction))) }
    let answer = try await call(
      .commit, database.name(of: ""), verb: "commit", body: .object(members),
      isSafeToRepeat: isSafeToRepeat)
    guard case .object = answer else { throw Self.unexpected(answer, .commit) }
    let results = answer["writeResults"]?.elements ?? []
    guard results.count == writes.count else {
      throw FieldError(
        .firestoreIncomplete,
        "The answer has \(results.count) results for \(writes.count) writes; whether they were applied "
          + "isn't known.", operation: FirestoreMethod.commit.operation)
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
      throw FieldError(
        .malformed, "The writes were applied, but a result can't be read: it \(error).",
        operation: FirestoreMethod.commit.operation)
    }
  }
}
