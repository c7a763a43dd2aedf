internal import FieldCore
internal import FieldFoundation

/// The members of one old record, read by name, with what is wrong with them.
struct OldFields {
  private let place: String
  private let members: [String: JSONValue]
  /// What is wrong so far.
  private(set) var problems: [ImportProblem] = []
  /// The keys that nobody reads.
  let unknown: [String]

  init(_ document: OldDocument, known: Set<String>) {
    place = document.path
    var members: [String: JSONValue] = [:]
    var unknown: [String] = []
    if case .object(let all) = document.value {
      for member in all {
        let key = OldDocuments.normal(member.key)
        members[key] = member.value
        if !known.contains(key) { unknown.append(member.key) }
      }
    }
    self.members = members
    self.unknown = unknown
  }

  /// The value under a name; nil when there is none.
  func value(_ name: String) -> JSONValue? { members[name.lowercased()] }

  /// Where a value is in the document.
  func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  /// What a text or a number says; nil when it is blank or not there.
  ///
  /// - Parameter complaint: What to note of a value that is neither, or nil to note nothing.
  mutating func text(_ name: String, or complaint: String?) -> String? {
    switch value(name) {
    case nil, .null: return nil
    case .string, .number: return value(name)?.words
    default:
      if let complaint { note(name, .value, complaint) }
      return nil
    }
  }

  /// Notes what is wrong with the value under a name.
  mutating func note(
    _ name: String, _ loss: ImportProblem.Loss, _ reason: String, excerpt: JSONValue? = nil
  ) {
    problems.append(
      ImportProblem(
        path: path(name), loss: loss, excerpt: (excerpt ?? value(name))?.canonicalText ?? "",
        reason: reason))
  }

  /// Whether something is wrong with the value under a name already.
  func hasNoted(_ name: String) -> Bool { problems.contains { $0.path == path(name) } }

  /// The address in a text, on the web or in a bucket (`gs://`); nil when it holds none.
  static func address(_ text: String) -> URL? {
    if text.hasPrefix("gs://"), text.utf8.count > 5 { return URL(string: text) }
    return PercentEncoding.webAddress(text)
  }
}
