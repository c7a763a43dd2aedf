/// The start tag of an element.
package struct XMLTag: Sendable, Hashable {
  /// The name without its prefix, as written: `date` in `dc:date`.
  package var name: String
  /// The prefix, such as `dc` in `dc:date`; empty if there is none.
  package var prefix: String
  /// The namespace; empty if there is none or its prefix isn't declared.
  package var namespace: String
  /// The attributes by their names as written, including prefixes.
  package var attributes: [String: String]

  /// Creates a tag.
  package init(
    name: String, prefix: String = "", namespace: String = "", attributes: [String: String] = [:]
  ) {
    self.name = name
    self.prefix = prefix
    self.namespace = namespace
    self.attributes = attributes
  }

  /// The value of an attribute by its name as written, or else regardless of case.
  package subscript(attribute: String) -> String? {
    if attributes.isEmpty { return nil }
    if let value = attributes[attribute] { return value }
    let count = attribute.utf8.count
    let spellings = attributes.keys.filter { key in
      key.utf8.count == count && key.lowercased() == attribute.lowercased()
    }
    return spellings.min().flatMap { attributes[$0] }
  }
}
