internal import FieldCore

/// A query for the documents of a collection, or of all collections with an ID.
///
/// ```swift
/// let query = FirestoreQuery("Pets/mesh/Walks")
///   .where("minutes", .greaterThan, 30)
///   .order(by: "date", .descending)
///   .limit(to: 20)
/// let walks = try await client.run(query).documents
/// ```
///
/// You can also run a query on documents on the device, in the server's order; see ``run(on:in:)``.
public struct FirestoreQuery: Sendable, Hashable {
  /// The document that contains the collection; empty for the root of the database.
  public var parent: FirestorePath
  /// The ID of the collection.
  public var collectionID: String
  /// A Boolean value that indicates whether the query includes all collections with the ID below
  /// ``parent``.
  public var isCollectionGroup = false
  /// The condition, or `nil` for all documents.
  public var filter: FirestoreFilter?
  /// The order, to which the server adds the fields of inequalities and the document ID.
  public var order: [Order] = []
  /// The fields to return: `nil` for all, or an empty array for the names of the documents only.
  public var selection: [FirestoreFieldPath]?
  /// The position at which the results begin.
  public var start: Cursor?
  /// The position at which the results end.
  public var end: Cursor?
  /// The number of results to skip, which Google bills.
  public var offset = 0
  /// The maximum number of results, or `nil` for all.
  public var limit: Int?
  /// A Boolean value that indicates whether the limit counts from the end.
  public var isLimitedToLast = false

  /// Creates a query for the documents of a collection.
  public init(_ collection: FirestorePath) {
    parent = collection.parent
    collectionID = collection.id
  }

  /// Returns a query for the documents of all collections with an ID.
  ///
  /// - Parameters:
  ///   - id: The ID of the collections.
  ///   - parent: The document below which to search. Defaults to the root of the database.
  public static func group(_ id: String, in parent: FirestorePath = "") -> FirestoreQuery {
    var query = FirestoreQuery(parent.child(id))
    query.isCollectionGroup = true
    return query
  }

  /// A field that results are ordered by.
  public struct Order: Sendable, Hashable {
    /// The field.
    public var path: FirestoreFieldPath
    /// The direction.
    public var direction: Direction

    /// Creates an order.
    public init(_ path: FirestoreFieldPath, _ direction: Direction = .ascending) {
      self.path = path
      self.direction = direction
    }
  }

  /// The direction of an order.
  public enum Direction: String, Sendable, Hashable {
    /// The smallest value first.
    case ascending = "ASCENDING"
    /// The largest value first.
    case descending = "DESCENDING"

    var reversed: Direction { self == .ascending ? .descending : .ascending }
  }

  /// A position in the order of the results.
  public struct Cursor: Sendable, Hashable {
    /// The anchor of the cursor.
    public var position: Position
    /// A Boolean value that indicates whether the cursor is before the results at the position.
    public var isBefore: Bool

    /// Creates a cursor.
    public init(_ position: Position, isBefore: Bool) {
      self.position = position
      self.isBefore = isBefore
    }

    /// The anchor of a cursor.
    public enum Position: Sendable, Hashable {
      /// The values of the first fields of the order.
      case values([FirestoreValue])
      /// A document of the collection.
      case document(FirestoreDocument)
    }
  }

  static func invalid(_ reason: String) -> FieldError {
    FieldError(.invalidInput, "The query can't be built: \(reason).")
  }

  private func with(_ change: (inout FirestoreQuery) -> Void) -> FirestoreQuery {
    var query = self
    change(&query)
    return query
  }

  /// Returns the query with an additional condition.
  public func `where`(_ condition: FirestoreFilter) -> FirestoreQuery {
    with { query in
      switch query.filter {
      case nil: query.filter = condition
      case .all(let filters)?: query.filter = .all(filters + [condition])
      case let filter?: query.filter = .all([filter, condition])
      }
    }
  }

  /// Returns the query with an additional comparison.
  public func `where`(
    _ path: FirestoreFieldPath, _ comparison: FirestoreFilter.Operator, _ value: FirestoreValue
  ) -> FirestoreQuery {
    `where`(.field(path, comparison, value))
  }

  /// Returns the query with a field appended to its order.
  public func order(
    by path: FirestoreFieldPath, _ direction: Direction = .ascending
  ) -> FirestoreQuery {
    with { $0.order.append(Order(path, direction)) }
  }

  /// Returns the query for only these fields; pass none for the names of the documents only.
  public func select(_ paths: FirestoreFieldPath...) -> Self { with { $0.selection = paths } }

  /// Returns the query without its first results.
  public func skip(_ count: Int) -> FirestoreQuery { with { $0.offset = count } }

  /// Returns the query for its first results.
  public func limit(to count: Int) -> FirestoreQuery {
    with { ($0.limit, $0.isLimitedToLast) = (count, false) }
  }

  /// Returns the query for its last results, in the same order.
  public func limit(toLast count: Int) -> FirestoreQuery {
    with { ($0.limit, $0.isLimitedToLast) = (count, true) }
  }

  /// Returns the query for the results from a position on, inclusive.
  public func start(at position: Cursor.Position) -> FirestoreQuery {
    with { $0.start = Cursor(position, isBefore: true) }
  }

  /// Returns the query for the results after a position.
  public func start(after position: Cursor.Position) -> FirestoreQuery {
    with { $0.start = Cursor(position, isBefore: false) }
  }

  /// Returns the query for the results up to a position, inclusive.
  public func end(at position: Cursor.Position) -> FirestoreQuery {
    with { $0.end = Cursor(position, isBefore: false) }
  }

  /// Returns the query for the results before a position.
  public func end(before position: Cursor.Position) -> FirestoreQuery {
    with { $0.end = Cursor(position, isBefore: true) }
  }

  /// Returns the documents that match the query, in the server's order.
  ///
  /// The server compares only the first 1,500 bytes of a string; this method compares all of them.
  ///
  /// - Parameters:
  ///   - documents: The documents of the database; those of other collections are ignored.
  ///   - database: The database that references belong to.
  /// - Throws: `FieldError` with the code `input.invalid` if the query is invalid.
  public func run(
    on documents: some Sequence<FirestoreDocument>, in database: FirestoreDatabase
  ) throws -> [FirestoreDocument] {
    let found = try plan(in: database).run(on: documents, in: database).documents
    return isLimitedToLast ? found.reversed() : found
  }
}

// MARK: - Plan

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
