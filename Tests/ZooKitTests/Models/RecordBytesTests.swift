import FieldCore
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("The bytes of the zoo's records", .timeLimit(.minutes(60)))
struct RecordBytesTests {
  private static let media = ZooMedia(number: 2, link: ZooLink("http://a.tw/b"), caption: "c")
  private static let date = Date(timeIntervalSinceReferenceDate: 1.5)

  private static func samples() throws -> [(record: ZooRecord, bytes: String)] {
    let places = [try Coordinate(latitude: 24.5, longitude: 121.25)]
    let day = try CalendarDay("2017-09-29")
    return [
      (
        ZooRecord(Animal(id: Animal.ID(rawValue: "k"), name: "n")),
        """
        ~00~01~01k~01~01k~01n~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00\
        ~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~01~07animals
        """
      ),
      (
        ZooRecord(
          Animal(
            id: Animal.ID(rawValue: "k"), name: "n", englishName: "b", latinName: "c",
            alternativeNamesText: "d", phylum: "e", animalClass: .mammals, order: "f", family: "g",
            conservationText: "h", conservation: .vulnerable, protection: .endangered,
            endemism: .subspecies, distribution: "i", habitat: "j", feature: "l", behavior: "m",
            diet: "o", crisis: "p", interpretation: "q", summary: "r", keywords: "s",
            locationText: "t", places: places, positionIssue: .outsideZoo, poiGroup: "u",
            pictures: [media, media], documents: [media],
            recordings: [ZooMedia(number: 1, link: nil)], video: media.link, themeName: "v",
            theme: ZooLink("http://t.tw"), code: "w", catalogNumber: "x", adoption: "y",
            updated: day, importDate: date, rowNumber: -7, unreadable: ["z": "#", "a": ""])),
        """
        ~00~01~01k~01~01k~01n~01~01b~01~01c~01~01d~01~01~01~02~01~03~01~04~01\
        ~05~01~06~01~07~01~08~01~01i~01~01j~01~01l~01~01m~01~01o~01~01p~01~01q\
        ~01~01r~01~01s~01~09~01~00~00~00~00~00~808@~00~00~00~00~00P^@~01~0a~01\
        ~0b~02~04~01~0dhttp://a.tw/b~01~01c~04~01~0dhttp://a.tw/b~01~01c~01~04\
        ~01~0dhttp://a.tw/b~01~01c~01~02~00~00~01~0dhttp://a.tw/b~01~01v~01~0b\
        http://t.tw~01~01w~01~01x~01~01y~01~c2~1f~12:~01~00~00~00~00~00~00~f8?\
        ~01~0d~02~0c~00~0d~01#~0e~07animals~01e~09~e5~93~ba~e4~b9~b3~e7~b6~b1\
        ~01f~01g~01h~02VU~0aendangered~0asubspecies~01t~0aoutsideZoo~01u~01a\
        ~01z
        """
      ),
      (
        ZooRecord(ZooArea(id: ZooArea.ID(rawValue: "k"), name: "n")),
        """
        ~00~01~01k~01~01k~01n~00~00~00~00~00~00~00~00~00~00~00~01~05areas
        """
      ),
      (
        ZooRecord(
          ZooArea(
            id: ZooArea.ID(rawValue: "k"), number: 300, name: "n", category: .init(rawValue: "c"),
            picture: media.link, info: "i", memo: "m", places: places, positionIssue: .unreadable,
            link: media.link, importDate: date, rowNumber: 9, unreadable: ["z": "#"])),
        """
        ~00~01~01k~01~01k~01n~01~d8~04~01~01~01~0dhttp://a.tw/b~01~01i~01~01m\
        ~01~00~00~00~00~00~808@~00~00~00~00~00P^@~01~02~01~0dhttp://a.tw/b~01\
        ~00~00~00~00~00~00~f8?~01~12~01~03~01#~04~05areas~01c~0aunreadable~01z
        """
      ),
      (
        ZooRecord(Plant(id: Plant.ID(rawValue: "k"), name: "n")),
        """
        ~00~01~01k~01~01k~01n~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00\
        ~00~00~00~00~00~01~06plants
        """
      ),
      (
        ZooRecord(
          Plant(
            id: Plant.ID(rawValue: "k"), name: "n", englishName: "a", latinName: "b",
            alternativeNamesText: "c", family: "d", genus: "e", brief: "f", feature: "g", uses: "h",
            summary: "i", keywords: "j", locationText: "l", places: places,
            positionIssue: .swapped, pictures: [media], documents: [media], recordings: [media],
            video: media.link, code: "m", catalogNumber: "o", updated: day, importDate: date,
            rowNumber: 3, unreadable: ["z": "#"])),
        """
        ~00~01~01k~01~01k~01n~01~01a~01~01b~01~01c~01~01~01~02~01~01f~01~01g\
        ~01~01h~01~01i~01~01j~01~03~01~00~00~00~00~00~808@~00~00~00~00~00P^@\
        ~01~04~01~04~01~0dhttp://a.tw/b~01~01c~01~04~01~0dhttp://a.tw/b~01~01c\
        ~01~04~01~0dhttp://a.tw/b~01~01c~01~0dhttp://a.tw/b~01~01m~01~01o~01\
        ~c2~1f~12:~01~00~00~00~00~00~00~f8?~01~06~01~05~01#~06~06plants~01d~01\
        e~01l~07swapped~01z
        """
      ),
      (
        ZooRecord(ZooEvent(id: ZooEvent.ID(rawValue: "k"), title: "n")),
        """
        ~00~01~01k~01~01k~01n~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00~00\
        ~00~01~06events
        """
      ),
      (
        ZooRecord(
          ZooEvent(
            id: ZooEvent.ID(rawValue: "k"), category: "a", title: "n", summary: "b", brief: "c",
            start: day, end: day, timeText: "d", location: "e", places: places,
            positionIssue: .swapped, publishedFrom: day, publishedUntil: day, keywords: "f",
            picture: media, link: media.link, address: "g", site: "h", importDate: date,
            rowNumber: 1, unreadable: ["z": "#"])),
        """
        ~00~01~01k~01~01k~01n~01~01~01~01b~01~02~01~c2~1f~12:~01~c2~1f~12:~01\
        ~03~01~04~01~00~00~00~00~00~808@~00~00~00~00~00P^@~01~05~01~c2~1f~12:\
        ~01~c2~1f~12:~01~06~01~04~01~0dhttp://a.tw/b~01~01c~01~0dhttp://a.tw/b\
        ~01~07~01~08~01~00~00~00~00~00~00~f8?~01~02~01~09~01#~0a~06events~01a\
        ~01c~01d~01e~07swapped~01f~01g~01h~01z
        """
      ),
      (ZooRecord(order: ["a", "b"], of: .plants), "~00~00~01~02~01a~01b~01~06plants"),
    ]
  }

  @Test("the bytes of the zoo's records match those of the files on disk")
  func bytes() throws {
    for sample in try Self.samples() {
      let text = try StoredBytes.text(of: sample.record)
      #expect(text == sample.bytes)
    }
  }

  @Test("the bytes of a sighting's records match those of the files on disk")
  func sighting() throws {
    var sighting = Sighting(
      id: .init(rawValue: "k"), number: 3, name: "n", photo: nil, date: Self.date)
    let first = try StoredBytes.text(of: sighting)
    #expect(
      first == """
        ~01k~06{~22date~22:1.5,~22name~22:~22n~22}~00
        """)
    sighting.place = try Coordinate(latitude: 24.5, longitude: 121.25)
    let second = try StoredBytes.text(of: sighting)
    #expect(
      second == """
        ~01k~06{~22date~22:1.5,~22name~22:~22n~22,~22place~22:{~22latitude~22:24.5,~22\
        longitude~22:121.25}}~00
        """)
  }
}
