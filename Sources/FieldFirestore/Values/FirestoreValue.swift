internal import FieldCore
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
