/// The ordered header fields of a request or a response, whose names are case-insensitive.
///
/// ```swift
/// var fields: HTTPHeaderFields = ["Accept": "application/json"]
/// fields["If-None-Match"] = etag
/// ```
public struct HTTPHeaderFields: Sendable, Hashable {
  private var fields: [Field] = []

  /// Creates an empty collection of fields.
  public init() {}

  /// The value of a field, with several values of the same name joined by `, `.
  ///
  /// Setting a value replaces all fields of the name, and setting `nil` removes them.
  public subscript(name: String) -> String? {
    get {
      let values = values(of: name)
      return values.isEmpty ? nil : values.joined(separator: ", ")
    }
    set {
      let key = Field.key(of: name)
      guard let newValue else { return fields.removeAll { $0.key == key } }
      guard let first = fields.firstIndex(where: { $0.key == key }) else {
        return fields.append(Field(name: name, value: newValue))
      }
      fields[first] = Field(name: name, value: newValue)
      fields[(first + 1)...].removeAll { $0.key == key }
    }
  }

  /// Adds a field, and keeps others of the same name.
  public mutating func add(_ value: String, to name: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Returns the values of all fields of a name, in order.
  public func values(of name: String) -> [String] {
    let key = Field.key(of: name)
    return fields.filter { $0.key == key }.map(\.value)
  }

  private struct Field: Sendable, Hashable {
    let name: String
    let key: String
    let value: String

    init(name: String, value: String) {
      self.name = name
      key = Self.key(of: name)
      self.value = value
    }

    /// The name as it is compared. A server chooses names, too.
    static func key(of name: String) -> String { name.streamSafe.lowercased() }

    static func == (left: Self, right: Self) -> Bool {
      left.key == right.key && left.value == right.value
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(key)
      hasher.combine(value)
    }
  }
}

extension HTTPHeaderFields: ExpressibleByDictionaryLiteral {
  /// Creates fields from names and values.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(value, to: name) }
  }
}

extension HTTPHeaderFields: CustomStringConvertible, CustomReflectable {
  /// The fields on one line, without the secrets that ``Redaction/default`` hides.
  public var description: String {
    Redaction.default.redact(self).map { "\($0.name): \($0.value)" }.joined(separator: "; ")
  }

  /// The mirror that `dump` and debuggers show, without the secrets that ``Redaction/default`` hides.
  public var customMirror: Mirror {
    let children = Redaction.default.redact(self).map { field in
      (label: Optional(field.name), value: field.value as Any)
    }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

extension HTTPHeaderFields: Codable {
  /// Creates fields from a list of objects with a `name` and a `value`.
  public init(from decoder: any Decoder) throws {
    for field in try [[String: String]](from: decoder) {
      if let name = field["name"], let value = field["value"] { add(value, to: name) }
    }
  }

  /// Encodes a list of objects with a `name` and a `value`.
  public func encode(to encoder: any Encoder) throws {
    try map { ["name": $0.name, "value": $0.value] }.encode(to: encoder)
  }
}

extension HTTPHeaderFields: Sequence {
  /// Returns an iterator over the fields in order, with their names as given.
  public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
    fields.map { (name: $0.name, value: $0.value) }.makeIterator()
  }
}
