import FieldCore
import Foundation

/// Values of all kinds of `Codable` types, for the coding of records.
enum CodingSamples {
  typealias Value = Codable & Equatable & Sendable

  /// A record around any value.
  struct Record<Content: Value>: StoredRecord {
    var id = 7
    var content: Content
  }

  static var all: [any Value] { numbers + texts + foundation + containers + enumerations + byHand }

  private static let numbers: [any Value] = [
    true, false, 0, 1, -1, Int.max, Int.min, 300, Int8.min, Int16.max, Int32.min, Int64.max,
    UInt.max,
    UInt8.max, UInt16.max, UInt32.max, UInt64.max, UInt64(5), Int128.max, Int128.min, UInt128.max,
    Int128(5), Double.pi, -0.0, 5.0, 1e300, 0.1, Double.leastNonzeroMagnitude, Float.pi, Float(0.1),
    Float(5), Float.greatestFiniteMagnitude, 9_007_199_254_740_993,
  ]

  private static let texts: [any Value] = [
    "", "a", "石虎", "e\u{301}", "é", "\u{0}\"\\\n", "🐆👩‍👩‍👧", String(repeating: "x", count: 70_000),
    "2026-11-28", "aGk=", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "https://a.example/b?c=d#e", "5",
    Substance(rawValue: "iron"),
  ]

  private static let foundation: [any Value] = [
    Date(timeIntervalSinceReferenceDate: 817_340_400.123_456_7), Date.distantPast, Data(),
    Data([0, 1, 255]), URL(filePath: "/tmp/a b"),
    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)),
    Decimal(string: "-1234567890.0123456789") ?? 0, Decimal(5), Decimal(0),
    Decimal(sign: .plus, exponent: 100, significand: 7), [Date.distantFuture],
    URL(string: "https://a.example/%E7%9F%B3?q=1") ?? URL(filePath: "/"), ["k": Data([1])],
  ]

  private static let containers: [any Value] = [
    [1, 2, 3], [Int](), [[1], [], [2, 3]], ["a", "b", "a"], [true], [1.5, -0.0],
    [Int?.some(1), nil],
    [String?.none, nil], [[Int?]](), [[String: Int]](), Optional(3), Int?.none, Int??.some(3),
    ["a": 1, "b": 2], [String: Int](), ["b": [1], "a": []], [1: "one", 20: "two"],
    [1.5: "x", 2.5: "y"], [Suit.hearts: 1, .spades: 2], ["a": Int?.none, "b": 5], Set([3, 1, 2]),
    ["outer": ["inner": [1: [true]]]], Nothing(), [Nothing(), Nothing()], ["k": Nothing()],
    Pair(first: 1, second: "x"), Pair(first: nil, second: nil),
    [Pair(first: 1, second: nil), Pair()],
    Nest(),
    Nest(pairs: [Pair(first: 1)], byName: ["p": Pair(second: "q")], inner: Inner(inner: Inner())),
    0..<5, 1...3, ClosedRange<Double>.example, CollectionOfOne.example, BinaryTree.example,
    Matrix.example,
    Wide.example, Wide(), [Wide(), Wide.example],
  ]

  private static let enumerations: [any Value] = [
    Suit.hearts, [Suit.spades, .hearts], Shape.circle(radius: 2), Shape.square(side: 3, name: nil),
    Shape.square(side: 3, name: "s"), Shape.empty, Shape.unnamed(1, "x"),
    Shape.group([.empty, .circle(radius: 1)]),
    [Shape.circle(radius: 1), .empty, .square(side: 1, name: nil), .circle(radius: 2)],
    ["a": Shape.empty, "b": .unnamed(2, "y")], Level.low, [Level.high: 1],
  ]

  private static let byHand: [any Value] = [
    Derived(base: 1, own: "o"), Late(numbers: [1, 2], name: "n"),
    Mixed(number: 1, text: "t", flag: true),
    Wrapped(value: Wrapped<Int>(value: 3)), Explicit(text: nil), Explicit(text: "x"),
    Patch(values: [:]),
    Patch(values: ["b": 1]), Patch(values: ["a": 1, "c": 2]), AnyJSON.example, AnyJSON.null,
    [AnyJSON.number(1), .text("x"), .null], Twice(value: 4), Wandering(values: [3, 1, 2]),
    NilInArray(values: [nil, 1, nil]), Positional(x: 1, y: "2", z: nil),
  ]
}

struct Substance: RawRepresentable, Codable, Equatable {
  var rawValue: String
}

struct Nothing: Codable, Equatable {}

struct Pair: Codable, Equatable {
  var first: Int?
  var second: String?
}

struct Inner: Codable, Equatable, Sendable {
  /// A property that contains its own type needs an indirection.
  private var inners: [Inner] = []

  init(inner: Inner? = nil) { inners = inner.map { [$0] } ?? [] }
}

struct Nest: Codable, Equatable {
  var pairs: [Pair] = []
  var pair: Pair?
  var byName: [String: Pair] = [:]
  var inner: Inner?
}

/// Every type that encoders know, present and absent.
struct Wide: Codable, Equatable {
  var bool: Bool?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var int128: Int128?
  var uint: UInt?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var uint64: UInt64?
  var uint128: UInt128?
  var float: Float?
  var double: Double?
  var text: String?
  var date: Date?
  var data: Data?
  var url: URL?
  var uuid: UUID?
  var decimal: Decimal?
  var numbers: [Int]?

  static let example = Wide(
    bool: true, int8: -1, int16: -2, int32: -3, int64: -4, int128: -5, uint: 1, uint8: 2, uint16: 3,
    uint32: 4, uint64: 5, uint128: 6, float: 0.5, double: 0.25, text: "t", date: .distantPast,
    data: Data([7]), url: URL(filePath: "/u"),
    uuid: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)),
    decimal: 8, numbers: [9])
}

indirect enum BinaryTree: Codable, Equatable, Sendable {
  case leaf
  case node(BinaryTree, Int, BinaryTree)

  static let example: BinaryTree = (0..<6).reduce(.leaf) { tree, number in
    .node(tree, number, .node(.leaf, -number, .leaf))
  }
}

struct Matrix: Codable, Equatable {
  var rows: [[Double]]

  static let example = Matrix(rows: (0..<5).map { row in (0..<row).map { Double(row * $0) } })
}

extension ClosedRange<Double> {
  static var example: Self { -1.5...2.5 }
}

enum CollectionOfOne {
  static var example: [[[String]]] { [[["deep"]]] }
}

enum Suit: String, Codable, CodingKeyRepresentable {
  case hearts, spades
}

enum Level: Int, Codable {
  case low = -1
  case high = 5
}

enum Shape: Codable, Equatable, Sendable {
  case circle(radius: Double)
  case square(side: Int, name: String?)
  case unnamed(Int, String)
  case group([Shape])
  case empty
}

/// A class and its superclass, which encode into the same object and into a nested one.
private class Base: Codable {
  var base: Int

  init(base: Int) { self.base = base }
}

private final class Extended: Base {
  var own: String

  enum CodingKeys: String, CodingKey { case own, alsoBase }

  init(base: Int, own: String) {
    self.own = own
    super.init(base: base)
  }

  required init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    own = try values.decode(String.self, forKey: .own)
    _ = try Base(from: values.superDecoder(forKey: .alsoBase))
    _ = try Base(from: values.superDecoder())
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(own, forKey: .own)
    try super.encode(to: encoder)
    try super.encode(to: values.superEncoder())
    try super.encode(to: values.superEncoder(forKey: .alsoBase))
  }
}

struct Derived: Codable, Equatable {
  var base: Int
  var own: String

  init(base: Int, own: String) { (self.base, self.own) = (base, own) }

  init(from decoder: any Decoder) throws {
    let object = try Extended(from: decoder)
    (base, own) = (object.base, object.own)
  }

  func encode(to encoder: any Encoder) throws {
    try Extended(base: base, own: own).encode(to: encoder)
  }
}

/// Containers that are opened in one order and filled in another, and one that is opened twice.
struct Late: Codable, Equatable {
  var numbers: [Int]
  var name: String

  enum CodingKeys: String, CodingKey { case numbers, names, name, again }

  init(numbers: [Int], name: String) { (self.numbers, self.name) = (numbers, name) }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let names = try values.nestedContainer(keyedBy: CodingKeys.self, forKey: .names)
    name = try names.decode(String.self, forKey: .name)
    var array = try values.nestedUnkeyedContainer(forKey: .numbers)
    numbers = []
    while !array.isAtEnd { numbers.append(try array.decode(Int.self)) }
    guard try names.decode(Int.self, forKey: .again) == numbers.count, array.count == numbers.count
    else {
      throw DecodingError.dataCorruptedError(forKey: .again, in: names, debugDescription: "count")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    var array = values.nestedUnkeyedContainer(forKey: .numbers)
    var names = values.nestedContainer(keyedBy: CodingKeys.self, forKey: .names)
    for (place, number) in numbers.enumerated() {
      try array.encode(number)
      if place == 0 { try names.encode(name, forKey: .name) }
    }
    if numbers.isEmpty { try names.encode(name, forKey: .name) }
    var again = values.nestedContainer(keyedBy: CodingKeys.self, forKey: .names)
    try again.encode(array.count, forKey: .again)
  }
}

/// An array with values of several types.
struct Mixed: Codable, Equatable {
  var number: Int
  var text: String
  var flag: Bool

  init(number: Int, text: String, flag: Bool) {
    (self.number, self.text, self.flag) = (number, text, flag)
  }

  init(from decoder: any Decoder) throws {
    var values = try decoder.unkeyedContainer()
    number = try values.decode(Int.self)
    text = try values.decode(String.self)
    flag = try values.decode(Bool.self)
    var inner = try values.nestedUnkeyedContainer()
    guard try inner.decodeNil(), try inner.decode(Int.self) == number, inner.isAtEnd else {
      throw DecodingError.dataCorruptedError(in: inner, debugDescription: "inner")
    }
    let keyed = try values.nestedContainer(keyedBy: Late.CodingKeys.self)
    guard try keyed.decode(String.self, forKey: .name) == text else {
      throw DecodingError.dataCorruptedError(in: values, debugDescription: "keyed")
    }
    guard try Int(from: values.superDecoder()) == number, values.isAtEnd else {
      throw DecodingError.dataCorruptedError(in: values, debugDescription: "super")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.unkeyedContainer()
    try values.encode(number)
    try values.encode(text)
    try values.encode(flag)
    var inner = values.nestedUnkeyedContainer()
    try inner.encodeNil()
    try inner.encode(number)
    var keyed = values.nestedContainer(keyedBy: Late.CodingKeys.self)
    try keyed.encode(text, forKey: .name)
    try number.encode(to: values.superEncoder())
  }
}

/// A value that is encoded as what it contains.
struct Wrapped<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  var value: Value

  init(value: Value) { self.value = value }

  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Value.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// A value for whose absence null is encoded, and which must not be missing.
struct Explicit: Codable, Equatable {
  var text: String?

  enum CodingKeys: CodingKey { case text }

  init(text: String?) { self.text = text }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    text = try values.decodeNil(forKey: .text) ? nil : values.decode(String.self, forKey: .text)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    if let text {
      try values.encode(text, forKey: .text)
    } else {
      try values.encodeNil(forKey: .text)
    }
  }
}

/// Keys of an enumeration of which each value encodes others.
struct Patch: Codable, Equatable {
  var values: [String: Int]

  enum CodingKeys: String, CodingKey, CaseIterable { case a, b, c }

  init(values: [String: Int]) { self.values = values }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    values = [:]
    for key in container.allKeys {
      values[key.rawValue] = try container.decode(Int.self, forKey: key)
    }
    guard CodingKeys.allCases.allSatisfy({ container.contains($0) == (values[$0.rawValue] != nil) })
    else { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "keys")) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    for key in CodingKeys.allCases {
      if let value = values[key.rawValue] { try container.encode(value, forKey: key) }
    }
  }
}

/// Any JSON, by trying one type after another.
indirect enum AnyJSON: Codable, Equatable, Sendable {
  case null, flag(Bool), number(Double), text(String), array([AnyJSON]), object([String: AnyJSON])

  static let example = AnyJSON.object([
    "a": .array([.null, .flag(true), .number(1.5), .text("x"), .array([]), .object([:])]),
    "b": .object(["c": .null, "d": .number(2)]),
  ])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let array = try? value.decode([AnyJSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: AnyJSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .flag(let flag): try value.encode(flag)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .array(let array): try value.encode(array)
    case .object(let object): try value.encode(object)
    }
  }
}

/// A value that encodes a key twice, of which the last one counts.
struct Twice: Codable, Equatable {
  var value: Int

  enum CodingKeys: CodingKey { case value }

  init(value: Int) { self.value = value }

  init(from decoder: any Decoder) throws {
    value = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .value)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode("not yet", forKey: .value)
    try values.encode(value, forKey: .value)
  }
}

/// Keys that are made from numbers.
struct Wandering: Codable, Equatable {
  var values: [Int]

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { Int(stringValue.dropFirst()) }
    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { stringValue = "v\(intValue)" }
  }

  init(values: [Int]) { self.values = values }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    values = try container.allKeys.sorted { ($0.intValue ?? 0) < ($1.intValue ?? 0) }.map {
      try container.decode(Int.self, forKey: $0)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (place, value) in values.enumerated() {
      try container.encode(value, forKey: Key(intValue: place))
    }
  }
}

/// An array in which nothing is encoded as null.
struct NilInArray: Codable, Equatable {
  var values: [Int?]

  init(values: [Int?]) { self.values = values }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    values = []
    while !container.isAtEnd {
      values.append(try container.decodeIfPresent(Int.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for value in values {
      if let value { try container.encode(value) } else { try container.encodeNil() }
    }
  }
}

/// Values without keys of which the last may be missing.
struct Positional: Codable, Equatable {
  var x: Int
  var y: String
  var z: Double?

  init(x: Int, y: String, z: Double?) { (self.x, self.y, self.z) = (x, y, z) }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    x = try container.decode(Int.self)
    y = try container.decode(String.self)
    z = container.isAtEnd ? nil : try container.decode(Double.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(x)
    try container.encode(y)
    if let z { try container.encode(z) }
  }
}
