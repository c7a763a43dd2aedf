import FieldCore
import FieldFirestore
import Foundation
import TestSupport

/// Google's conformance vectors, whose format is described in `../shared/data/firestore/NOTICE.md`.
enum ConformanceVectors {
  private static let folder = SharedData.url("firestore/tests")

  /// The files, or none if `../shared` isn't there.
  static let files: [URL] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasSuffix(".json") }.map { folder.appending(path: $0) }
  }()

  /// Returns the vectors of a kind with their descriptions.
  static func all(
    _ kind: String, in files: [URL] = files
  ) throws -> [(name: String, vector: JSONValue)] {
    try files.flatMap { file in
      let bytes = [UInt8](try Data(contentsOf: file))
      return (try JSONDocument.value(bytes)["tests"]?.elements ?? []).compactMap { test in
        let name = "\(file.lastPathComponent): \(test["description"]?.string ?? "")"
        return test[kind].map { (name, $0) }
      }
    }
  }

  // MARK: Inputs

  static func paths(_ json: JSONValue?) -> [FirestoreFieldPath] {
    (json?.elements ?? []).map(path)
  }

  static func path(_ json: JSONValue?) -> FirestoreFieldPath {
    FirestoreFieldPath(segments: json?["field"]?.elements?.compactMap(\.string) ?? [])
  }

  static func input(_ text: String) throws -> FirestoreInput {
    try input(try JSONDocument.value(Array(text.utf8)))
  }

  private static func input(_ json: JSONValue) throws -> FirestoreInput {
    switch json {
    case .null: return .value(.null)
    case .bool(let flag): return .value(.boolean(flag))
    case .number(let text):
      if let number = Int64(text) { return .value(.integer(number)) }
      guard let number = Double(text) else { throw FieldError(.malformed, "\(text)") }
      return .value(.double(number))
    case .string("Delete"): return .delete
    case .string("ServerTimestamp"): return .serverTimestamp
    case .string("NaN"): return .value(.double(.nan))
    case .string(let text): return .value(.string(text))
    case .object(let members):
      return .map(try members.map { .init($0.key, try input($0.value)) })
    case .array(let elements):
      switch elements.first {
      case .string("ArrayUnion")?: return .arrayUnion(try elements.dropFirst().map(value))
      case .string("ArrayRemove")?: return .arrayRemove(try elements.dropFirst().map(value))
      default: return .array(try elements.map(input))
      }
    }
  }

  static func value(_ text: String) throws -> FirestoreValue { try value(try input(text)) }

  private static func value(_ json: JSONValue) throws -> FirestoreValue {
    try value(try input(json))
  }

  /// The API has no room for instructions in queries and in elements of transforms.
  private static func value(_ input: FirestoreInput) throws -> FirestoreValue {
    switch input {
    case .value(let value): value
    case .map(let fields):
      .map(FirestoreFields(try fields.map { .init($0.name, try value($0.input)) }))
    case .array(let elements): .array(try elements.map { try value($0) })
    case .delete, .transform:
      throw FieldError(.invalidInput, "an instruction where there has to be a value")
    }
  }

  // MARK: Requests

  /// Returns a request in one of its equivalent forms: absent members are the same as empty or
  /// default ones, and the order of a mask means nothing.
  static func normal(_ json: JSONValue?) -> JSONValue {
    switch json {
    case .array(let elements)?: return .array(elements.map(normal))
    case .number(let text)?: return .number(Double(text).map { "\($0)" } ?? text)
    case .object(var members)?:
      members.removeAll {
        ["before", "allDescendants"].contains($0.key) && $0.value == .bool(false)
      }
      for index in members.indices {
        members[index].value = normal(members[index].value)
        if members[index].key == "fieldPaths", let paths = members[index].value.elements {
          members[index].value = .array(paths.sorted { ($0.string ?? "") < ($1.string ?? "") })
        }
        // A limit is an object in the JSON of some libraries.
        if members[index].key == "limit", let limit = members[index].value["value"] {
          members[index].value = limit
        }
        let content = ["update": "fields", "mapValue": "fields", "arrayValue": "values"]
        if let name = content[members[index].key], members[index].value[name] == nil,
          case .object(let inner) = members[index].value
        {
          let none: JSONValue = name == "values" ? .array([]) : .object([])
          members[index].value = .object(inner + [.init(key: name, value: none)])
        }
      }
      return .object(members)
    default: return json ?? .null
    }
  }
}
