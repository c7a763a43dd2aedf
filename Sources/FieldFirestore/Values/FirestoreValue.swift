package import FieldCore
public import FieldFoundation

/// A value of a Firestore document.
///
/// ```swift
/// let fields: FirestoreFields = [
///   "name": "mesh", "weight": 10.5, "born": .timestamp(FirestoreTimestamp(date)), "tags": ["corgi"],
/// ]
/// ```
///
/// Equality is exact: `.integer(3)` and `.double(3)` are different values, and so are strings that
/// differ in any byte, even if Unicode considers them equivalent. All NaN values are equal. For
/// Firestore's comparison, in which 3 equals 3.0, use ``isEquivalent(to:)`` and ``precedes(_:)``.
public enum FirestoreValue: Sendable, Hashable, CustomStringConvertible {
  /// No value.
  case null
  /// A Boolean value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A floating-point number, including NaN and the infinities.
  case double(Double)
  /// A point in time.
  case timestamp(FirestoreTimestamp)
  /// A string.
  case string(String)
  /// Bytes.
  case bytes([UInt8])
  /// The full name of a document, such as `projects/p/databases/(default)/documents/Pets/mesh`.
  case reference(String)
  /// A place.
  case geoPoint(FirestoreGeoPoint)
  /// An array, which can't directly contain another array.
  case array([FirestoreValue])
  /// A map from names to values.
  case map(FirestoreFields)
  /// A value of a kind that this version doesn't know, written back unchanged.
  case unknown(FirestoreUnknownValue)

  /// Returns a vector for similarity search, which is stored as a special map.
  public static func vector(_ components: [Double]) -> FirestoreValue {
    .map([
      "__type__": .string("__vector__"), "value": .array(components.map(FirestoreValue.double)),
    ])
  }

  /// Returns a timestamp.
  public static func date(_ date: Date) -> FirestoreValue { .timestamp(FirestoreTimestamp(date)) }

  /// A Boolean value that indicates whether the value is `null`.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// The Boolean value, or `nil` if the value is of another kind.
  public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

  /// The whole number, or `nil` if the value is of another kind.
  public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

  /// The number, whole or not, as a `Double`, or `nil` if the value isn't a number.
  public var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The timestamp, or `nil` if the value is of another kind.
  public var timestamp: FirestoreTimestamp? {
    if case .timestamp(let moment) = self { moment } else { nil }
  }

  /// The string, or `nil` if the value is of another kind.
  public var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The bytes, or `nil` if the value is of another kind.
  public var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }

  /// The full name of the referenced document, or `nil` if the value is of another kind.
  public var reference: String? { if case .reference(let name) = self { name } else { nil } }

  /// The place, or `nil` if the value is of another kind.
  public var geoPoint: FirestoreGeoPoint? {
    if case .geoPoint(let point) = self { point } else { nil }
  }

  /// The elements, or `nil` if the value isn't an array.
  public var array: [FirestoreValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The fields, or `nil` if the value isn't a map.
  public var map: FirestoreFields? { if case .map(let fields) = self { fields } else { nil } }

  /// The components, or `nil` if the value isn't a vector.
  public var vector: [Double]? {
    guard case .map(let fields) = self, fields.count == 2,
      fields["__type__"]?.string == "__vector__", case .array(let elements)? = fields["value"]
    else { return nil }
    let components = elements.compactMap(\.number)
    return components.count == elements.count ? components : nil
  }

  var isNaN: Bool { if case .double(let number) = self { number.isNaN } else { false } }

  /// Returns a Boolean value that indicates whether two values are of the same kind and have the same
  /// content, byte for byte.
  public static func == (left: FirestoreValue, right: FirestoreValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)):
      left.isNaN ? right.isNaN : left.bitPattern == right.bitPattern
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.reference(let left), .reference(let right)): left.hasSameBytes(as: right)
    case (.geoPoint(let left), .geoPoint(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.map(let left), .map(let right)): left == right
    case (.unknown(let left), .unknown(let right)): left == right
    default: false
    }
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let flag): hasher.combine(flag)
    case .integer(let number): hasher.combine(number)
    case .double(let number): hasher.combine(number.isNaN ? 1 : number.bitPattern)
    case .timestamp(let moment): hasher.combine(moment)
    // Equal bytes have equal hashes, whatever Unicode considers equivalent.
    case .string(let text), .reference(let text): hasher.combine(utf8: text)
    case .bytes(let bytes): hasher.combine(bytes)
    case .geoPoint(let point): hasher.combine(point)
    case .array(let elements): hasher.combine(elements)
    case .map(let fields): hasher.combine(fields)
    case .unknown(let value): hasher.combine(value)
    }
  }

  /// The value in Firestore's JSON.
  public var description: String { json.canonicalText }
}

extension FirestoreValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: FirestoreValue...) { self = .array(elements) }
  /// Creates a map; if a name occurs more than once, its last value is used.
  public init(dictionaryLiteral elements: (String, FirestoreValue)...) {
    self = .map(FirestoreFields(elements.map { FirestoreFields.Field($0.0, $0.1) }))
  }
}

extension String {
  /// Whether the strings have the same UTF-8, which is stricter than `==`.
  func hasSameBytes(as other: String) -> Bool {
    // Comparing strings that aren't ASCII would sort their combining marks, in a time that grows with the
    // square of their number.
    utf8.count == other.utf8.count
      && (isASCII && other.isASCII ? self == other : utf8.elementsEqual(other.utf8))
  }

  /// A Boolean value that indicates whether each character has one byte, which a string knows.
  var isASCII: Bool { utf8.count == utf16.count }
}

extension Hasher {
  /// Adds the bytes of a text, without sorting its combining marks.
  mutating func combine(utf8 text: String) {
    if text.isASCII { return combine(text) }
    var text = text
    text.withUTF8 { unsafe combine(bytes: UnsafeRawBufferPointer($0)) }
    combine(text.utf8.count)
  }
}

// MARK: - JSON

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

// MARK: - Order

extension FirestoreValue {
  /// Returns a Boolean value that indicates whether the value comes before another in Firestore's order.
  ///
  /// The order of kinds is null, Boolean values, numbers, timestamps, strings, bytes, references,
  /// places, arrays, vectors, and maps. Whole and floating-point numbers are compared by their exact
  /// values, NaN first. Strings are compared by their UTF-8 bytes.
  public func precedes(_ other: FirestoreValue) -> Bool { order(to: other) == .before }

  /// Returns a Boolean value that indicates whether two values are equal in Firestore's order, like
  /// 3 and 3.0, or 0 and -0.
  public func isEquivalent(to other: FirestoreValue) -> Bool { order(to: other) == .same }

  /// The relation of a value to another one.
  package enum Order: Sendable {
    case before, same, after

    package var reversed: Order {
      switch self {
      case .before: .after
      case .same: .same
      case .after: .before
      }
    }

    init<Value: Comparable>(_ left: Value, _ right: Value) {
      self = left < right ? .before : right < left ? .after : .same
    }

    /// Compares sequences element by element, then by length.
    static func of<Left: Sequence, Right: Sequence>(
      _ left: Left, _ right: Right, by order: (Left.Element, Right.Element) -> Order
    ) -> Order {
      var (left, right) = (left.makeIterator(), right.makeIterator())
      while true {
        switch (left.next(), right.next()) {
        case (nil, nil): return .same
        case (nil, _?): return .before
        case (_?, nil): return .after
        case (let first?, let second?):
          let found = order(first, second)
          if found != .same { return found }
        }
      }
    }

    static func bytes(_ left: String, _ right: String) -> Order {
      left.isASCII && right.isASCII
        ? Order(left, right) : .of(left.utf8, right.utf8) { Order($0, $1) }
    }
  }

  /// The rank of the kind; whole and floating-point numbers share one.
  package var rank: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .integer, .double: 2
    case .timestamp: 3
    case .string: 4
    case .bytes: 5
    case .reference: 6
    case .geoPoint: 7
    case .array: 8
    case .map: vector == nil ? 10 : 9
    case .unknown: 11
    }
  }

  package func order(to other: FirestoreValue) -> Order {
    switch (self, other) {
    case (.boolean(let left), .boolean(let right)): Order(left ? 1 : 0, right ? 1 : 0)
    case (.integer(let left), .integer(let right)): Order(left, right)
    case (.double(let left), .double(let right)): Self.order(left, right)
    case (.integer(let left), .double(let right)): Self.order(left, right)
    case (.double(let left), .integer(let right)): Self.order(right, left).reversed
    case (.timestamp(let left), .timestamp(let right)): Order(left, right)
    case (.string(let left), .string(let right)): .bytes(left, right)
    case (.bytes(let left), .bytes(let right)): .of(left, right) { Order($0, $1) }
    case (.reference(let left), .reference(let right)): Self.order(ofNames: left, right)
    case (.geoPoint(let left), .geoPoint(let right)): Self.order(left, right)
    case (.array(let left), .array(let right)): .of(left, right) { $0.order(to: $1) }
    case (.map(let left), .map(let right)): Self.order(self, left, other, right)
    case (.unknown(let left), .unknown(let right)):
      .of([left.kind, left.content], [right.kind, right.content], by: Order.bytes)
    default: Order(rank, other.rank)
    }
  }

  /// Documents are ordered by the segments of their names; numeric IDs of the form `__id7__`
  /// precede all other segments.
  package static func order(ofNames left: String, _ right: String) -> Order {
    var (left, right) = (left[...], right[...])
    // Names in one collection have all segments but one in common, which needn't be taken apart.
    if left.base.isASCII, right.base.isASCII,
      let slash = left.utf8.lastIndex(of: UInt8(ascii: "/"))
    {
      let parent = String(left[...slash])
      if right.base.hasPrefix(parent) {
        left = left[left.utf8.index(after: slash)...]
        right = right[right.utf8.index(right.startIndex, offsetBy: parent.utf8.count)...]
        if right.utf8.lastIndex(of: UInt8(ascii: "/")) == nil {
          return order(ofSegments: left, right)
        }
      }
    }
    return .of(left.parts(at: "/"), right.parts(at: "/"), by: order(ofSegments:_:))
  }

  private static func order(ofSegments left: Substring, _ right: Substring) -> Order {
    switch (numericID(left), numericID(right)) {
    case (let left?, let right?): Order(left, right)
    case (_?, nil): .before
    case (nil, _?): .after
    case (nil, nil): .bytes(String(left), String(right))
    }
  }

  private static func numericID(_ segment: Substring) -> Int64? {
    guard segment.utf8.first == UInt8(ascii: "_"), segment.utf8.starts(with: "__id".utf8),
      segment.hasSuffix("__"), segment.utf8.count > 6
    else { return nil }
    return Int64(segment.dropFirst(4).dropLast(2))
  }

  private static func order(_ left: Double, _ right: Double) -> Order {
    left.isNaN || right.isNaN
      ? Order(left.isNaN ? 0 : 1, right.isNaN ? 0 : 1) : Order(left, right)
  }

  /// Compares the exact values, because converting the whole number to `Double` would lose digits.
  private static func order(_ left: Int64, _ right: Double) -> Order {
    if right.isNaN { return .after }
    if right >= 0x1p63 { return .before }
    if right < -0x1p63 { return .after }
    let whole = right.rounded(.towardZero)
    let found = Order(left, Int64(whole))
    return found == .same ? Order(whole, right) : found
  }

  private static func order(_ left: FirestoreGeoPoint, _ right: FirestoreGeoPoint) -> Order {
    let latitudes = order(left.latitude, right.latitude)
    return latitudes == .same ? order(left.longitude, right.longitude) : latitudes
  }

  private static func order(
    _ left: FirestoreValue, _ leftFields: FirestoreFields, _ right: FirestoreValue,
    _ rightFields: FirestoreFields
  ) -> Order {
    switch (left.vector, right.vector) {
    case (let left?, let right?):
      let sizes = Order(left.count, right.count)
      return sizes == .same ? .of(left, right, by: order) : sizes
    case (_?, nil): return .before
    case (nil, _?): return .after
    case (nil, nil):
      return .of(leftFields, rightFields) { left, right in
        let names = Order.bytes(left.name, right.name)
        return names == .same ? left.value.order(to: right.value) : names
      }
    }
  }
}
