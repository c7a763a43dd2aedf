/// A value to be written, or an instruction for the server or the client in its place.
///
/// ```swift
/// let input: FirestoreInput = ["name": "mesh", "seen": .serverTimestamp, "walks": .increment(1)]
/// ```
///
/// Instructions can be inside maps, but not inside arrays.
public indirect enum FirestoreInput: Sendable, Hashable {
  /// A value.
  case value(FirestoreValue)
  /// A map whose values may be instructions.
  case map([Field])
  /// An array, which can't contain instructions.
  case array([FirestoreInput])
  /// Deletes the field.
  case delete
  /// Lets the server compute the field.
  case transform(FirestoreTransform.Kind)

  /// A name and the value to write.
  public struct Field: Sendable, Hashable {
    /// The name, or the dotted path in an update.
    public var name: String
    /// The value to write.
    public var input: FirestoreInput

    /// Creates a field.
    public init(_ name: String, _ input: FirestoreInput) {
      self.name = name
      self.input = input
    }
  }

  /// Sets the field to the time of the commit.
  public static var serverTimestamp: FirestoreInput { .transform(.serverTimestamp) }

  /// Adds a number to the field.
  public static func increment(_ number: FirestoreValue) -> Self { .transform(.increment(number)) }

  /// Sets the field to a number if the number is larger.
  public static func maximum(_ number: FirestoreValue) -> Self { .transform(.maximum(number)) }

  /// Sets the field to a number if the number is smaller.
  public static func minimum(_ number: FirestoreValue) -> Self { .transform(.minimum(number)) }

  /// Appends those elements that the array doesn't contain.
  public static func arrayUnion(_ elements: [FirestoreValue]) -> Self {
    .transform(.arrayUnion(elements))
  }

  /// Removes all elements that equal any of the given ones.
  public static func arrayRemove(_ elements: [FirestoreValue]) -> Self {
    .transform(.arrayRemove(elements))
  }
}

extension FirestoreInput: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .value(.boolean(value)) }
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .value(.integer(value)) }
  /// Creates a floating-point number.
  public init(floatLiteral value: Double) { self = .value(.double(value)) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .value(.string(value)) }
  /// Creates an array.
  public init(arrayLiteral elements: FirestoreInput...) { self = .array(elements) }
  /// Creates a map.
  public init(dictionaryLiteral elements: (String, FirestoreInput)...) {
    self = .map(elements.map { Field($0.0, $0.1) })
  }

  /// Creates a map of values.
  public init(_ fields: FirestoreFields) {
    self = .map(fields.map { Field($0.name, .value($0.value)) })
  }
}
