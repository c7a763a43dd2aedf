internal import FieldCore

/// A record of an old document: its external key, if any, its members, and its location.
struct OldDocument {
  var key: String?
  var value: JSONValue
  var path: String

  var isObject: Bool { if case .object = value { true } else { false } }
}

/// A finder of records in the forms in which the old app's data is exchanged.
enum OldDocuments {
  /// Returns the pets in a document, or `nil` if it contains nothing that could be pets.
  static func pets(in document: JSONValue) -> [OldDocument]? {
    let document = plain(document)
    if let collection = member("Pets", of: document) ?? collection("Pets", of: document) {
      return records(of: collection, at: "Pets")
    }
    if document.elements != nil { return records(of: document, at: "") }
    if member("documents", of: document)?.elements != nil { return records(of: document, at: "") }
    if member("name", of: document) != nil {
      return [OldDocument(key: nil, value: document, path: "")]
    }
    return nil
  }

  /// Returns the walks of a pet: empty if it has none, `nil` if the value isn't a collection.
  static func walks(of pet: OldDocument) -> [OldDocument]? {
    let prefix = pet.path.isEmpty ? "" : "\(pet.path)."
    guard let walks = member("walks", of: pet.value) ?? collection("Walks", of: pet.value) else {
      return []
    }
    if case .null = walks { return [] }
    if let text = walks.string, text.tidy.isEmpty { return [] }
    return records(of: walks, at: "\(prefix)walks")
  }

  /// Returns the value of a key, ignoring case and surrounding spaces; the last one wins.
  static func member(_ name: String, of value: JSONValue) -> JSONValue? {
    guard case .object(let members) = value else { return nil }
    return members.last { normal($0.key) == name.lowercased() }?.value
  }

  static func normal(_ key: String) -> String { key.tidy.lowercased() }

  private static func collection(_ name: String, of value: JSONValue) -> JSONValue? {
    member("__collections__", of: value).flatMap { member(name, of: $0) }
  }

  /// Returns the records of an array, or of an object by their keys, or `nil` for other values.
  private static func records(of value: JSONValue, at path: String) -> [OldDocument]? {
    if let list = member("documents", of: value), list.elements != nil {
      return records(of: list, at: path.isEmpty ? "documents" : "\(path).documents")
    }
    switch value {
    case .array(let elements):
      return elements.enumerated().map { index, element in
        OldDocument(key: nil, value: plain(element), path: "\(path)[\(index)]")
      }
    case .object(let members):
      // A single record in place of a list has a name or a date itself.
      if member("name", of: value) != nil || member("date", of: value)?.words != nil {
        return [OldDocument(key: nil, value: plain(value), path: path)]
      }
      return members.map {
        OldDocument(key: $0.key, value: plain($0.value), path: "\(path)[\"\($0.key)\"]")
      }
    default: return nil
    }
  }

  /// Returns a document of Firestore's REST interface, or a result of a query with one, as plain
  /// members with its ID under `key`, and other values unchanged.
  private static func plain(_ value: JSONValue) -> JSONValue {
    let answer = member("document", of: value)
    let value = answer.flatMap { member("fields", of: $0) == nil ? nil : $0 } ?? value
    guard case .object(let fields)? = member("fields", of: value), member("name", of: value) != nil
    else { return value }
    var members = fields.map { JSONValue.Member(key: $0.key, value: untyped($0.value)) }
    if let name = member("name", of: value)?.string,
      let id = name.parts(at: "/").last(where: { !$0.isEmpty }),
      !members.contains(where: { normal($0.key) == "key" && $0.value.words != nil })
    {
      members.removeAll { normal($0.key) == "key" }
      members.append(.init(key: "key", value: .string(String(id))))
    }
    return .object(members)
  }

  /// Returns the value that `{"stringValue": "…"}` and similar objects represent. The JSON parser
  /// limits the depth of nesting.
  private static func untyped(_ value: JSONValue) -> JSONValue {
    guard case .object(let members) = value, members.count == 1, let member = members.first else {
      return value
    }
    switch member.key {
    case "stringValue", "integerValue", "doubleValue", "timestampValue", "booleanValue",
      "referenceValue", "nullValue":
      return member.value
    case "arrayValue":
      return .array((member.value["values"]?.elements ?? []).map(untyped))
    case "mapValue":
      guard case .object(let fields)? = member.value["fields"] else { return .object([]) }
      return .object(fields.map { .init(key: $0.key, value: untyped($0.value)) })
    default: return value
    }
  }
}
