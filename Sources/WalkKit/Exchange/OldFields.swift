internal import FieldCore
internal import FieldFoundation

/// The members of one old record, accessed by name, with their problems.
struct OldFields {
  private let place: String
  private let outerKey: String?
  private var members: [String: JSONValue] = [:]
  private(set) var problems: [ImportProblem] = []
  /// The keys that aren't read.
  private(set) var unknown: [String] = []

  init(_ document: OldDocument, known: Set<String>) {
    place = document.path
    outerKey = document.key.flatMap { JSONValue.string($0).words }
    guard case .object(let all) = document.value else { return }
    for member in all {
      let key = OldDocuments.normal(member.key)
      members[key] = member.value
      if !known.contains(key) { unknown.append(member.key) }
    }
  }

  func value(_ name: String) -> JSONValue? { members[name.lowercased()] }

  func path(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

  /// Returns the content of a text or a number, or `nil` if it is blank or missing; notes the
  /// complaint, if any, for other values.
  mutating func text(_ name: String, or complaint: String?) -> String? {
    switch value(name) {
    case nil, .null: return nil
    case .string, .number: return value(name)?.words
    default:
      if let complaint { note(name, .value, complaint) }
      return nil
    }
  }

  /// Returns the key in the record or outside it; `nil` if there is none, or only a placeholder.
  mutating func key() -> String? { text("key", or: "the key isn't a string") ?? outerKey }

  mutating func note(
    _ name: String, _ loss: ImportProblem.Loss, _ reason: String, excerpt: JSONValue? = nil
  ) {
    problems.append(
      ImportProblem(
        path: path(name), loss: loss, excerpt: (excerpt ?? value(name))?.canonicalText ?? "",
        reason: reason))
  }

  func hasNoted(_ name: String) -> Bool { problems.contains { $0.path == path(name) } }

  /// Returns the address in a text, on the web or in a bucket (`gs://`), or `nil` if there is none.
  static func address(_ text: String) -> URL? {
    if text.hasPrefix("gs://"), text.utf8.count > 5 { return URL(string: text) }
    return PercentEncoding.webAddress(text)
  }
}
