/// The beginning of an element.
package struct XMLTag: Sendable, Hashable {
  /// The name without its prefix, as it was written: `date` of `dc:date`.
  package var name: String
  /// The prefix: `dc` of `dc:date`, and empty when there is none.
  package var prefix: String
  /// The namespace, empty when there is none or its prefix was never declared.
  package var namespace: String
  /// The attributes by their names as they were written, prefixes included.
  package var attributes: [String: String]

  /// Makes a tag.
  package init(
    name: String, prefix: String = "", namespace: String = "", attributes: [String: String] = [:]
  ) {
    self.name = name
    self.prefix = prefix
    self.namespace = namespace
    self.attributes = attributes
  }

  /// The value of an attribute without a prefix.
  package subscript(attribute: String) -> String? { attributes[attribute] }
}
