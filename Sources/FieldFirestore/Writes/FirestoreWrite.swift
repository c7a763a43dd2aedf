package import FieldCore

/// A change to one document.
///
/// ```swift
/// try await client.commit([
///   .create("Pets/mesh", ["name": "mesh", "born": .serverTimestamp]),
///   .update("Totals/walks", ["count": .increment(1), "last.walker": "mesh"]),
///   .set("Settings/app", ["theme": "dark"], merge: .all),
///   .delete("Drafts/1"),
/// ])
/// ```
///
/// A write is `Codable`, so you can store it until it is sent.
public struct FirestoreWrite: Sendable, Hashable, Codable {
  /// The document.
  public var path: FirestorePath
  /// The operation on the document.
  public var operation: Operation
  /// The changes that the server computes after the operation, in order.
  public var transforms: [FirestoreTransform]
  /// The condition that the document must meet, or `nil` if there is none.
  public var precondition: FirestorePrecondition?

  /// Creates a write from the parts that the protocol defines.
  public init(
    _ path: FirestorePath, _ operation: Operation, transforms: [FirestoreTransform] = [],
    precondition: FirestorePrecondition? = nil
  ) {
    self.path = path
    self.operation = operation
    self.transforms = transforms
    self.precondition = precondition
  }

  /// An operation on a document.
  public enum Operation: Sendable, Hashable {
    /// Sets fields and creates the document if it doesn't exist.
    ///
    /// Without a mask, the fields replace the document. With a mask, only the fields at its paths
    /// are replaced, and those without a value are deleted; an empty mask changes no fields.
    case update(FirestoreFields, mask: [FirestoreFieldPath]?)
    /// Deletes the document.
    case delete
  }

  /// A Boolean value that indicates whether the write can be applied twice without harm.
  ///
  /// Applying an idempotent write twice in a row leaves the same document as applying it once, and
  /// both attempts succeed. Writes without transforms are idempotent unless they require that the
  /// document doesn't exist or has a certain time; deletions are idempotent unless they require
  /// that the document exists.
  public var isIdempotent: Bool {
    guard transforms.isEmpty else { return false }
    switch (precondition, operation) {
    case (nil, _), (.exists(true)?, .update): return true
    default: return false
    }
  }

  package func json(name: (FirestorePath) -> String) -> JSONValue {
    let name = JSONValue.string(name(path))
    var (update, mask, deleted): (JSONValue?, JSONValue?, JSONValue?)
    switch operation {
    case .update(let fields, let paths):
      update = ["name": name, "fields": fields.json]
      // An empty mask differs from no mask, so it must be sent.
      mask = paths.map { ["fieldPaths": .array($0.map { .string($0.description) })] }
    case .delete: deleted = name
    }
    return [
      "update": update, "updateMask": mask, "delete": deleted,
      "updateTransforms": transforms.isEmpty ? nil : .array(transforms.map(\.json)),
      "currentDocument": precondition?.json,
    ]
  }

  package init(json: JSONValue, path: (String) -> FirestorePath?) throws(FirestoreValueProblem) {
    let known: Set<String> = [
      "update", "delete", "updateMask", "updateTransforms", "currentDocument",
    ]
    guard case .object(let members) = json, members.allSatisfy({ known.contains($0.key) }),
      (json["update"] == nil) != (json["delete"] == nil)
    else { throw FirestoreValueProblem("isn't a write with one operation") }
    guard let name = json["delete"]?.string ?? json["update"]?["name"]?.string,
      let place = path(name)
    else { throw FirestoreValueProblem("doesn't name a document") }
    self.init(place, .delete)
    if let update = json["update"] {
      operation = .update(
        try FirestoreFields(json: update["fields"]), mask: try Self.mask(json["updateMask"]))
    }
    transforms = try (json["updateTransforms"]?.elements ?? []).map(FirestoreTransform.init(json:))
    precondition = try json["currentDocument"].map(FirestorePrecondition.init(json:))
  }

  private static func mask(
    _ json: JSONValue?
  ) throws(FirestoreValueProblem) -> [FirestoreFieldPath]? {
    guard let json else { return nil }
    return try (json["fieldPaths"]?.elements ?? []).map { element throws(FirestoreValueProblem) in
      guard let path = element.string.flatMap(FirestoreFieldPath.reading) else {
        throw FirestoreValueProblem("has a mask with an invalid path: \(element.canonicalText)")
      }
      return path
    }
  }

  /// Creates a write from a string in Firestore's JSON, with a path in place of the full name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      try self.init(json: try JSONDocument.value(Array(text.utf8)), path: { FirestorePath($0) })
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Encodes the write as a string in Firestore's JSON, with a path in place of the full name.
  public func encode(to encoder: any Encoder) throws {
    try json(name: \.text).canonicalText.encode(to: encoder)
  }
}
