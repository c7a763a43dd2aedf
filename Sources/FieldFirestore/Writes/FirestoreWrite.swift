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

// MARK: - Building

extension FirestoreWrite {
  /// Returns a write that creates a document, and that is rejected if the document exists.
  ///
  /// - Throws: `FieldError` with the code `input.invalid` if the input deletes a field or has an
  ///   instruction inside an array.
  public static func create(
    _ path: FirestorePath, _ input: FirestoreInput
  ) throws -> FirestoreWrite {
    let parts = try InputParts(whole: input)
    if let deleted = parts.deletions.first {
      throw InputParts.invalid("a new document has no field \(deleted) to delete")
    }
    return FirestoreWrite(
      path, .update(parts.fields, mask: nil), transforms: parts.transforms,
      precondition: .exists(false))
  }

  /// Returns a write that sets a document, whether it exists or not.
  ///
  /// - Parameters:
  ///   - path: The document.
  ///   - input: The fields. Keys are names, in which a dot is part of the name.
  ///   - merge: The fields of an existing document to replace. Defaults to the whole document.
  /// - Throws: `FieldError` with the code `input.invalid` if the input deletes a field that the
  ///   merge doesn't name, a path of the merge isn't in the input or is inside another one, or an
  ///   instruction is inside an array.
  public static func set(
    _ path: FirestorePath, _ input: FirestoreInput, merge: FirestoreMerge? = nil
  ) throws -> FirestoreWrite {
    let parts = try InputParts(whole: input)
    switch merge {
    case nil:
      if let deleted = parts.deletions.first {
        throw InputParts.invalid("the field \(deleted) can be deleted only with a merge")
      }
      return FirestoreWrite(path, .update(parts.fields, mask: nil), transforms: parts.transforms)
    case .all?:
      return FirestoreWrite(
        path, .update(parts.fields, mask: (parts.leaves + parts.deletions).sorted()),
        transforms: parts.transforms)
    case .fields(let paths)?: return try merged(path, parts, input, paths)
    }
  }

  private static func merged(
    _ path: FirestorePath, _ parts: InputParts, _ input: FirestoreInput,
    _ paths: [FirestoreFieldPath]
  ) throws -> FirestoreWrite {
    try InputParts.checkIndependent(paths)
    if let absent = paths.first(where: { input.input(at: $0.segments[...]) == nil }) {
      throw InputParts.invalid("the merge names \(absent), which isn't in the input")
    }
    if let deleted = parts.deletions.first(where: { !paths.contains($0) }) {
      throw InputParts.invalid("the field \(deleted) is deleted, but the merge doesn't name it")
    }
    let transformed = Set(parts.transforms.map(\.path))
    let fields = parts.fields.masked(paths)
    return FirestoreWrite(
      path, .update(fields, mask: paths.filter { !transformed.contains($0) }.sorted()),
      transforms: parts.transforms.filter { transform in
        paths.contains { transform.path.isWithin($0) }
      })
  }

  /// Returns a write that changes fields of an existing document, and that is rejected if the
  /// document doesn't exist.
  ///
  /// - Parameters:
  ///   - path: The document.
  ///   - input: A map whose keys are names joined by dots, such as `address.city`. Keys inside
  ///     its values are names, in which a dot is part of the name.
  ///   - precondition: An additional condition. By default, the document only has to exist.
  /// - Throws: `FieldError` with the code `input.invalid` if there are no fields, a key isn't a
  ///   path or is inside another one, an instruction is inside an array, or the precondition is
  ///   `.exists(false)`.
  public static func update(
    _ path: FirestorePath, _ input: FirestoreInput,
    precondition: FirestorePrecondition = .exists(true)
  ) throws -> FirestoreWrite {
    guard case .map(let fields) = input else { throw InputParts.invalid("an update must be a map") }
    var changes: [(FirestoreFieldPath, FirestoreInput)] = []
    for field in fields {
      changes.append((try FirestoreFieldPath(dotted: field.name), field.input))
    }
    return try update(path, changes, precondition: precondition)
  }

  /// Returns a write that changes an existing document's fields at paths, and that is rejected if
  /// the document doesn't exist.
  ///
  /// - Throws: The same errors as the method that takes a map.
  public static func update(
    _ path: FirestorePath, _ changes: [(path: FirestoreFieldPath, input: FirestoreInput)],
    precondition: FirestorePrecondition = .exists(true)
  ) throws -> FirestoreWrite {
    guard !changes.isEmpty else { throw InputParts.invalid("an update has no fields") }
    if precondition == .exists(false) {
      throw InputParts.invalid("an update can't require that the document doesn't exist")
    }
    try InputParts.checkIndependent(changes.map(\.path))
    var fields = FirestoreFields()
    var mask: [FirestoreFieldPath] = []
    var transforms: [FirestoreTransform] = []
    for (field, input) in changes {
      if case .transform(let kind) = input {
        transforms.append(try InputParts.transform(field, kind))
        continue
      }
      mask.append(field)
      if case .delete = input { continue }
      let parts = try InputParts(input, at: field)
      if let deleted = parts.deletions.first {
        throw InputParts.invalid("\(deleted) is deleted inside \(field); pass its own path")
      }
      if let value = parts.value { fields[field] = value }
      transforms += parts.transforms
    }
    return FirestoreWrite(
      path, .update(fields, mask: mask.sorted()), transforms: transforms,
      precondition: precondition)
  }

  /// Returns a write that deletes a document, whether it exists or not.
  ///
  /// - Parameters:
  ///   - path: The document.
  ///   - precondition: A condition that the document must meet. Defaults to none.
  public static func delete(
    _ path: FirestorePath, precondition: FirestorePrecondition? = nil
  ) -> FirestoreWrite {
    FirestoreWrite(path, .delete, precondition: precondition)
  }
}

extension FirestoreInput {
  /// Returns the input at a path through maps, or `nil` if there is none.
  fileprivate func input(at segments: ArraySlice<String>) -> FirestoreInput? {
    guard let name = segments.first else { return self }
    switch self {
    case .map(let fields):
      return fields.last { $0.name.hasSameBytes(as: name) }?.input.input(at: segments.dropFirst())
    case .value(.map(let fields)):
      return fields[name].flatMap { FirestoreInput.value($0).input(at: segments.dropFirst()) }
    default: return nil
    }
  }
}

/// The values and the instructions of an input.
private struct InputParts {
  /// The value without the instructions, or `nil` if there are only instructions.
  var value: FirestoreValue?
  /// The paths of the values that aren't maps with fields.
  var leaves: [FirestoreFieldPath] = []
  var deletions: [FirestoreFieldPath] = []
  var transforms: [FirestoreTransform] = []

  var fields: FirestoreFields { value?.map ?? FirestoreFields() }

  /// Splits the input for a whole document.
  init(whole input: FirestoreInput) throws {
    switch input {
    case .map, .value(.map): try self.init(input, at: FirestoreFieldPath(segments: []))
    default: throw Self.invalid("a document must be a map")
    }
  }

  init(_ input: FirestoreInput, at path: FirestoreFieldPath) throws {
    value = try take(input, path)
  }

  private mutating func take(
    _ input: FirestoreInput, _ path: FirestoreFieldPath
  ) throws -> FirestoreValue? {
    switch input {
    case .value(.map(let fields)):
      return try take(FirestoreInput(fields), path)
    case .value(let value):
      leaves.append(path)
      return value
    case .array(let elements):
      leaves.append(path)
      return .array(try elements.map { try Self.plain($0, path) })
    case .delete:
      deletions.append(path)
      return nil
    case .transform(let kind):
      transforms.append(try Self.transform(path, kind))
      return nil
    case .map(let fields):
      guard !fields.isEmpty else {
        if !path.segments.isEmpty { leaves.append(path) }
        return .map([:])
      }
      var kept = FirestoreFields()
      for field in fields {
        let inner = FirestoreFieldPath(segments: path.segments + [field.name])
        if let value = try take(field.input, inner) { kept[field.name] = value }
      }
      // A map that contains only instructions isn't written.
      return kept.isEmpty ? nil : .map(kept)
    }
  }

  /// Returns the value of an input that can't contain instructions.
  private static func plain(
    _ input: FirestoreInput, _ path: FirestoreFieldPath
  ) throws -> FirestoreValue {
    switch input {
    case .value(let value): return value
    case .array(let elements): return .array(try elements.map { try plain($0, path) })
    case .map(let fields):
      return .map(
        FirestoreFields(
          try fields.map { FirestoreFields.Field($0.name, try plain($0.input, path)) }))
    case .delete, .transform: throw invalid("the array \(path) contains an instruction")
    }
  }

  static func transform(
    _ path: FirestoreFieldPath, _ kind: FirestoreTransform.Kind
  ) throws -> FirestoreTransform {
    switch kind {
    case .increment(let value), .maximum(let value), .minimum(let value):
      guard value.number != nil else { throw invalid("the transform of \(path) has no number") }
    case .serverTimestamp, .arrayUnion, .arrayRemove: break
    }
    return FirestoreTransform(path, kind)
  }

  /// Throws if a path is empty, occurs twice, or is inside another one.
  static func checkIndependent(_ paths: [FirestoreFieldPath]) throws {
    let sorted = paths.sorted()
    if let path = sorted.first(where: { $0.segments.isEmpty || $0.segments.contains("") }) {
      throw invalid("a field path is empty or has an empty name: \(path)")
    }
    // A path is directly followed by the paths inside it.
    for (path, next) in zip(sorted, sorted.dropFirst()) where next.isWithin(path) {
      throw invalid("the field \(next) is passed twice, or inside \(path)")
    }
  }

  static func invalid(_ reason: String) -> FieldError {
    FieldError(.invalidInput, "The write can't be built: \(reason).")
  }
}
