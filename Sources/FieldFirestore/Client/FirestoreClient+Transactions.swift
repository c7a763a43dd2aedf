internal import FieldCore
public import FieldFoundation

extension FirestoreClient {
  /// Runs a transaction, calling the closure again after a conflict with other transactions.
  ///
  /// ```swift
  /// try await client.transaction { transaction in
  ///   let total = try await transaction.get("Totals/walks")?["count"]?.integer ?? 0
  ///   transaction.write(try .set("Totals/walks", ["count": .value(.integer(total + 1))]))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of times to call the closure. Defaults to 5.
  ///   - receipt: The ID of the operation. With a receipt, the client determines the outcome of a
  ///     commit if it is unknown, and repeats the transaction if needed. Without one, it throws the
  ///     error.
  ///   - body: The closure that reads and writes. If it throws, nothing is changed.
  /// - Returns: The result of the closure.
  public func transaction<Output: Sendable>(
    attempts: Int = 5, receipt: UUID? = nil,
    _ body: @Sendable (FirestoreTransaction) async throws -> Output
  ) async throws -> Output {
    var earlier: String?
    var attempt = 1
    while true {
      let transaction = FirestoreTransaction(id: try await begin(retrying: earlier), client: self)
      var output: Output?
      do {
        let result = try await body(transaction)
        output = result
        try await commit(transaction, receipt)
        return result
      } catch {
        await rollback(transaction)
        guard attempt < attempts, let error = error as? FieldError else { throw error }
        // Before the commit, only an aborted transaction is repeated.
        let isAgain =
          output == nil
          ? error.code == .firestoreAborted : isRepeated(error, hasReceipt: receipt != nil)
        guard isAgain else { throw error }
        try await clock.sleep(
          for: configuration.retry.delay(
            afterAttempt: attempt, isExhausted: false, random: random()))
        (earlier, attempt) = (transaction.id, attempt + 1)
        if let output, let receipt, error.firestoreOutcome == .unknown,
          try await self.receipt(receipt)
        {
          return output
        }
      }
    }
  }

  private func isRepeated(_ error: FieldError, hasReceipt: Bool) -> Bool {
    switch error.firestoreOutcome {
    case .notApplied: error.code == .firestoreAborted || error.code == .firestoreResourceExhausted
    case .unknown: hasReceipt
    // A transaction lasts 270 seconds, and 60 seconds without a call.
    case .rejected:
      error.code == .firestoreInvalidArgument
        && error.message.contains(bytesOf: "transaction has expired")
    }
  }

  private func begin(retrying earlier: String?) async throws -> String {
    let kind: JSONValue = ["retryTransaction": earlier.map { .string($0) }]
    let answer = try await call(
      .beginTransaction, database.name(of: ""), verb: "beginTransaction",
      body: ["options": ["readWrite": kind]])
    guard let id = answer["transaction"]?.string, !id.isEmpty else {
      throw Self.unexpected(answer, .beginTransaction)
    }
    return id
  }

  private func commit(_ transaction: FirestoreTransaction, _ receipt: UUID?) async throws {
    let writes = receipt.map { [receiptWrite($0)] } ?? []
    try check(writes + transaction.writes)
    do {
      _ = try await send(
        writes + transaction.writes, transaction: transaction.id, isSafeToRepeat: false)
    } catch let error as FieldError {
      guard let receipt else { throw error }
      _ = try await resolve(error, receipt)
    }
  }

  /// Releases the transaction's locks. Others wait for them, so this also happens if the task is
  /// canceled; after a failure, the server releases them within a minute.
  private func rollback(_ transaction: FirestoreTransaction) async {
    await Task { [self] in
      _ = try? await call(
        .rollback, database.name(of: ""), verb: "rollback",
        body: ["transaction": .string(transaction.id)])
    }.value
  }
}
