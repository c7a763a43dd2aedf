@testable internal import FieldCore
internal import Foundation

extension Target {
  static let coding: [Target] = [shapedRecords]

  /// The text of a shape, preceded by its length in one byte, and a record in that shape.
  private static let shapedRecords = Target("shaped-records", seeds: shapedSeeds) { bytes in
    guard let length = bytes.first.map(Int.init), bytes.count > length else { return }
    let shape = String(decoding: bytes[1..<length + 1], as: UTF8.self)
    let form = [RecordShape.marker, 0] + bytes[(length + 1)...]
    let reader = RecordReader(form, form.indices, strings: [shape, "repeated"])
    try checkRecord(reader, as: Plain.self)
    try checkRecord(reader, as: Nested.self)
    var exported = reader
    if let json = try decodable({ try exported.decode(ShapedJSON.self) }) {
      _ = try? StoredJSON.encode(json)
    }
    var checked = reader
    _ = try decodable { try checked.decodeShapedID(String.self) }
  }

  private static func checkRecord<Record: StoredRecord>(
    _ reader: RecordReader, as type: Record.Type
  ) throws {
    var reader = reader
    guard let record = try decodable({ try Record(reading: &reader) }), record == record else {
      return
    }
    var writer = RecordWriter()
    try record.write(to: &writer)
    let (bytes, place) = writer.finish()
    var table = RecordReader(bytes, place..<bytes.count)
    let strings = try (0..<table.uint()).map { _ in try table.string() }
    var again = RecordReader(bytes, 0..<place, strings: strings)
    holdEqual(try Record(reading: &again), record, "The record after writing it")
    holdEqual(again.remainingCount, 0, "The bytes after the record")
  }

  private static func decodable<Value>(_ body: () throws -> Value) throws -> Value? {
    do { return try readable(body) } catch is DecodingError { return nil }
  }

  private static var shapedSeeds: [[UInt8]] {
    [
      seed(Plain(id: "a", number: 1, name: "n", share: 0.5)),
      seed(Nested(id: "b", parts: ["k": [.some(1), .none]], kind: .two(x: 2))),
    ]
  }

  private static func seed(_ record: some StoredRecord) -> [UInt8] {
    var writer = RecordWriter()
    guard (try? record.write(to: &writer)) != nil else { fail("There is no seed") }
    let (bytes, place) = writer.finish()
    var table = RecordReader(bytes, place..<bytes.count)
    guard (try? table.uint()) != nil, let shape = try? table.string() else {
      fail("There is no shape")
    }
    return [UInt8(shape.utf8.count)] + shape.utf8 + bytes[2..<place]
  }
}

private struct Plain: StoredRecord {
  var id: String
  var number: Int?
  var name: String?
  var share: Double?
}

private struct Nested: StoredRecord {
  enum Kind: Codable, Equatable {
    case one
    case two(x: Int)
  }

  var id: String
  var parts: [String: [Int?]]
  var kind: Kind
  var date: Date?
  var data: Data?
}
