import FieldCore
import Foundation
import TestSupport
import Testing

@Suite("The default coding of records")
struct ShapedCodingTests {
  private typealias Record = CodingSamples.Record

  // MARK: Round trips

  @Test("the default coding keeps values of every kind of type, as JSON does")
  func roundTrips() throws {
    for value in CodingSamples.all { try Self.expectRoundTrip(value) }
  }

  private static func expectRoundTrip<Value: CodingSamples.Value>(_ value: Value) throws {
    let records = (0..<3).map { Record(id: $0, content: value) }
    let stored = try StoredForms(records)
    #expect(stored.shapes.count == 1, "\(Value.self)")
    for (number, record) in records.enumerated() {
      #expect(stored.forms[number].first == RecordShape.marker, "\(Value.self)")
      #expect(try stored.decode(number, as: Record<Value>.self) == record, "\(Value.self)")
      var reader = stored.reader(number)
      #expect(try reader.decodeShapedID(Int.self) == number, "\(Value.self)")
      #expect(reader.remainingCount == 0, "\(Value.self)")
    }
  }

  @Test("the default coding reads a value as another type exactly if a decoder of JSON does")
  func otherTypes() throws {
    let values = CodingSamples.all.filter { "\($0)".utf8.count < 1_000 }
    let types = Dictionary(values.map { ("\(type(of: $0))", $0) }) { first, _ in first }
    for value in values {
      // The order of a dictionary's keys is the content of the one, and JSON rounds large numbers in the other.
      for (name, other) in types where !["Wandering", "UInt128", "Int128"].contains(name) {
        try Self.expectSame(value, as: other)
      }
    }
  }

  private static func expectSame<Value: CodingSamples.Value, Other: CodingSamples.Value>(
    _ value: Value, as other: Other
  ) throws {
    let record = Record(content: value)
    let json = try StoredJSON.encode(record)
    let expected = try? StoredJSON.decode(Record<Other>.self, from: json[...])
    let found = try? StoredForms([record]).decode(0, as: Record<Other>.self)
    #expect(found == expected, "\(value) as \(Other.self)")
  }

  @Test("the default coding keeps every bit of numbers")
  func bits() throws {
    let patterns: [UInt64] = [
      0, 1 << 63, 0x7FF0_0000_0000_0000, 0xFFF0_0000_0000_0000, 0x7FF8_0000_0000_1234,
      0xFFF4_0000_0000_0001, 1, 0x3FB9_9999_9999_999A,
    ]
    let records = patterns.map {
      Bits(id: Double(bitPattern: $0), float: Float(bitPattern: UInt32($0 >> 32)))
    }
    let stored = try StoredForms(records)
    for (number, record) in records.enumerated() {
      var reader = stored.reader(number)
      let read = try Bits(reading: &reader)
      #expect(read.id.bitPattern == record.id.bitPattern)
      #expect(read.float.bitPattern == record.float.bitPattern)
    }
  }

  private struct Bits: StoredRecord {
    var id: Double
    var float: Float
  }

  @Test("the default coding keeps the bytes of texts that are canonically equivalent")
  func equivalentTexts() throws {
    let texts = (0..<300).map { $0.isMultiple(of: 2) ? "caf\u{E9}" : "cafe\u{301}" }
    let records = texts.map { Record(id: $0.utf8.count, content: $0) }
    let stored = try StoredForms(records)
    for (number, text) in texts.enumerated() {
      let read = try stored.decode(number, as: Record<String>.self)
      #expect(read.content.utf8.elementsEqual(text.utf8))
    }
  }

  // MARK: Shapes

  @Test("the default coding writes the shape of records once, whichever of their values are absent")
  func oneShape() throws {
    let records = (0..<100).map { number in
      Record(
        id: number,
        content: Pair(
          first: number.isMultiple(of: 2) ? number : nil,
          second: number.isMultiple(of: 3) ? "\(number)" : nil))
    }
    let stored = try StoredForms(records)
    #expect(stored.shapes == ["i{2:id=7:content{5:first(-i)6:second(-s)}}"])
    for number in records.indices {
      #expect(try stored.decode(number, as: Record<Pair>.self) == records[number])
    }
  }

  @Test("the default coding writes a text that repeats once")
  func repeatedTexts() throws {
    let long = String(repeating: "Northwest Africa ", count: 3)
    let records = (0..<200).map { Record(id: $0, content: ["\($0)", long]) }
    let stored = try StoredForms(records)
    #expect(stored.byteCount < 200 * 12 + 3 * long.utf8.count)
    #expect(try stored.decode(199, as: Record<[String]>.self) == records[199])
  }

  @Test("the default coding doesn't write an ID twice, unless the record's value differs from it")
  func idOnce() throws {
    let plain = try StoredForms([Record(id: 1_000_000, content: 1)])
    #expect(plain.shapes == ["i{2:id=7:contenti}"])
    let records = [Hidden(key: "a", number: 1), Hidden(key: "b", number: 2)]
    let stored = try StoredForms(records)
    #expect(stored.shapes == ["s{3:keys6:numberi}"])
    for number in 0..<2 {
      #expect(try stored.decode(number, as: Hidden.self) == records[number])
      var reader = stored.reader(number)
      #expect(try reader.decodeShapedID(String.self) == records[number].id)
    }
    // A value that equals the ID of the first record only.
    let others = [Hidden(key: "hidden a", number: 1), Hidden(key: "", number: 2)]
    let prefixed = try StoredForms(others)
    for number in 0..<2 {
      #expect(try prefixed.decode(number, as: Hidden.self) == others[number])
    }
  }

  private struct Hidden: StoredRecord {
    var key: String
    var number: Int
    var id: String { key.hasPrefix("hidden") ? key : "hidden \(key)" }
  }

  @Test("the default coding has a limited number of shapes, whatever records encode")
  func shapeLimit() throws {
    var chance = SeededGenerator(seed: Sample.seed())
    func json(_ depth: Int) -> AnyJSON {
      switch Int.random(in: 0..<(depth == 0 ? 4 : 6), using: &chance) {
      case 0: .null
      case 1: .flag(.random(using: &chance))
      case 2: .number(.random(in: -1...1, using: &chance))
      case 3: .text("\(Int.random(in: 0..<9, using: &chance))")
      case 4: .array((0..<Int.random(in: 0..<3, using: &chance)).map { _ in json(depth - 1) })
      default:
        .object(
          Dictionary(
            (0..<3).map { _ in ("\(Int.random(in: 0..<99, using: &chance))", json(depth - 1)) }
          ) {
            $1
          })
      }
    }
    let documents = (0..<500).map { Record(id: $0, content: json(4)) }
    let patches = (0..<500).map { number in
      let keys = ["a", "b", "c"].filter { _ in Bool.random(using: &chance) }
      return Record(
        id: number,
        content: Patch(values: Dictionary(uniqueKeysWithValues: keys.map { ($0, number) })))
    }
    let nests = (0..<500).map { number in
      let pairs = (0..<number % 3).map {
        Pair(first: $0, second: number.isMultiple(of: 2) ? "s" : nil)
      }
      return Record(
        id: number, content: Nest(pairs: pairs, byName: ["\(number)": Pair()], inner: Inner()))
    }
    try Self.expectRoundTrips(documents, most: 65)
    try Self.expectRoundTrips(patches, most: 16)
    try Self.expectRoundTrips(nests, most: 4)
  }

  private static func expectRoundTrips<Value: StoredRecord>(_ records: [Value], most: Int) throws {
    let stored = try StoredForms(records)
    #expect(stored.shapes.count <= most, "\(Value.self)")
    for number in records.indices {
      #expect(try stored.decode(number, as: Value.self) == records[number])
    }
  }

  @Test(
    "the default coding writes the same bytes for equal records, whatever order dictionaries have")
  func sameBytes() throws {
    let names = (0..<50).map { "key \($0)" }
    func record(_ names: [String]) -> Record<[String: Int]> {
      var content: [String: Int] = [:]
      for name in names { content[name] = name.utf8.count }
      return Record(content: content)
    }
    let one = try StoredForms([record(names)])
    let other = try StoredForms([record(names.reversed())])
    #expect(one.forms == other.forms && one.strings == other.strings)
  }

  @Test("the default coding writes records nested too deeply as JSON, which JSON's decoder reads")
  func depth() throws {
    // Each has two containers, an object and an array.
    for depth in [30, 60, 100, 200] {
      let chain = (0..<depth).reduce(Inner()) { inner, _ in Inner(inner: inner) }
      let record = Record(content: chain)
      let stored = try StoredForms([record])
      #expect(stored.forms[0].first == (depth >= 100 ? UInt8(ascii: "{") : RecordShape.marker))
      #expect(try stored.decode(0, as: Record<Inner>.self) == record)
    }
  }

  @Test("the default coding writes nothing of a record that can't be encoded")
  func unencodable() throws {
    var writer = RecordWriter()
    let error = #expect(throws: EncodingError.self) {
      try Record(content: Refusing()).write(to: &writer)
    }
    guard case .invalidValue(_, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["content", "inner", "Index 1"])
    #expect(writer.count == 0)
    try Record(content: 5).write(to: &writer)
    #expect(writer.count > 0)
  }

  private struct Refusing: Codable, Equatable {
    enum CodingKeys: CodingKey { case inner }

    init() {}

    init(from decoder: any Decoder) throws {}

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      var inner = values.nestedUnkeyedContainer(forKey: .inner)
      try inner.encode(1)
      let last = inner.superEncoder()
      throw EncodingError.invalidValue(
        self, .init(codingPath: last.codingPath, debugDescription: "refused"))
    }
  }

  // MARK: Errors

  @Test("the default coding says where a value is that can't be read")
  func errorPath() throws {
    let content = ["k": [Pair(first: 1, second: "x")]]
    let stored = try StoredForms([Record(content: content)])
    let error = #expect(throws: DecodingError.self) {
      try stored.decode(0, as: Record<[String: [Explicit]]>.self)
    }
    guard case .keyNotFound(let key, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(key.stringValue == "text")
    #expect(context.codingPath.map(\.stringValue) == ["content", "k", "Index 0"])
  }

  @Test("the default coding refuses every cut of a record")
  func cuts() throws {
    for value in CodingSamples.all { try Self.expectRefusedCuts(of: value) }
  }

  private static func expectRefusedCuts<Value: CodingSamples.Value>(of value: Value) throws {
    let stored = try StoredForms([Record(content: value)])
    let form = stored.forms[0]
    for end in Sample.of(0..<min(form.count, 500), 100) {
      var reader = stored.reader(of: Array(form[..<end]))
      #expect(throws: (any Error).self) { try Record<Value>(reading: &reader) }
    }
  }

  @Test("the default coding yields a record or an error for any bytes, and never ends the process")
  func mutations() throws {
    var chance = SeededGenerator(seed: Sample.seed())
    let values = CodingSamples.all.filter { "\($0)".utf8.count < 1_000 }
    for value in values { try Self.expectNoTrap(value, &chance) }
  }

  private static func expectNoTrap<Value: CodingSamples.Value>(
    _ value: Value, _ chance: inout SeededGenerator
  ) throws {
    let record = Record(content: value)
    let stored = try StoredForms([record, record])
    for _ in 0..<Sample.rounds(2_000, 60, inDebug: 30) {
      var damaged = stored
      if Bool.random(using: &chance) {
        damaged.forms[0].mutate(using: &chance)
      } else {
        var text = Array(stored.strings[0].utf8)
        text.mutate(using: &chance)
        damaged.strings[0] = String(decoding: text, as: UTF8.self)
      }
      var reader = damaged.reader(0)
      _ = try? Record<Value>(reading: &reader)
      #expect(reader.position <= reader.end)
      var checking = damaged.reader(0)
      _ = try? checking.decodeShapedID(Int.self)
      var exported = damaged.reader(0)
      _ = try? exported.decode(ShapedJSON.self)
    }
  }

  @Test(
    "the default coding refuses shapes that no writer produces",
    arguments: [
      "", "i", "=i", "ii i", "i{", "i{2:id}", "i{2:idi", "i{9:idi}", "i{99999999999999999999:idi}",
      "i[n]", "i[{}]", "i[(]", "i()", "i((id))", "i<>", "i[id]", "iz", "i[-]", "i[{1:a=}]x",
      "i" + String(repeating: "[", count: 200_000), "i" + String(repeating: "(d", count: 90),
    ])
  func badShapes(text: String) {
    #expect(throws: FieldError.self) { try RecordShape(text) }
  }

  @Test(
    "the default coding refuses lengths and depths that no record has, without taking the memory")
  func hostile() throws {
    let many: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
    let nested = Array(repeatElement([12, 1] as [UInt8], count: 100_000).joined())
    let forms: [(shape: String, bytes: [UInt8])] = [
      ("i[i]", many), ("i[*]", many), ("i<i>", many), ("is", many), ("ix", many), ("i*", nested),
      ("i*", [12] + many), ("i(id)", [2]), ("i*", [99]), ("i_", []), ("i[_]", [1, 1]),
    ]
    for (shape, bytes) in forms {
      var reader = RecordReader([1, 0, 2] + bytes, 0..<bytes.count + 3, strings: [shape])
      let same = reader
      #expect(throws: (any Error).self) { try reader.decode([[Int]].self) }
      reader = same
      #expect(throws: FieldError.self) { try reader.decodeShapedID(Int.self) }
      reader = same
      #expect(throws: (any Error).self) { try reader.decode(AnyJSON.self) }
    }
  }
}
