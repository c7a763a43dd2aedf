package import FieldCore

/// A document of Firestore.
public struct FirestoreDocument: Sendable, Hashable, Codable, Identifiable {
  /// The path, which identifies the document in its database.
  public var path: FirestorePath
  /// The fields.
  public var fields: FirestoreFields
  /// The time at which the document was created, or `nil` if it wasn't read from a server.
  public var createTime: FirestoreTimestamp?
  /// The time of the last change, or `nil` if the document wasn't read from a server.
  public var updateTime: FirestoreTimestamp?

  /// Creates a document.
  public init(
    _ path: FirestorePath, _ fields: FirestoreFields, createTime: FirestoreTimestamp? = nil,
    updateTime: FirestoreTimestamp? = nil
  ) {
    self.path = path
    self.fields = fields
    self.createTime = createTime
    self.updateTime = updateTime
  }

  /// The path.
  public var id: FirestorePath { path }

  /// The value at a path, or `nil` if there is none.
  public subscript(path: FirestoreFieldPath) -> FirestoreValue? { fields[path] }

  /// Creates a document from the JSON of the REST interface.
  package init(json: JSONValue, in database: FirestoreDatabase) throws(FirestoreValueProblem) {
    guard let name = json["name"]?.string, let path = database.path(of: name), path.isDocument
    else { throw FirestoreValueProblem("isn't named as a document in \(database.name)") }
    self.init(
      path, try FirestoreFields(json: json["fields"]),
      createTime: try Self.time(json["createTime"]), updateTime: try Self.time(json["updateTime"]))
  }

  static func time(_ json: JSONValue?) throws(FirestoreValueProblem) -> FirestoreTimestamp? {
    guard let json, json != .null else { return nil }
    guard let time = json.string.flatMap(FirestoreTimestamp.init(rfc3339:)) else {
      throw FirestoreValueProblem("has a time that can't be read")
    }
    return time
  }

  /// Returns the document as JSON of the REST interface.
  package func json(in database: FirestoreDatabase) -> JSONValue {
    [
      "name": .string(database.name(of: path)), "fields": fields.isEmpty ? nil : fields.json,
      "createTime": createTime.map { .string($0.description) },
      "updateTime": updateTime.map { .string($0.description) },
    ]
  }
}
