package import FieldCore

/// A checked query with resolved values, in the form that is sent.
package struct FirestorePlan: Sendable, Hashable {
  package var parent: FirestorePath
  package var collectionID: String
  package var isCollectionGroup = false
  package var selection: [FirestoreFieldPath]?
  package var filter: FirestoreFilter?
  package var order: [FirestoreQuery.Order] = []
  package var start: Bound?
  package var end: Bound?
  package var offset = 0
  package var limit: Int?

  /// A position in the order of the results.
  package struct Bound: Sendable, Hashable {
    package var values: [FirestoreValue]
    package var isBefore: Bool

    var flipped: Bound { Bound(values: values, isBefore: !isBefore) }
  }

  package init(parent: FirestorePath, collectionID: String) {
    self.parent = parent
    self.collectionID = collectionID
  }

  /// The order with the server's additions: the fields of inequalities, sorted by path, and the
  /// document ID, in the direction of the last field.
  package var completeOrder: [FirestoreQuery.Order] {
    var complete = order
    let direction = order.last?.direction ?? .ascending
    for path in filter?.inequalityPaths ?? []
    where !path.isDocumentID && !complete.contains(where: { $0.path == path }) {
      complete.append(FirestoreQuery.Order(path, direction))
    }
    if !complete.contains(where: { $0.path.isDocumentID }) {
      complete.append(FirestoreQuery.Order(.documentID, direction))
    }
    return complete
  }

  static func contains(_ query: FirestoreQuery, _ path: FirestorePath) -> Bool {
    contains(query.parent, query.collectionID, query.isCollectionGroup, path)
  }

  private static func contains(
    _ parent: FirestorePath, _ collectionID: String, _ isGroup: Bool, _ path: FirestorePath
  ) -> Bool {
    let collection = path.parent
    guard collection.id.hasSameBytes(as: collectionID) else { return false }
    if !isGroup { return collection.parent == parent }
    return parent.text.isEmpty || path.text.utf8.starts(with: "\(parent.text)/".utf8)
  }

  // MARK: Wire format

  package var json: JSONValue {
    var from: [JSONValue.Member] = [.init(key: "collectionId", value: .string(collectionID))]
    if isCollectionGroup { from.append(.init(key: "allDescendants", value: .bool(true))) }
    var members: [JSONValue.Member] = [.init(key: "from", value: .array([.object(from)]))]
    if let selection {
      members.append(
        .init(
          key: "select",
          value: .object([.init(key: "fields", value: .array(selection.map(\.json)))])))
    }
    if let filter { members.append(.init(key: "where", value: filter.json)) }
    if !order.isEmpty {
      members.append(
        .init(
          key: "orderBy",
          value: .array(
            order.map {
              .object([
                .init(key: "field", value: $0.path.json),
                .init(key: "direction", value: .string($0.direction.rawValue)),
              ])
            })))
    }
    for (key, bound) in [("startAt", start), ("endAt", end)] {
      guard let bound else { continue }
      var cursor: [JSONValue.Member] = [
        .init(key: "values", value: .array(bound.values.map(\.json)))
      ]
      if bound.isBefore { cursor.append(.init(key: "before", value: .bool(true))) }
      members.append(.init(key: key, value: .object(cursor)))
    }
    if offset > 0 { members.append(.init(key: "offset", value: .number(String(offset)))) }
    if let limit { members.append(.init(key: "limit", value: .number(String(limit)))) }
    return .object(members)
  }

  package init(json: JSONValue, parent: FirestorePath) throws(FirestoreValueProblem) {
    guard let from = json["from"]?.elements, from.count == 1,
      let collectionID = from[0]["collectionId"]?.string
    else { throw FirestoreValueProblem("isn't a query of one collection") }
    self.init(parent: parent, collectionID: collectionID)
    isCollectionGroup = from[0]["allDescendants"] == .bool(true)
    if let fields = json["select"] {
      selection = try (fields["fields"]?.elements ?? []).map {
        field throws(FirestoreValueProblem) in try Self.path(field)
      }
    }
    if let filter = json["where"] { self.filter = try FirestoreFilter(json: filter) }
    for element in json["orderBy"]?.elements ?? [] {
      let direction = element["direction"]?.string ?? "ASCENDING"
      guard let direction = FirestoreQuery.Direction(rawValue: direction) else {
        throw FirestoreValueProblem("has an order without a direction")
      }
      order.append(FirestoreQuery.Order(try Self.path(element["field"]), direction))
    }
    start = try Self.bound(json["startAt"])
    end = try Self.bound(json["endAt"])
    offset = json["offset"]?.integer ?? 0
    // Protobuf's wrapper is a bare number in JSON, but an object in some libraries.
    limit = json["limit"]?.integer ?? json["limit"]?["value"]?.integer
    guard offset >= 0 else { throw FirestoreValueProblem("has a negative offset") }
    guard (limit ?? 0) >= 0 else { throw FirestoreValueProblem("has a negative limit") }
  }

  private static func path(
    _ json: JSONValue?
  ) throws(FirestoreValueProblem) -> FirestoreFieldPath {
    guard let path = FirestoreFieldPath(json: json) else {
      throw FirestoreValueProblem("has an invalid field path")
    }
    return path
  }

  private static func bound(_ json: JSONValue?) throws(FirestoreValueProblem) -> Bound? {
    guard let json else { return nil }
    var values: [FirestoreValue] = []
    for value in json["values"]?.elements ?? [] { values.append(try FirestoreValue(json: value)) }
    return Bound(values: values, isBefore: json["before"] == .bool(true))
  }

  // MARK: Local results

  /// The results of a query.
  package struct Outcome: Sendable {
    package var documents: [FirestoreDocument]
    /// The number of results that the offset skipped.
    package var skippedCount: Int
  }

  private struct Candidate {
    var document: FirestoreDocument
    /// The values of the order's fields.
    var key: [FirestoreValue]
  }

  package func run(
    on documents: some Sequence<FirestoreDocument>, in database: FirestoreDatabase
  ) -> Outcome {
    let order = completeOrder
    var found: [Candidate] = []
    for document in documents
    where Self.contains(parent, collectionID, isCollectionGroup, document.path) {
      func value(_ path: FirestoreFieldPath) -> FirestoreValue? {
        path.isDocumentID ? database.reference(to: document.path) : document[path]
      }
      guard filter?.matches(value) ?? true else { continue }
      let key = order.compactMap { value($0.path) }
      // A document that lacks a field of the order isn't among the results.
      if key.count == order.count, isInBounds(key, order) {
        found.append(Candidate(document: document, key: key))
      }
    }
    found.sort { Self.order($0.key, $1.key, order) == .before }
    let skipped = min(offset, found.count)
    let rest = found.dropFirst(offset).prefix(limit ?? .max)
    return Outcome(documents: rest.map { selected($0.document) }, skippedCount: skipped)
  }

  private static func order(
    _ left: [FirestoreValue], _ right: [FirestoreValue], _ order: [FirestoreQuery.Order]
  ) -> FirestoreValue.Order {
    for place in 0..<min(left.count, right.count, order.count) {
      let found = left[place].order(to: right[place])
      if found != .same { return order[place].direction == .ascending ? found : found.reversed }
    }
    return .same
  }

  private func isInBounds(_ key: [FirestoreValue], _ order: [FirestoreQuery.Order]) -> Bool {
    if let start {
      switch Self.order(key, start.values, order) {
      case .before: return false
      case .same where !start.isBefore: return false
      default: break
      }
    }
    if let end {
      switch Self.order(key, end.values, order) {
      case .after: return false
      case .same where end.isBefore: return false
      default: break
      }
    }
    return true
  }

  private func selected(_ document: FirestoreDocument) -> FirestoreDocument {
    guard let selection else { return document }
    var selected = document
    selected.fields = document.fields.masked(selection)
    return selected
  }
}

extension FirestoreFields {
  /// Returns only the fields at the given paths.
  package func masked(_ paths: [FirestoreFieldPath]) -> FirestoreFields {
    var fields = FirestoreFields()
    for path in paths {
      if let value = self[path] { fields[path] = value }
    }
    return fields
  }
}
