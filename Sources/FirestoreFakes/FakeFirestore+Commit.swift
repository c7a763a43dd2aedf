internal import FieldCore
internal import FieldFirestore
internal import FieldFoundation

extension FakeFirestore.State {
  mutating func commit(
    _ body: JSONValue, _ token: String?, _ now: Date
  ) throws(FakeFirestoreError) -> JSONValue {
    try Self.check(body, ["writes", "transaction"])
    let writes = try writes(body["writes"]?.elements ?? [])
    if let id = body["transaction"]?.string {
      let transaction = try transaction(body)
      transactions[id] = nil
      guard !transaction.isReadOnly || writes.isEmpty else {
        throw .invalid("Cannot modify entities in a read-only transaction.")
      }
      try checkUnchanged(transaction)
    }
    guard !writes.isEmpty else { return [:] }
    let time = nextTime(now)
    // The change is made to a copy, so that a failure leaves no trace.
    var changed = self
    var results: [JSONValue] = []
    for write in writes {
      let result = try changed.apply(write, token, time)
      var json: JSONValue = [:]
      json["updateTime"] = result.updateTime.map { .string($0.description) }
      if !result.transformResults.isEmpty {
        json["transformResults"] = .array(result.transformResults.map(\.json))
      }
      results.append(json)
    }
    documents = changed.documents
    commitCount += 1
    return ["writeResults": .array(results), "commitTime": .string(time.description)]
  }

  private func writes(_ json: [JSONValue]) throws(FakeFirestoreError) -> [FirestoreWrite] {
    var writes: [FirestoreWrite] = []
    for element in json {
      do throws(FirestoreValueProblem) {
        if let fields = element["update"]?["fields"] { try Self.checkFields(fields) }
        writes.append(try FirestoreWrite(json: element, path: { database.path(of: $0) }))
      } catch {
        throw .invalid("Invalid JSON payload received: a write \(error).")
      }
    }
    for write in writes {
      if let problem = options.limits.problems(of: write, in: database).first {
        throw .invalid("\(database.name(of: write.path)): \(problem)")
      }
    }
    return writes
  }

  /// Checks that each value of a request has exactly one member, a known one.
  private static func checkFields(_ json: JSONValue) throws(FirestoreValueProblem) {
    guard case .object(let members) = json else {
      throw FirestoreValueProblem("has fields that aren't an object")
    }
    for member in members { try checkValue(member.value) }
  }

  private static func checkValue(_ json: JSONValue) throws(FirestoreValueProblem) {
    guard case .object(let members) = json, members.count == 1 else {
      throw FirestoreValueProblem("has a value without one kind")
    }
    if case .unknown(let value) = try FirestoreValue(json: json) {
      throw FirestoreValueProblem("has a value of the unknown kind \(value.kind)")
    }
    if let fields = json["mapValue"]?["fields"] { try checkFields(fields) }
    for element in json["arrayValue"]?["values"]?.elements ?? [] { try checkValue(element) }
  }

  private func checkUnchanged(_ transaction: Transaction) throws(FakeFirestoreError) {
    let isChanged =
      transaction.reads.contains { path, time in documents[path]?.updateTime != time }
      || transaction.queries.contains { read in
        read.plan.run(on: documents.values, in: database).documents != read.documents
      }
    if isChanged {
      throw FakeFirestoreError(
        "ABORTED", "Too much contention on these documents. Please try again.")
    }
  }

  private mutating func apply(
    _ write: FirestoreWrite, _ token: String?, _ time: FirestoreTimestamp
  ) throws(FakeFirestoreError) -> FirestoreCommit.WriteResult {
    let before = documents[write.path]
    try check(write, before)
    guard case .update(let given, let mask) = write.operation else {
      try authorize(.delete, write.path, token)
      documents[write.path] = nil
      return FirestoreCommit.WriteResult()
    }
    var fields = given
    if let mask {
      fields = before?.fields ?? [:]
      for path in mask { fields[path] = given[path] }
    }
    var results: [FirestoreValue] = []
    for transform in write.transforms {
      let value = transform.kind.applied(to: fields[transform.path], at: time)
      fields[transform.path] = value
      switch transform.kind {
      case .arrayUnion, .arrayRemove: results.append(.null)
      case .serverTimestamp, .increment, .maximum, .minimum: results.append(value)
      }
    }
    fields = fields.stored
    try authorize(before == nil ? .create : .update, write.path, token, fields)
    let size = FirestoreLimits.size(of: fields, at: write.path)
    guard size <= options.limits.documentSize else {
      throw .invalid(
        "Document '\(database.name(of: write.path))' cannot be written because its size (\(size) "
          + "bytes) exceeds the maximum allowed size of \(options.limits.documentSize) bytes.")
    }
    // A write that changes nothing keeps the time.
    if let before, before.fields == fields {
      return .init(updateTime: before.updateTime, transformResults: results)
    }
    documents[write.path] = FirestoreDocument(
      write.path, fields, createTime: before?.createTime ?? time, updateTime: time)
    return .init(updateTime: time, transformResults: results)
  }

  private func check(
    _ write: FirestoreWrite, _ before: FirestoreDocument?
  ) throws(FakeFirestoreError) {
    switch (write.precondition, before) {
    case (.exists(true)?, nil):
      throw FakeFirestoreError(
        "NOT_FOUND", "No document to update: \(database.name(of: write.path))")
    case (.exists(false)?, _?):
      throw FakeFirestoreError(
        options.failedCreationStatus, "Document already exists: \(database.name(of: write.path))")
    case (.updateTime(let time)?, let before) where before?.updateTime != time:
      throw FakeFirestoreError(
        "FAILED_PRECONDITION",
        "the stored version (\(before?.updateTime?.description ?? "0")) does not match the required "
          + "base version (\(time))")
    default: break
    }
  }
}

extension FirestoreFields {
  /// The fields as the server stores them, with timestamps truncated to microseconds.
  fileprivate var stored: FirestoreFields {
    FirestoreFields(map { Field($0.name, $0.value.stored) })
  }
}

extension FirestoreValue {
  fileprivate var stored: FirestoreValue {
    switch self {
    case .timestamp(let moment): .timestamp(moment.truncatedToMicroseconds)
    case .array(let elements): .array(elements.map(\.stored))
    case .map(let fields): .map(fields.stored)
    default: self
    }
  }
}
