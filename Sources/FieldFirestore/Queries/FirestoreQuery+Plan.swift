internal import FieldCore

extension FirestoreQuery {
  /// Checks the query and returns it in the form that is sent.
  package func plan(in database: FirestoreDatabase) throws(FieldError) -> FirestorePlan {
    if !parent.text.isEmpty { try parent.checkDocument() }
    if let problem = FirestoreLimits.problem(ofID: collectionID) { throw Self.invalid(problem) }
    guard offset >= 0, (limit ?? 0) >= 0 else {
      throw Self.invalid("the offset or the limit is negative")
    }
    for path in (selection ?? []) + order.map(\.path) { try path.check() }
    var plan = FirestorePlan(parent: parent, collectionID: collectionID)
    plan.isCollectionGroup = isCollectionGroup
    plan.selection = selection.map { $0.isEmpty ? [.documentID] : $0 }
    plan.filter = try filter?.resolved { value throws(FieldError) in
      try reference(value, in: database)
    }
    plan.order = order
    if [start, end].contains(where: { $0?.isDocument ?? false }) {
      plan.order = plan.completeOrder
    }
    plan.start = try bound(start, plan.order, in: database)
    plan.end = try bound(end, plan.order, in: database)
    plan.offset = offset
    plan.limit = limit
    if isLimitedToLast {
      guard !order.isEmpty else { throw Self.invalid("a limit to the last rows needs an order") }
      plan.order = plan.order.map { Order($0.path, $0.direction.reversed) }
      (plan.start, plan.end) = (plan.end?.flipped, plan.start?.flipped)
    }
    return plan
  }

  private func bound(
    _ cursor: Cursor?, _ order: [Order], in database: FirestoreDatabase
  ) throws(FieldError) -> FirestorePlan.Bound? {
    guard let cursor else { return nil }
    var values: [FirestoreValue] = []
    switch cursor.position {
    case .values(let given):
      guard !given.isEmpty, given.count <= order.count else {
        throw Self.invalid(
          "a cursor has \(given.count) values, but the order has \(order.count) fields")
      }
      for (value, field) in zip(given, order) {
        values.append(field.path.isDocumentID ? try reference(value, in: database) : value)
      }
    case .document(let document):
      let name = try reference(database.reference(to: document.path), in: database)
      for field in order {
        guard let value = field.path.isDocumentID ? name : document[field.path] else {
          throw Self.invalid(
            "the document of a cursor has no field \(field.path), which the order needs")
        }
        values.append(value)
      }
    }
    return FirestorePlan.Bound(values: values, isBefore: cursor.isBefore)
  }

  /// Returns a reference to a document of the query. A string is an ID, or a path for collection
  /// groups.
  private func reference(
    _ value: FirestoreValue, in database: FirestoreDatabase
  ) throws(FieldError) -> FirestoreValue {
    let path: FirestorePath?
    switch value {
    case .reference(let name): path = database.path(of: name)
    case .string(let text):
      path =
        isCollectionGroup || text.utf8.contains(UInt8(ascii: "/"))
        ? FirestorePath(parent.text.isEmpty ? text : "\(parent.text)/\(text)")
        : parent.child(collectionID).child(text)
    default: path = nil
    }
    guard let path, path.isDocument,
      FirestorePlan.contains(parent, collectionID, isCollectionGroup, path)
    else {
      throw Self.invalid("\(value) isn't a document of \(parent.child(collectionID))")
    }
    return database.reference(to: path)
  }
}

extension FirestoreQuery.Cursor {
  fileprivate var isDocument: Bool { if case .document = position { true } else { false } }
}
