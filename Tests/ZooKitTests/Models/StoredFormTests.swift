import FieldCore
import Foundation
import TestSupport
import Testing
import ZooKit

/// Records as a store gives them back.
enum Stored {
  /// The record after it was written and read.
  static func again<Record: StoredRecord>(_ record: Record) throws -> Record {
    var writer = RecordWriter()
    try record.write(to: &writer)
    let (bytes, place) = writer.finish()
    var tail = RecordReader(bytes, place..<bytes.count)
    let strings = try (0..<tail.count()).map { _ in try tail.string() }
    var reader = RecordReader(bytes, 0..<place, strings: strings)
    let again = try Record(reading: &reader)
    #expect(reader.remainingCount == 0)
    return again
  }
}

@Suite("The stored form of the zoo's records", .timeLimit(.minutes(60)))
struct StoredFormTests {
  /// An animal with a value in every field.
  static func whole() throws -> Animal {
    let media = [
      ZooMedia(number: 1, link: ZooLink("http://a.tw/b c.jpg"), caption: "圖"),
      ZooMedia(number: 4, link: nil, caption: "二"),
      ZooMedia(number: 3, link: ZooLink("https://a.tw/%E5%9C%96")),
    ]
    return Animal(
      id: Animal.ID(rawValue: "k#2"), name: "大貓熊", englishName: "Giant Panda",
      latinName: "Ailuropoda melanoleuca", alternativeNamesText: "貓熊", phylum: "脊索動物門",
      animalClass: .mammals, order: "食肉目", family: "熊科", conservationText: "易危 VU",
      conservation: .vulnerable, protection: .endangered, endemism: .subspecies,
      distribution: "四川\r\n陝西", habitat: "山", feature: "黑白", behavior: "獨居", diet: "竹",
      crisis: "棲地", interpretation: "解說", summary: "摘要", keywords: "鍵", locationText: "大貓熊館",
      places: [
        try Coordinate(latitude: 24.9971, longitude: 121.5832),
        try Coordinate(latitude: -0.0, longitude: 359.5),
      ], positionIssue: .outsideZoo, poiGroup: "組", pictures: media, documents: [media[0]],
      recordings: [media[2]], video: ZooLink("http://v.tw/1"), themeName: "站",
      theme: ZooLink("http://t.tw"), code: "Panda", catalogNumber: "1", adoption: "可",
      updated: try CalendarDay("2017-09-29"),
      importDate: Date(timeIntervalSince1970: 1_774_411_687.519257), rowNumber: -7,
      unreadable: ["a_update": "########", "a_geo": ""])
  }

  @Test("the stored form of the zoo's records has every field of the type")
  func everyField() throws {
    let animal = try Self.whole()
    // A field that is left out of the sample would be left out of the test.
    #expect(Self.blanks(in: animal) == [])
    #expect(try Stored.again(animal) == animal)
    #expect(try Stored.again(ZooRecord(animal)) == ZooRecord(animal))
    let plant = Plant(
      id: Plant.ID(rawValue: "p"), name: "九芎", englishName: "a", latinName: "b",
      alternativeNamesText: "c", family: "d", genus: "e", brief: "f", feature: "g", uses: "h",
      summary: "i", keywords: "j", locationText: "k", places: animal.places,
      positionIssue: .swapped, pictures: animal.pictures, documents: animal.documents,
      recordings: animal.recordings, video: animal.video, code: "l", catalogNumber: "m",
      updated: animal.updated, importDate: animal.importDate, rowNumber: 3, unreadable: ["n": "o"])
    #expect(Self.blanks(in: plant) == [])
    #expect(try Stored.again(ZooRecord(plant)) == ZooRecord(plant))
    let area = ZooArea(
      id: ZooArea.ID(rawValue: "q"), number: 2, name: "鳥園區", category: .outdoors,
      picture: animal.video, info: "a", memo: "b", places: animal.places,
      positionIssue: .unreadable, link: animal.theme, importDate: animal.importDate,
      rowNumber: 9, unreadable: ["c": "d"])
    #expect(Self.blanks(in: area) == [])
    #expect(try Stored.again(ZooRecord(area)) == ZooRecord(area))
    let event = ZooEvent(
      id: ZooEvent.ID(rawValue: "r"), category: "a", title: "講古", summary: "b", brief: "每週三",
      start: try CalendarDay("2026-05-20"), end: try CalendarDay("2026-05-21"),
      timeText: "11:00", location: "c", places: animal.places, positionIssue: .swapped,
      publishedFrom: try CalendarDay("2026-05-01"), publishedUntil: try CalendarDay("2026-06-01"),
      keywords: "d", picture: animal.pictures[0], link: animal.theme, address: "e", site: "f",
      importDate: animal.importDate, rowNumber: 1, unreadable: ["g": "h"])
    #expect(Self.blanks(in: event) == [])
    #expect(try Stored.again(ZooRecord(event)) == ZooRecord(event))
  }

  @Test(
    "the stored form of a record with only a name is unchanged after reading, and so is an order")
  func blanks() throws {
    #expect(Self.blanks(in: Animal(name: "石虎")).count > 30)
    #expect(try Stored.again(Animal(name: "石虎")) == Animal(name: "石虎"))
    #expect(try Stored.again(ZooRecord(Plant(name: "九芎"))) == ZooRecord(Plant(name: "九芎")))
    #expect(try Stored.again(ZooRecord(ZooArea(name: "館"))) == ZooRecord(ZooArea(name: "館")))
    #expect(try Stored.again(ZooRecord(ZooEvent(title: "日"))) == ZooRecord(ZooEvent(title: "日")))
    for order in [[], ["甲", "乙#2"]] {
      let record = ZooRecord(order: order, of: .plants)
      #expect(try Stored.again(record) == record)
    }
  }

  @Test(
    "the stored form of a record costs it only the content, wherever it is truncated or changed")
  func damage() throws {
    let record = ZooRecord(try Self.whole())
    var writer = RecordWriter()
    try record.write(to: &writer)
    let head = 2 + (record.id.key?.utf8.count ?? 0) + 1
    let strings = (0..<20).map { "s\($0)" }
    let animals = ["animals"] + strings
    for cut in head..<writer.bytes.count {
      var reader = RecordReader(writer.bytes, 0..<cut, strings: animals)
      let read = try ZooRecord(reading: &reader)
      #expect((read.id, read.content) == (record.id, .unreadable))
      #expect(reader.remainingCount == 0)
    }
    for place in head..<writer.bytes.count {
      var bytes = writer.bytes
      bytes[place] ^= 0xFF
      var reader = RecordReader(bytes, 0..<bytes.count, strings: animals)
      #expect(try ZooRecord(reading: &reader).id == record.id)
    }
  }

  @Test(
    "the stored form of unreadable data stays unreadable, as does JSON of an earlier version")
  func unreadable() throws {
    let bytes = [0, 1, 1, 0x61] + Array(#"{"animal":{"_0":{}}}"#.utf8)
    var reader = RecordReader(bytes, 0..<bytes.count, strings: ["animals"])
    let record = try ZooRecord(reading: &reader)
    #expect(record.content == .unreadable)
    #expect(try Stored.again(record) == record)
  }

  /// The fields of a value that say nothing.
  private static func blanks(in value: some Any) -> [String] {
    Mirror(reflecting: value).children.compactMap { child in
      let mirror = Mirror(reflecting: child.value)
      let isBlank =
        [.optional, .collection, .dictionary].contains(mirror.displayStyle)
        && mirror.children.isEmpty
      return isBlank ? child.label : nil
    }
  }
}
