package import FieldCore
internal import FieldFoundation

extension FirestoreValue {
  /// The value as JSON of the REST interface.
  package var json: JSONValue {
    switch self {
    case .null: ["nullValue": .some(.null)]
    case .boolean(let flag): ["booleanValue": .bool(flag)]
    case .integer(let number): ["integerValue": .string(String(number))]
    case .double(let number): ["doubleValue": Self.json(number)]
    case .timestamp(let moment): ["timestampValue": .string(moment.description)]
    case .string(let text): ["stringValue": .string(text)]
    case .bytes(let bytes): ["bytesValue": .string(Data(bytes).base64EncodedString())]
    case .reference(let name): ["referenceValue": .string(name)]
    case .geoPoint(let point):
      [
        "geoPointValue": [
          "latitude": Self.json(point.latitude), "longitude": Self.json(point.longitude),
        ]
      ]
    case .array(let elements): ["arrayValue": ["values": .array(elements.map(\.json))]]
    case .map(let fields): ["mapValue": ["fields": fields.json]]
    case .unknown(let value): [value.kind: value.json]
    }
  }

  private static func json(_ number: Double) -> JSONValue {
    if number.isNaN { return .string("NaN") }
    if number.isInfinite { return .string(number < 0 ? "-Infinity" : "Infinity") }
    // The shortest text that parses to the same number; -0 keeps its sign.
    return .number(number.description)
  }

  /// Creates a value from JSON of the REST interface.
  ///
  /// An unknown member next to a known one is ignored; on its own, it is an unknown kind.
  ///
  /// - Throws: `FirestoreValueProblem` if the value has no kind, has two, or its content doesn't
  ///   match its kind.
  package init(json: JSONValue) throws(FirestoreValueProblem) {
    guard case .object(let members) = json else { throw FirestoreValueProblem("isn't an object") }
    let kinds = members.filter { Self.kinds.contains($0.key) }
    guard kinds.count < 2 else {
      throw FirestoreValueProblem(
        "has the kinds \(kinds.map(\.key).joined(separator: " and ")) at once")
    }
    guard let kind = kinds.first else {
      guard let other = members.first, members.count == 1 else {
        throw FirestoreValueProblem(members.isEmpty ? "has no kind" : "is of several unknown kinds")
      }
      self = .unknown(FirestoreUnknownValue(kind: other.key, json: other.value))
      return
    }
    guard let value = try Self.value(of: kind.key, kind.value) else {
      throw FirestoreValueProblem(
        "has a \(kind.key) that can't be read: \(kind.value.canonicalText.prefix(80))")
    }
    self = value
  }

  private static let kinds: Set<String> = [
    "nullValue", "booleanValue", "integerValue", "doubleValue", "timestampValue", "stringValue",
    "bytesValue", "referenceValue", "geoPointValue", "arrayValue", "mapValue",
  ]

  private static func value(
    of kind: String, _ content: JSONValue
  ) throws(FirestoreValueProblem) -> FirestoreValue? {
    switch (kind, content) {
    case ("nullValue", .null), ("nullValue", .string("NULL_VALUE")), ("nullValue", .number("0")):
      return .null
    case ("booleanValue", .bool(let flag)): return .boolean(flag)
    case ("integerValue", .string(let text)), ("integerValue", .number(let text)):
      return isWhole(text) ? Int64(text).map { .integer($0) } : nil
    case ("doubleValue", _): return double(content).map { .double($0) }
    case ("timestampValue", .string(let text)):
      return FirestoreTimestamp(rfc3339: text).map { .timestamp($0) }
    case ("stringValue", .string(let text)): return .string(text)
    case ("bytesValue", .string(let text)): return base64(text).map { .bytes($0) }
    case ("referenceValue", .string(let name)): return .reference(name)
    case ("geoPointValue", .object):
      guard let latitude = coordinate(content["latitude"]),
        let longitude = coordinate(content["longitude"])
      else { return nil }
      return .geoPoint(FirestoreGeoPoint(latitude: latitude, longitude: longitude))
    case ("arrayValue", .object):
      switch content["values"] {
      case nil, .null?: return .array([])
      case .array(let elements)?: return .array(try elements.map(FirestoreValue.init(json:)))
      default: return nil
      }
    case ("mapValue", .object): return .map(try FirestoreFields(json: content["fields"]))
    default: return nil
    }
  }

  /// The server omits members that are zero.
  private static func coordinate(_ content: JSONValue?) -> Double? { content.map(double) ?? 0 }

  private static func isWhole(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return !digits.isEmpty && digits.allSatisfy { (48...57).contains($0) }
  }

  private static func double(_ content: JSONValue) -> Double? {
    switch content {
    case .number(let text):
      // `Double` parses every number in JSON; a number that is too large would silently become
      // infinite.
      guard let number = Double(text), number.isFinite else { return nil }
      return number
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    case .string(let text):
      guard text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
        let number = Double(text), number.isFinite
      else { return nil }
      return number
    default: return nil
    }
  }

  /// Decodes base64, standard or URL-safe, with all of its padding or none.
  package static func base64(_ text: String) -> [UInt8]? {
    let pad = UInt8(ascii: "=")
    var standard = text.utf8.prefix { $0 != pad }.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    // Foundation also reads padding in the middle.
    let padding = text.utf8.dropFirst(standard.count)
    while standard.count % 4 != 0 { standard.append(pad) }
    guard padding.isEmpty || standard.count == text.utf8.count, padding.allSatisfy({ $0 == pad })
    else { return nil }
    return Data(base64Encoded: Data(standard)).map { [UInt8]($0) }
  }
}

extension FirestoreFields {
  /// The fields as the value of `fields`.
  package var json: JSONValue { .object(map { .init(key: $0.name, value: $0.value.json) }) }

  /// Creates fields from the value of `fields`, which the server omits if there are none.
  package init(json: JSONValue?) throws(FirestoreValueProblem) {
    switch json {
    case nil, .null?: self.init()
    case .object(let members)?:
      var fields: [Field] = []
      fields.reserveCapacity(members.count)
      for member in members {
        do throws(FirestoreValueProblem) {
          fields.append(Field(member.key, try FirestoreValue(json: member.value)))
        } catch {
          throw error.inside(member.key)
        }
      }
      self.init(fields)
    default: throw FirestoreValueProblem("has fields that aren't an object")
    }
  }
}

extension FirestoreValue: Codable {
  /// Creates a value from a string in Firestore's JSON.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do {
      try self.init(json: try JSONDocument.value(Array(text.utf8)))
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Encodes the value as a string in Firestore's JSON, which preserves its kind.
  public func encode(to encoder: any Encoder) throws { try json.canonicalText.encode(to: encoder) }
}

extension FirestoreFields: Codable {
  /// Creates fields from a string in Firestore's JSON.
  public init(from decoder: any Decoder) throws {
    let value = try FirestoreValue(from: decoder)
    guard case .map(let fields) = value else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the value isn't a map"))
    }
    self = fields
  }

  /// Encodes the fields as a string in Firestore's JSON.
  public func encode(to encoder: any Encoder) throws {
    try FirestoreValue.map(self).encode(to: encoder)
  }
}

/// A defect of a value from a server, and its location.
package struct FirestoreValueProblem: Error, CustomStringConvertible {
  private let path: [String]
  private let reason: String

  package init(_ reason: String) { self.init([], reason) }

  private init(_ path: [String], _ reason: String) {
    self.path = path
    self.reason = reason
  }

  func inside(_ name: String) -> FirestoreValueProblem {
    FirestoreValueProblem([name] + path, reason)
  }

  package var description: String {
    path.isEmpty
      ? reason : "the field \(FirestoreFieldPath(segments: path).description) \(reason)"
  }
}
