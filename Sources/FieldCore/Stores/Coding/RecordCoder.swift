public import FieldFoundation

/// A writer or a reader of the values of a record, which takes each in turn.
///
/// A function of it describes a stored form once, for all directions: ``CodedRecord/exchange(with:)``.
/// ``RecordWriter`` writes each value and leaves it as it is. ``RecordReader`` replaces it with what was written. To check a
/// record without creating it, a reader skips texts, and leaves what they are passed in as it is.
///
/// The values and their order are the format, without names. To change it, increment ``StoredRecord/formatVersion``.
public protocol RecordCoder {
  /// A Boolean value that indicates whether values are replaced with what was written.
  static var isReading: Bool { get }

  /// Writes or reads a text.
  mutating func text(_ text: inout String) throws
  /// Writes or reads a text or its absence.
  mutating func text(_ text: inout String?) throws
  /// Writes or reads a text that many records have, which is written once per batch.
  mutating func sharedText(_ text: inout String) throws
  /// Writes or reads a text that many records have, which is written once per batch, or its absence.
  mutating func sharedText(_ text: inout String?) throws
  /// Writes or reads an integer.
  mutating func number(_ number: inout Int) throws
  /// Writes or reads an integer or its absence.
  mutating func number(_ number: inout Int?) throws
  /// Writes or reads a floating-point number, bit by bit.
  mutating func number(_ number: inout Double) throws
  /// Writes or reads a floating-point number or its absence.
  mutating func number(_ number: inout Double?) throws
  /// Writes or reads a Boolean value.
  mutating func flag(_ flag: inout Bool) throws

  /// Writes or reads the number of elements, and then each element.
  ///
  /// - Parameters:
  ///   - list: The elements.
  ///   - blank: An element whose values are replaced when one is read.
  ///   - element: A closure that writes or reads the values of an element, which take at least one byte.
  mutating func list<Element>(
    _ list: inout [Element], of blank: @autoclosure () throws -> Element,
    _ element: (inout Self, inout Element) throws -> Void
  ) throws
}

extension RecordCoder {
  /// Writes or reads a date exactly.
  @inlinable
  public mutating func date(_ date: inout Date) throws {
    var seconds = date.timeIntervalSinceReferenceDate
    try number(&seconds)
    if Self.isReading { date = Date(timeIntervalSinceReferenceDate: seconds) }
  }

  /// Writes or reads a date or its absence.
  @inlinable
  public mutating func date(_ date: inout Date?) throws {
    var seconds = date?.timeIntervalSinceReferenceDate
    try number(&seconds)
    if Self.isReading { date = seconds.map(Date.init(timeIntervalSinceReferenceDate:)) }
  }

  /// Writes or reads a coordinate.
  @inlinable
  public mutating func place(_ place: inout Coordinate) throws {
    var (latitude, longitude) = (place.latitude, place.longitude)
    try number(&latitude)
    try number(&longitude)
    if Self.isReading { place = try Coordinate(latitude: latitude, longitude: longitude) }
  }

  /// Writes or reads a coordinate or its absence.
  @inlinable
  public mutating func place(_ place: inout Coordinate?) throws {
    var isThere = place != nil
    try flag(&isThere)
    guard isThere else { return place = nil }
    var known = try place ?? Coordinate(latitude: 0, longitude: 0)
    try self.place(&known)
    if Self.isReading { place = known }
  }

  /// Writes or reads a value of a small set by its name, which is written once per batch.
  ///
  /// Reading a name that the type doesn't know throws ``FieldError/Code/damaged``.
  @inlinable
  public mutating func name<Value: RawRepresentable<String>>(_ value: inout Value) throws {
    var name = value.rawValue
    try sharedText(&name)
    if Self.isReading { value = try Self.value(named: name) }
  }

  /// Writes or reads a value of a small set by its name, which is written once per batch, or its absence.
  @inlinable
  public mutating func name<Value: RawRepresentable<String>>(_ value: inout Value?) throws {
    var name = value?.rawValue
    try sharedText(&name)
    if Self.isReading { value = try name.map(Self.value(named:)) }
  }

  @inlinable
  static func value<Value: RawRepresentable<String>>(named name: String) throws -> Value {
    guard let value = Value(rawValue: name) else {
      throw FieldError(.damaged, "A stored \(Value.self) has the unknown name \(name).")
    }
    return value
  }
}

extension RecordWriter: RecordCoder {
  /// A Boolean value that indicates whether values are replaced, which is `false`.
  public static var isReading: Bool { false }

  /// Writes the text.
  @inlinable
  public mutating func text(_ text: inout String) { write(text) }

  /// Writes the text or its absence.
  @inlinable
  public mutating func text(_ text: inout String?) { write(text) }

  /// Writes the number of the text.
  public mutating func sharedText(_ text: inout String) { write(interned: text) }

  /// Writes the number of the text or its absence.
  public mutating func sharedText(_ text: inout String?) { write(interned: text) }

  /// Writes the number.
  @inlinable
  public mutating func number(_ number: inout Int) { write(number) }

  /// Writes the number or its absence.
  @inlinable
  public mutating func number(_ number: inout Int?) { write(number) }

  /// Writes the number.
  @inlinable
  public mutating func number(_ number: inout Double) { write(number) }

  /// Writes the number or its absence.
  @inlinable
  public mutating func number(_ number: inout Double?) { write(number) }

  /// Writes the Boolean value.
  @inlinable
  public mutating func flag(_ flag: inout Bool) { write(flag) }

  /// Writes the number of elements and their values.
  @inlinable
  public mutating func list<Element>(
    _ list: inout [Element], of blank: @autoclosure () throws -> Element,
    _ element: (inout Self, inout Element) throws -> Void
  ) throws {
    write(UInt64(list.count))
    for var value in list { try element(&self, &value) }
  }
}

extension RecordReader: RecordCoder {
  /// A Boolean value that indicates whether values are replaced, which is `true`.
  public static var isReading: Bool { true }

  /// Reads a text.
  @inlinable
  public mutating func text(_ text: inout String) throws {
    if isChecking { try skipString() } else { text = try string() }
  }

  /// Reads a text or its absence.
  @inlinable
  public mutating func text(_ text: inout String?) throws {
    if isChecking { try optional { try $0.skipString() } } else { text = try optionalString() }
  }

  /// Reads a shared text.
  @inlinable
  public mutating func sharedText(_ text: inout String) throws { text = try internedString() }

  /// Reads a shared text or its absence.
  @inlinable
  public mutating func sharedText(_ text: inout String?) throws {
    text = try optionalInternedString()
  }

  /// Reads an integer.
  @inlinable
  public mutating func number(_ number: inout Int) throws { number = try int() }

  /// Reads an integer or its absence.
  @inlinable
  public mutating func number(_ number: inout Int?) throws { number = try optionalInt() }

  /// Reads a floating-point number.
  @inlinable
  public mutating func number(_ number: inout Double) throws { number = try double() }

  /// Reads a floating-point number or its absence.
  @inlinable
  public mutating func number(_ number: inout Double?) throws { number = try optionalDouble() }

  /// Reads a Boolean value.
  @inlinable
  public mutating func flag(_ flag: inout Bool) throws { flag = try bool() }

  /// Reads the number of elements and their values.
  @inlinable
  public mutating func list<Element>(
    _ list: inout [Element], of blank: @autoclosure () throws -> Element,
    _ element: (inout Self, inout Element) throws -> Void
  ) throws {
    list = try array { reader in
      var value = try blank()
      try element(&reader, &value)
      return value
    }
  }
}
