internal import FieldFoundation

/// A value without parts, of a type that the default coding knows.
struct PlainValue {
  var kind: RecordShape.Kind
  var bits: (low: UInt64, high: UInt64) = (0, 0)
  /// The text of a text or of a decimal number.
  var text = ""

  private init(_ kind: RecordShape.Kind, _ bits: UInt64) {
    self.kind = kind
    self.bits.low = bits
  }

  private init(_ kind: RecordShape.Kind, long bits: UInt128) {
    self.kind = kind
    self.bits = (UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits >> 64))
  }

  private init(_ kind: RecordShape.Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  private init(_ number: some SignedInteger) { self.init(.int, UInt64(bitPattern: Int64(number))) }

  private init(_ number: some UnsignedInteger) { self.init(.uint, UInt64(number)) }

  static var null: PlainValue { PlainValue(.null, 0) }
  static var absent: PlainValue { PlainValue(.absent, 0) }
  /// What will be a container or a value.
  static var nothing: PlainValue { PlainValue(.unknown, 0) }

  /// Returns bytes, which are kept elsewhere under a number.
  static func bytes(_ number: UInt64) -> PlainValue { PlainValue(.bytes, number) }

  /// Creates a value of one of the types that encoders know.
  ///
  /// The comparisons are resolved when the function is compiled for one of these types.
  @inline(__always)
  init?<Value>(_ value: Value) {
    if Value.self == String.self, let value = value as? String {
      self.init(.text, value)
    } else if Value.self == Double.self, let value = value as? Double {
      self.init(.double, value.bitPattern)
    } else if Value.self == Int.self, let value = value as? Int {
      self.init(value)
    } else if Value.self == Bool.self, let value = value as? Bool {
      self.init(.bool, value ? 1 : 0)
    } else if Value.self == Float.self, let value = value as? Float {
      self.init(.float, UInt64(value.bitPattern))
    } else if Value.self == Int8.self, let value = value as? Int8 {
      self.init(value)
    } else if Value.self == Int16.self, let value = value as? Int16 {
      self.init(value)
    } else if Value.self == Int32.self, let value = value as? Int32 {
      self.init(value)
    } else if Value.self == Int64.self, let value = value as? Int64 {
      self.init(value)
    } else if Value.self == UInt.self, let value = value as? UInt {
      self.init(value)
    } else if Value.self == UInt8.self, let value = value as? UInt8 {
      self.init(value)
    } else if Value.self == UInt16.self, let value = value as? UInt16 {
      self.init(value)
    } else if Value.self == UInt32.self, let value = value as? UInt32 {
      self.init(value)
    } else if Value.self == UInt64.self, let value = value as? UInt64 {
      self.init(value)
    } else if Value.self == Int128.self, let value = value as? Int128 {
      self.init(.int128, long: UInt128(bitPattern: value))
    } else if Value.self == UInt128.self, let value = value as? UInt128 {
      self.init(.uint128, long: value)
    } else {
      self.init(ofFoundation: value)
    }
  }

  /// Creates a value of a type for which an encoder has a form that differs from the value's own.
  private init?<Value>(ofFoundation value: Value) {
    if Value.self == Date.self, let value = value as? Date {
      self.init(.double, value.timeIntervalSinceReferenceDate.bitPattern)
    } else if Value.self == UUID.self, let value = value as? UUID {
      self.init(.uuid, long: value.number)
    } else if Value.self == URL.self, let value = value as? URL {
      self.init(.text, value.absoluteString)
    } else if Value.self == Decimal.self, let value = value as? Decimal {
      self.init(.decimal, value.description)
    } else {
      return nil
    }
  }

  /// Returns whether two values that are nothing but a number or a text are the same, bit by bit.
  func isSame(as other: PlainValue) -> Bool {
    guard kind == other.kind else { return false }
    switch kind {
    case .text, .decimal: return text.hasBytes(of: other.text)
    case .bool, .int, .uint, .double, .float, .uuid, .int128, .uint128: return bits == other.bits
    default: return false
    }
  }
}

extension String {
  /// Returns whether two texts have the same bytes, and aren't only canonically equivalent.
  func hasBytes(of other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return withUTF8Span { one in
      other.withUTF8Span { other in one.indices.allSatisfy { one[$0] == other[$0] } }
    }
  }
}

extension UUID {
  /// The 16 bytes as a number whose first byte is the lowest.
  var number: UInt128 { UInt128(littleEndian: unsafe unsafeBitCast(uuid, to: UInt128.self)) }

  init(number: UInt128) {
    self.init(uuid: unsafe unsafeBitCast(number.littleEndian, to: uuid_t.self))
  }
}

extension RecordShape.Kind {
  /// Returns the kind of the values of a type, as far as it doesn't depend on the value.
  @inline(__always)
  static func ofValues<Value>(_ type: Value.Type) -> Self {
    if type == String.self { return .text }
    if type == Double.self { return .double }
    if type == Int.self || type == Int64.self || type == Int32.self || type == Int16.self
      || type == Int8.self
    {
      return .int
    }
    if type == Bool.self { return .bool }
    if type == UInt.self || type == UInt64.self || type == UInt32.self || type == UInt16.self
      || type == UInt8.self
    {
      return .uint
    }
    if type == Float.self { return .float }
    if type == Int128.self { return .int128 }
    return type == UInt128.self ? .uint128 : ofFoundationValues(type)
  }

  private static func ofFoundationValues<Value>(_ type: Value.Type) -> Self {
    if type == Date.self { return .double }
    if type == UUID.self { return .uuid }
    if type == URL.self { return .text }
    if type == Data.self { return .bytes }
    return type == Decimal.self ? .decimal : .unknown
  }
}
