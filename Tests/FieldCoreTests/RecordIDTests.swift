import FieldCore
import Foundation
import Testing

@Suite("Record IDs")
struct RecordIDTests {
  struct Trail: Codable, Equatable {
    var id: RecordID<Trail>
    var next: [RecordID<Trail>]
  }

  @Test("record IDs are strings: as literals, in their description, and in their order")
  func strings() {
    let ids: [RecordID<Trail>] = ["b", "10", "9", "熊"]
    #expect(ids.sorted() == ["10", "9", "b", "熊"])
    #expect("\(ids[3])" == "熊")
    #expect(RecordID<Trail>(rawValue: "b") == ids[0])
    #expect(ids[0] != "B")
  }

  @Test("record IDs are keys with the hash of their string")
  func keys() {
    let lengths: [RecordID<Trail>: Int] = ["caf\u{E9}": 12, "ridge": 7]
    #expect(lengths["cafe\u{301}"] == 12)
    #expect(lengths["Ridge"] == nil)
    #expect(RecordID<Trail>(rawValue: "ridge").hashValue == "ridge".hashValue)
  }

  @Test("record IDs are encoded as a plain string")
  func coding() throws {
    let trail = Trail(id: "ridge/2", next: ["shore", ""])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(trail)
    #expect(String(decoding: data, as: UTF8.self) == #"{"id":"ridge/2","next":["shore",""]}"#)
    #expect(try JSONDecoder().decode(Trail.self, from: data) == trail)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([RecordID<Trail>].self, from: Data("[1]".utf8))
    }
  }
}
