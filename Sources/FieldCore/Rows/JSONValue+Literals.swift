extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral
{
  /// Creates an object of the members that have a value; pass ``null`` for a member that is null.
  package init(dictionaryLiteral members: (String, JSONValue?)...) {
    self = .object(members.compactMap { key, value in value.map { Member(key: key, value: $0) } })
  }

  /// Creates an array.
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Creates a string.
  package init(stringLiteral text: String) { self = .string(text) }
}
