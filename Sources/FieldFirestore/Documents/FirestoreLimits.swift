internal import FieldCore

/// The limits of Firestore, which the client checks before it sends anything.
///
/// The defaults are Google's documented limits. Raise a limit only if your database has a different
/// one.
public struct FirestoreLimits: Sendable, Hashable {
  /// The maximum size of a document, in bytes by Firestore's formula.
  ///
  /// Defaults to 1 MiB.
  public var documentSize = 1_048_576
  /// The maximum size of a field's value, in bytes.
  ///
  /// Defaults to 1,048,487.
  public var valueSize = 1_048_487
  /// The maximum nesting depth of maps and arrays.
  ///
  /// Defaults to 20.
  public var depth = 20
  /// The maximum size of a request, in bytes.
  ///
  /// Defaults to 10 MiB.
  public var requestSize = 10_485_760
  /// The maximum number of writes in a commit.
  ///
  /// Defaults to 500.
  public var writeCount = 500
  /// The maximum number of transforms of one document in a commit.
  ///
  /// Defaults to 500.
  public var transformCount = 500

  /// Creates limits with Google's documented values.
  public init() {}

  /// Throws if no server would accept a write, whatever its data.
  ///
  /// - Throws: `FieldError` with the code `input.invalid`, listing every problem.
  public func check(_ write: FirestoreWrite, in database: FirestoreDatabase) throws {
    let problems = problems(of: write, in: database)
    guard let first = problems.first else { return }
    throw FieldError(
      .invalidInput,
      "The write of \"\(write.path.text.prefix(200))\" would be rejected: \(first)."
        + (problems.count > 1 ? " There are \(problems.count) problems." : ""),
      problems: problems)
  }

  package func problems(of write: FirestoreWrite, in database: FirestoreDatabase) -> [String] {
    var problems: [String] = []
    do throws(FieldError) {
      try write.path.checkDocument()
    } catch {
      problems.append(error.message)
    }
    let name = database.name(of: write.path)
    if name.utf8.count > 6_144 { problems.append("the name of the document is longer than 6 KiB") }
    if case .update(let fields, let mask) = write.operation {
      check(fields, depth: 0, at: [], &problems)
      for path in mask ?? [] { check(path, &problems) }
      let size = Self.size(of: fields, at: write.path)
      if size > documentSize {
        problems.append("the document has \(size) bytes, but only \(documentSize) are allowed")
      }
    }
    if write.transforms.count > transformCount {
      problems.append(
        "there are \(write.transforms.count) transforms, but only \(transformCount) are allowed")
    }
    for transform in write.transforms {
      check(transform.path, &problems)
      for value in transform.operand { check(value, depth: 1, isInArray: true, at: [], &problems) }
    }
    return problems
  }

  private func check(_ path: FirestoreFieldPath, _ problems: inout [String]) {
    if path.segments.isEmpty { problems.append("a field path is empty") }
    for name in path.segments {
      if let problem = Self.problem(ofFieldName: name) { problems.append(problem) }
    }
    if path.description.utf8.count > 1_500 {
      problems.append("a field path is longer than 1,500 bytes")
    }
  }

  private func check(
    _ fields: FirestoreFields, depth: Int, at path: [String], _ problems: inout [String]
  ) {
    for field in fields {
      let place = path + [field.name]
      if let problem = Self.problem(ofFieldName: field.name) { problems.append(problem) }
      check(field.value, depth: depth, isInArray: false, at: place, &problems)
      if depth == 0 {
        let size = Self.size(of: field.value)
        if size > valueSize {
          problems.append(
            "\(FirestoreFieldPath(segments: place)) has \(size) bytes, not at most \(valueSize)")
        }
      }
    }
  }

  private func check(
    _ value: FirestoreValue, depth: Int, isInArray: Bool, at path: [String],
    _ problems: inout [String]
  ) {
    let place = FirestoreFieldPath(segments: path)
    switch value {
    case .array(let elements):
      if isInArray { problems.append("\(place) is an array directly in an array") }
      guard isDeepEnough(depth, place, &problems) else { return }
      for element in elements {
        check(element, depth: depth + 1, isInArray: true, at: path, &problems)
      }
    case .map(let fields):
      guard isDeepEnough(depth, place, &problems) else { return }
      if let vector = value.vector {
        if vector.isEmpty || vector.count > 2_048 {
          problems.append("\(place) is a vector of \(vector.count) components, not 1 through 2,048")
        }
      } else {
        check(fields, depth: depth + 1, at: path, &problems)
      }
    case .geoPoint(let point):
      if !point.isValid { problems.append("\(place) is a place that isn't on Earth") }
    case .reference(let name):
      if !Self.isDocumentName(name) { problems.append("\(place) refers to no document: \(name)") }
    case .null, .boolean, .integer, .double, .timestamp, .string, .bytes, .unknown: break
    }
  }

  private func isDeepEnough(
    _ depth: Int, _ place: FirestoreFieldPath, _ problems: inout [String]
  ) -> Bool {
    if depth < self.depth { return true }
    problems.append("\(place) is nested more deeply than \(self.depth) maps and arrays")
    return false
  }

  private static func isDocumentName(_ name: String) -> Bool {
    let segments = name.parts(at: "/")
    return segments.count >= 7 && segments.count % 2 == 1 && segments[0] == "projects"
      && segments[2] == "databases" && segments[4] == "documents"
      && segments.allSatisfy { !$0.isEmpty }
  }

  /// Returns the problem with the ID of a document or a collection, or `nil` if it is valid.
  package static func problem(ofID id: String) -> String? {
    switch true {
    case id.isEmpty: "an ID is empty"
    case id.utf8.count > 1_500: "an ID is longer than 1,500 bytes"
    case id.utf8.contains(UInt8(ascii: "/")): "an ID contains a slash"
    case id == ".", id == "..": "an ID is \(id)"
    case isReserved(id): "the ID \(id) is reserved"
    default: nil
    }
  }

  package static func problem(ofFieldName name: String) -> String? {
    switch true {
    case name.isEmpty: "a field name is empty"
    case name.utf8.count > 1_500: "a field name is longer than 1,500 bytes"
    case isReserved(name): "the field name \(name) is reserved"
    default: nil
    }
  }

  /// Names of the form `__.*__` are reserved by Firestore.
  private static func isReserved(_ name: String) -> Bool {
    name.utf8.count >= 4 && name.utf8.starts(with: "__".utf8) && name.hasSuffix("__")
  }

  /// Returns the size of a document, in bytes by Firestore's formula.
  public static func size(of fields: FirestoreFields, at path: FirestorePath) -> Int {
    size(ofName: path.segments) + size(of: fields) + 32
  }

  /// Returns the size of a value, in bytes by Firestore's formula.
  public static func size(of value: FirestoreValue) -> Int {
    switch value {
    case .null, .boolean: 1
    case .integer, .double, .timestamp: 8
    case .string(let text): text.utf8.count + 1
    case .bytes(let bytes): bytes.count
    case .reference(let name): size(ofName: name.parts(at: "/").dropFirst(5).map(String.init))
    case .geoPoint: 16
    case .array(let elements): elements.reduce(0) { $0 + size(of: $1) }
    case .map(let fields): size(of: fields)
    case .unknown(let value): value.content.utf8.count
    }
  }

  private static func size(of fields: FirestoreFields) -> Int {
    fields.reduce(0) { $0 + $1.name.utf8.count + 1 + size(of: $1.value) }
  }

  private static func size(ofName segments: [String]) -> Int {
    segments.reduce(16) { $0 + $1.utf8.count + 1 }
  }
}
