internal import FieldFoundation

/// A reader of the arrays in a section of a derived file.
///
/// The arrays have the form that they have in the memory of this program, whose identity is part of the section's owner.
package struct SectionReader: Sendable {
  private(set) var bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var remainingCount: Int { bytes.count - position }

  /// Reads a number that counts elements of at least one byte.
  mutating func count() -> Int? {
    guard remainingCount >= 8, let count = Int(exactly: bytes.fixed(at: position) as UInt64),
      count <= remainingCount - 8
    else { return nil }
    position += 8
    return count
  }

  /// Skips an array of numbers, and returns the range of its bytes.
  mutating func range<Number: BitwiseCopyable>(of type: Number.Type) -> Range<Int>? {
    guard let count = count(), count <= remainingCount / MemoryLayout<Number>.stride else {
      return nil
    }
    let start = position
    position += count * MemoryLayout<Number>.stride
    return start..<position
  }

  /// Returns a part of the bytes in the memory of all of them, after which there is nothing left to read.
  mutating func takeBytes(in range: Range<Int>) -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    position = 0
    taken.removeSubrange(range.upperBound...)
    taken.removeSubrange(..<range.lowerBound)
    return taken
  }

  /// Reads an array of numbers.
  mutating func numbers<Number: BitwiseCopyable>(_ type: Number.Type) -> [Number]? {
    guard let part = range(of: type) else { return nil }
    let count = part.count / MemoryLayout<Number>.stride
    return unsafe [Number](unsafeUninitializedCapacity: count) { buffer, initialized in
      unsafe bytes.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[part]))
      }
      initialized = count
    }
  }

  /// Reads an array of values, if the type has a stored form.
  mutating func values<Value>(_ type: Value.Type) -> [Value]? {
    if let column = type as? any ColumnValue.Type { return columns(column, as: type) }
    if let raw = type as? any RawRepresentable.Type { return rawValues(raw, as: type) }
    return nil
  }

  private mutating func columns<Column: ColumnValue, Value>(
    _ column: Column.Type, as type: Value.Type
  ) -> [Value]? {
    Column.read(from: &self).flatMap { same($0, as: type) }
  }

  private mutating func rawValues<Raw: RawRepresentable, Value>(
    _ raw: Raw.Type, as type: Value.Type
  ) -> [Value]? {
    guard let stored = values(Raw.RawValue.self) else { return nil }
    let found = stored.compactMap(Raw.init(rawValue:))
    return found.count == stored.count ? same(found, as: type) : nil
  }
}

/// Returns an array as one of its own type, in a context that doesn't know it.
///
/// A cast from one type of array to another would go through the elements.
private func same<Known, Value>(_ values: [Known], as type: Value.Type) -> [Value]? {
  let erased: Any = values
  return erased as? [Value]
}

extension [UInt8] {
  /// Appends an array of numbers.
  mutating func append<Number: BitwiseCopyable>(numbers: [Number]) {
    append(fixed: UInt64(numbers.count))
    unsafe numbers.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// Appends an array of values, or returns `false` if the type has no stored form that gives the same values.
  mutating func append<Value: Hashable>(values: [Value]) -> Bool {
    if let column = Value.self as? any ColumnValue.Type { return append(values, as: column) }
    guard let raw = Value.self as? any RawRepresentable.Type else { return false }
    return append(values, raw: raw)
  }

  private mutating func append<Value, Column: ColumnValue>(
    _ values: [Value], as column: Column.Type
  ) -> Bool {
    guard let values = same(values, as: column) else { return false }
    return Column.append(values, to: &self)
  }

  private mutating func append<Value: Hashable, Raw: RawRepresentable>(
    _ values: [Value], raw: Raw.Type
  ) -> Bool {
    guard let raws = same(values, as: raw), let type = Raw.RawValue.self as? any ColumnValue.Type
    else { return false }
    let stored = raws.map(\.rawValue)
    guard same(stored.compactMap(Raw.init(rawValue:)), as: Value.self) == values else {
      return false
    }
    return append(stored, as: type)
  }
}

/// A type whose arrays have a form in sections of derived files.
protocol ColumnValue {
  /// Appends an array, or returns `false` if it has no stored form.
  static func append(_ values: [Self], to bytes: inout [UInt8]) -> Bool

  /// Reads an array, or returns `nil` if it is damaged.
  static func read(from reader: inout SectionReader) -> [Self]?
}

/// A number whose every pattern of bits is valid.
protocol ColumnNumber: ColumnValue, BitwiseCopyable {}

extension ColumnNumber {
  static func append(_ values: [Self], to bytes: inout [UInt8]) -> Bool {
    bytes.append(numbers: values)
    return true
  }

  static func read(from reader: inout SectionReader) -> [Self]? { reader.numbers(Self.self) }
}

extension Int: ColumnNumber {}
extension Int8: ColumnNumber {}
extension Int16: ColumnNumber {}
extension Int32: ColumnNumber {}
extension Int64: ColumnNumber {}
extension UInt: ColumnNumber {}
extension UInt8: ColumnNumber {}
extension UInt16: ColumnNumber {}
extension UInt32: ColumnNumber {}
extension UInt64: ColumnNumber {}
extension Float: ColumnNumber {}
extension Double: ColumnNumber {}

extension Bool: ColumnValue {
  static func append(_ values: [Bool], to bytes: inout [UInt8]) -> Bool {
    bytes.append(numbers: values.map { $0 ? 1 as UInt8 : 0 })
    return true
  }

  static func read(from reader: inout SectionReader) -> [Bool]? {
    reader.numbers(UInt8.self).map { $0.map { $0 != 0 } }
  }
}

extension Never: ColumnValue {
  static func append(_ values: [Never], to bytes: inout [UInt8]) -> Bool {
    bytes.append(fixed: UInt64(values.count))
    return true
  }

  static func read(from reader: inout SectionReader) -> [Never]? { reader.count() == 0 ? [] : nil }
}

extension Date: ColumnValue {
  static func append(_ values: [Date], to bytes: inout [UInt8]) -> Bool {
    bytes.append(numbers: values.map(\.timeIntervalSinceReferenceDate))
    return true
  }

  static func read(from reader: inout SectionReader) -> [Date]? {
    reader.numbers(Double.self).map { $0.map(Date.init(timeIntervalSinceReferenceDate:)) }
  }
}

extension String: ColumnValue {
  static func append(_ values: [String], to bytes: inout [UInt8]) -> Bool {
    let sizes = values.map { $0.utf8.count }
    guard sizes.allSatisfy({ $0 <= Int32.max }) else { return false }
    bytes.append(numbers: sizes.map { Int32($0) })
    bytes.append(fixed: UInt64(sizes.reduce(0, +)))
    for value in values { bytes += value.utf8 }
    return true
  }

  static func read(from reader: inout SectionReader) -> [String]? {
    guard let sizes = reader.numbers(Int32.self), let total = reader.count() else { return nil }
    var place = reader.position
    let end = place + total
    reader.position = end
    var values: [String] = []
    values.reserveCapacity(sizes.count)
    for size in sizes {
      guard size >= 0, Int(size) <= end - place else { return nil }
      values.append(String(decoding: reader.bytes[place..<place + Int(size)], as: UTF8.self))
      place += Int(size)
    }
    return place == end ? values : nil
  }
}

extension Optional: ColumnValue {
  static func append(_ values: [Wrapped?], to bytes: inout [UInt8]) -> Bool {
    bytes.append(numbers: values.map { $0 == nil ? 0 as UInt8 : 1 })
    let present = values.compactMap { $0 }
    guard let type = Wrapped.self as? any Hashable.Type else { return false }
    return bytes.append(present, hashable: type)
  }

  static func read(from reader: inout SectionReader) -> [Wrapped?]? {
    guard let flags = reader.numbers(UInt8.self), let present = reader.values(Wrapped.self) else {
      return nil
    }
    var rest = present[...]
    var values: [Wrapped?] = []
    values.reserveCapacity(flags.count)
    for flag in flags {
      guard flag != 0 else {
        values.append(nil)
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      values.append(value)
    }
    return rest.isEmpty ? values : nil
  }
}

extension [UInt8] {
  fileprivate mutating func append<Value: Hashable>(
    _ values: [some Any], hashable: Value.Type
  ) -> Bool {
    same(values, as: hashable).map { append(values: $0) } ?? false
  }
}
