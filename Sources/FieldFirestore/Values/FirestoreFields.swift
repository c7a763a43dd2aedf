internal import FieldCore

/// The fields of a document or of a map, sorted by name.
///
/// Names are compared byte by byte, as in Firestore: a name with a combining accent differs from
/// the one with a precomposed letter, although Swift's strings are equal.
public struct FirestoreFields: Sendable, Hashable, RandomAccessCollection, CustomStringConvertible {
  /// The fields, in the order of the UTF-8 bytes of their names.
  private var fields: [Field] = []

  /// Creates an empty set of fields.
  public init() {}

  /// Creates fields; if a name occurs more than once, its last value is used.
  public init(_ fields: some Sequence<Field>) {
    let sorted = fields.enumerated().sorted { left, right in
      left.element.name.hasSameBytes(as: right.element.name)
        ? left.offset < right.offset
        : left.element.name.utf8.lexicographicallyPrecedes(right.element.name.utf8)
    }
    for (_, field) in sorted {
      if let last = self.fields.last, last.name.hasSameBytes(as: field.name) {
        self.fields.removeLast()
      }
      self.fields.append(field)
    }
  }

  /// The value of a field, or `nil` if there is no field with the name.
  public subscript(name: String) -> FirestoreValue? {
    get {
      let place = place(of: name)
      return place.isThere ? fields[place.index].value : nil
    }
    set {
      let place = place(of: name)
      switch (place.isThere, newValue) {
      case (true, let value?): fields[place.index].value = value
      case (true, nil): fields.remove(at: place.index)
      case (false, let value?): fields.insert(Field(name, value), at: place.index)
      case (false, nil): break
      }
    }
  }

  /// The value at a path, or `nil` if there is none.
  ///
  /// Setting a value creates the maps on the path, replacing values that aren't maps.
  public subscript(path: FirestoreFieldPath) -> FirestoreValue? {
    get { value(at: path.segments[...]) }
    set { set(newValue, at: path.segments[...]) }
  }

  /// The names, in order.
  public var names: [String] { fields.map(\.name) }

  private func value(at segments: ArraySlice<String>) -> FirestoreValue? {
    guard let name = segments.first, let value = self[name] else { return nil }
    if segments.count == 1 { return value }
    return value.map?.value(at: segments.dropFirst())
  }

  private mutating func set(_ value: FirestoreValue?, at segments: ArraySlice<String>) {
    guard let name = segments.first else { return }
    if segments.count == 1 {
      self[name] = value
      return
    }
    // Below a value that isn't a map, there is nothing to delete.
    if value == nil, self[name]?.map == nil { return }
    let place = place(of: name)
    var inner = FirestoreFields()
    if place.isThere, case .map(let fields) = self.fields[place.index].value {
      inner = fields
      // The only reference is the one that changes, so nothing is copied.
      self.fields[place.index].value = .null
    }
    inner.set(value, at: segments.dropFirst())
    self[name] = .map(inner)
  }

  private func place(of name: String) -> (index: Int, isThere: Bool) {
    let index = fields.partitioningIndex { !$0.name.utf8.lexicographicallyPrecedes(name.utf8) }
    return (index, index < fields.count && fields[index].name.hasSameBytes(as: name))
  }

  /// A name and its value.
  public struct Field: Sendable, Hashable {
    /// The exact name; a dot is part of the name.
    public var name: String
    /// The value.
    public var value: FirestoreValue

    /// Creates a field.
    public init(_ name: String, _ value: FirestoreValue) {
      self.name = name
      self.value = value
    }

    /// Returns a Boolean value that indicates whether two fields have the same name, byte for byte,
    /// and the same value.
    public static func == (left: Field, right: Field) -> Bool {
      left.name.hasSameBytes(as: right.name) && left.value == right.value
    }

    /// Hashes the name and the value.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(utf8: name)
      hasher.combine(value)
    }
  }

  /// The position of the first field.
  public var startIndex: Int { 0 }
  /// The position after the last field.
  public var endIndex: Int { fields.count }
  /// The field at a position.
  public subscript(position: Int) -> Field { fields[position] }

  /// The fields in Firestore's JSON.
  public var description: String { json.canonicalText }
}

extension FirestoreFields: ExpressibleByDictionaryLiteral {
  /// Creates fields; if a name occurs more than once, its last value is used.
  public init(dictionaryLiteral elements: (String, FirestoreValue)...) {
    self.init(elements.map { Field($0.0, $0.1) })
  }
}
