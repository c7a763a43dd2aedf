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

    var json: JSONValue {
      ["values": .array(values.map(\.json)), "before": isBefore ? .bool(true) : nil]
    }
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

  static func contains(
    _ parent: FirestorePath, _ collectionID: String, _ isGroup: Bool, _ path: FirestorePath
  ) -> Bool {
    let collection = path.parent
    guard collection.id.hasSameBytes(as: collectionID) else { return false }
    if !isGroup { return collection.parent == parent }
    return parent.text.isEmpty || path.text.utf8.starts(with: "\(parent.text)/".utf8)
  }

  // MARK: Wire format

  package var json: JSONValue {
    let from: JSONValue = [
      "collectionId": .string(collectionID),
      "allDescendants": isCollectionGroup ? .bool(true) : nil,
    ]
    let orders = order.map { field -> JSONValue in
      ["field": field.path.json, "direction": .string(field.direction.rawValue)]
    }
    return [
      "from": .array([from]), "select": selection.map { ["fields": .array($0.map(\.json))] },
      "where": filter?.json, "orderBy": orders.isEmpty ? nil : .array(orders),
      "startAt": start?.json, "endAt": end?.json,
      "offset": offset > 0 ? .number(String(offset)) : nil,
      "limit": limit.map { .number(String($0)) },
    ]
  }

  package init(json: JSONValue, parent: FirestorePath) throws(FirestoreValueProblem) {
    guard let from = json["from"]?.elements, from.count == 1,
      let collectionID = from[0]["collectionId"]?.string
    else { throw FirestoreValueProblem("isn't a query of one collection") }
    self.init(parent: parent, collectionID: collectionID)
    isCollectionGroup = from[0]["allDescendants"] == .bool(true)
    if let fields = json["select"] {
      selection = try (fields["fields"]?.elements ?? []).map(Self.path)
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

  private static func path(_ json: JSONValue?) throws(FirestoreValueProblem) -> FirestoreFieldPath {
    guard let path = FirestoreFieldPath(json: json) else {
      throw FirestoreValueProblem("has an invalid field path")
    }
    return path
  }

  private static func bound(_ json: JSONValue?) throws(FirestoreValueProblem) -> Bound? {
    guard let json else { return nil }
    let values = try (json["values"]?.elements ?? []).map(FirestoreValue.init(json:))
    return Bound(values: values, isBefore: json["before"] == .bool(true))
  }

  // MARK: Local results

  /// The results of a query.
  package struct Outcome: Sendable {
    package var documents: [FirestoreDocument]
    /// The number of results that the offset skipped.
    package var skippedCount: Int
  }

  package func run(
    on documents: some Sequence<FirestoreDocument>, in database: FirestoreDatabase
  ) -> Outcome {
    let order = completeOrder
    // Each with the values of the order's fields.
    var found: [(document: FirestoreDocument, key: [FirestoreValue])] = []
    for document in documents
    where Self.contains(parent, collectionID, isCollectionGroup, document.path) {
      func value(_ path: FirestoreFieldPath) -> FirestoreValue? {
        path.isDocumentID ? database.reference(to: document.path) : document[path]
      }
      guard filter?.matches(value) ?? true else { continue }
      let key = order.compactMap { value($0.path) }
      // A document that lacks a field of the order isn't among the results.
      if key.count == order.count, isInBounds(key, order) {
        found.append((document, key))
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
      let place = Self.order(key, start.values, order)
      if place == .before || place == .same && !start.isBefore { return false }
    }
    if let end {
      let place = Self.order(key, end.values, order)
      if place == .after || place == .same && end.isBefore { return false }
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
    for path in paths { if let value = self[path] { fields[path] = value } }
    return fields
  }
}
