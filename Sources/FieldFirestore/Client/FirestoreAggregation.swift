package import FieldCore

/// A number that the server computes from the results of a query.
public enum FirestoreAggregation: Sendable, Hashable {
  /// The number of documents, counted up to an optional limit.
  case count(upTo: Int? = nil)
  /// The sum of the numbers in a field; 0 if there are none.
  case sum(FirestoreFieldPath)
  /// The average of the numbers in a field; null if there are none.
  case average(FirestoreFieldPath)

  func json(alias: String) -> JSONValue {
    switch self {
    case .count(let limit):
      ["alias": .string(alias), "count": ["upTo": limit.map { .string(String($0)) }]]
    case .sum(let path): ["alias": .string(alias), "sum": ["field": path.json]]
    case .average(let path): ["alias": .string(alias), "avg": ["field": path.json]]
    }
  }

  package init(json: JSONValue) throws(FirestoreValueProblem) {
    if let count = json["count"] {
      self = .count(upTo: count["upTo"]?.integer)
    } else if let path = FirestoreFieldPath(json: json["sum"]?["field"]) {
      self = .sum(path)
    } else if let path = FirestoreFieldPath(json: json["avg"]?["field"]) {
      self = .average(path)
    } else {
      throw FirestoreValueProblem("has an aggregation that isn't known")
    }
  }

  /// Returns the aggregate of documents on the device, with the server's arithmetic.
  ///
  /// A sum of whole numbers that overflows becomes a floating-point number.
  public func value(of documents: [FirestoreDocument]) -> FirestoreValue {
    func numbers(_ path: FirestoreFieldPath) -> (values: [FirestoreValue], sum: Double) {
      let values = documents.compactMap { $0[path] }.filter { $0.number != nil }
      return (values, values.reduce(0) { $0 + ($1.number ?? 0) })
    }
    switch self {
    case .count(let limit): return .integer(Int64(min(documents.count, limit ?? .max)))
    case .sum(let path):
      let numbers = numbers(path)
      var whole: Int64 = 0
      for number in numbers.values {
        let next = number.integer.map(whole.addingReportingOverflow)
        guard let next, !next.overflow else { return .double(numbers.sum) }
        whole = next.partialValue
      }
      return .integer(whole)
    case .average(let path):
      let numbers = numbers(path)
      return numbers.values.isEmpty ? .null : .double(numbers.sum / Double(numbers.values.count))
    }
  }
}

extension FirestoreClient {
  /// Returns numbers that the server computes from the results of a query.
  ///
  /// - Parameters:
  ///   - aggregations: The aggregations, under names of your choice.
  ///   - query: The query.
  /// - Throws: `FieldError` with the code `firestore.incomplete` if the response has no value for
  ///   a name.
  public func aggregate(
    _ aggregations: [String: FirestoreAggregation], over query: FirestoreQuery
  ) async throws -> [String: FirestoreValue] {
    let named = aggregations.sorted { $0.key < $1.key }.map { $0.value.json(alias: $0.key) }
    let answer = try await call(
      .runAggregationQuery, database.name(of: query.parent), verb: "runAggregationQuery",
      body: [
        "structuredAggregationQuery": [
          "structuredQuery": try query.plan(in: database).json, "aggregations": .array(named),
        ]
      ])
    var values: [String: FirestoreValue] = [:]
    for row in try rows(of: answer, .runAggregationQuery) {
      guard case .object(let members)? = row["result"]?["aggregateFields"] else { continue }
      for member in members {
        do {
          values[member.key] = try FirestoreValue(json: member.value)
        } catch {
          throw FieldError(.malformed, "The aggregation \(member.key) \(error).")
        }
      }
    }
    if let missing = aggregations.keys.sorted().first(where: { values[$0] == nil }) {
      throw FirestoreMethod.runAggregationQuery.error(
        .firestoreIncomplete, "The response has no value for \(missing).")
    }
    return values
  }

  /// Returns the number of documents that match a query.
  public func count(_ query: FirestoreQuery) async throws -> Int {
    try await aggregate(["count": .count()], over: query)["count"]?.integer.map {
      Int(clamping: max($0, 0))
    } ?? 0
  }
}
