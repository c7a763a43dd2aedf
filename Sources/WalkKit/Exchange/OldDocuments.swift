internal import FieldCore

/// A record of an old document: its key, when it has one outside, its members, and where it is.
struct OldDocument {
  var key: String?
  var value: JSONValue
  var path: String

  var isObject: Bool {
    if case .object = value { true } else { false }
  }
}

/// Finds the records in the forms that the old app's data are handed around in.
enum OldDocuments {
  /// The pets of a document; nil when there is nothing that could be pets.
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

  /// The walks of a pet; empty when it has none, nil when what is there is no collection.
  static func walks(of pet: OldDocument) -> [OldDocument]? {
    let prefix = pet.path.isEmpty ? "" : "\(pet.path)."
    guard let walks = member("walks", of: pet.value) ?? collection("Walks", of: pet.value) else {
      return []
    }
    if case .null = walks { return [] }
    if let text = walks.string, text.tidy.isEmpty { return [] }
    return records(of: walks, at: "\(prefix)walks")
  }

  /// The value of a key without regard to case and the space around it; the last one counts.
  static func member(_ name: String, of value: JSONValue) -> JSONValue? {
    guard case .object(let members) = value else { return nil }
    return members.last { normal($0.key) == name.lowercased() }?.value
  }

  static func normal(_ key: String) -> String { key.tidy.lowercased() }

  private static func collection(_ name: String, of value: JSONValue) -> JSONValue? {
    member("__collections__", of: value).flatMap { member(name, of: $0) }
  }

  /// The records of an array, or of an object by their keys; nil when the value is neither.
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
      // One record that stands where a list of them should be has a name or a date of its own.
      if member("name", of: value) != nil || member("date", of: value)?.words != nil {
        return [OldDocument(key: nil, value: plain(value), path: path)]
      }
      return members.map {
        OldDocument(key: $0.key, value: plain($0.value), path: "\(path)[\"\($0.key)\"]")
      }
    default: return nil
    }
  }

  /// A document of Firestore's REST interface as plain members, its id under `key`; another value as it
  /// is.
  ///
  /// The answers of a query have each document under `document`.
  private static func plain(_ value: JSONValue) -> JSONValue {
    let answer = member("document", of: value)
    let value = answer.flatMap { member("fields", of: $0) == nil ? nil : $0 } ?? value
    guard case .object(let fields)? = member("fields", of: value), member("name", of: value) != nil
    else { return value }
    var members = fields.map { JSONValue.Member(key: $0.key, value: untyped($0.value)) }
    if let name = member("name", of: value)?.string, let id = name.split(separator: "/").last,
      !members.contains(where: { normal($0.key) == "key" && $0.value.words != nil })
    {
      members.removeAll { normal($0.key) == "key" }
      members.append(.init(key: "key", value: .string(String(id))))
    }
    return .object(members)
  }

  /// What `{"stringValue": "…"}` and the like stand for. Nesting is as deep as the reader of JSON lets
  /// pass.
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
