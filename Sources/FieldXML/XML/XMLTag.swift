/// The start tag of an element.
struct XMLTag: Sendable, Hashable {
  /// The name without its prefix, as written: `date` in `dc:date`.
  var name: String
  /// The prefix, such as `dc` in `dc:date`; empty if there is none.
  var prefix = ""
  /// The namespace; empty if there is none or its prefix isn't declared.
  var namespace = ""
  /// The attributes by their names as written, including prefixes.
  var attributes: [String: String] = [:]

  /// The value of an attribute by its name as written, or else regardless of case.
  subscript(attribute: String) -> String? {
    if attributes.isEmpty { return nil }
    if let value = attributes[attribute] { return value }
    let count = attribute.utf8.count
    let spellings = attributes.keys.filter { key in
      key.utf8.count == count && key.lowercased() == attribute.lowercased()
    }
    return spellings.min().flatMap { attributes[$0] }
  }
}
