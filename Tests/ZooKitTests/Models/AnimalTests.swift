import FieldCore
import Foundation
import Testing
import ZooKit

@Suite("An animal")
struct AnimalTests {
  @Test("an animal has separate other names, whatever separates them")
  func names() {
    var animal = Animal(name: "大貓熊")
    animal.alternativeNamesText = "貓熊、熊貓，甲,乙;丙；丁\r\n  戊,,熊貓,"
    #expect(animal.alternativeNames == ["貓熊", "熊貓", "甲", "乙", "丙", "丁", "戊"])
    animal.englishName = "Dromedary Camel或One-humped Camel"
    #expect(animal.englishNames == ["Dromedary Camel", "One-humped Camel"])
    animal.englishName = "Domestic Ass，Donkey"
    #expect(animal.englishNames == ["Domestic Ass", "Donkey"])
  }

  @Test("an animal is shown at places separated by semicolons of either width, but not by slashes")
  func locations() {
    var animal = Animal(name: "雙峰駱駝", locationText: "沙漠動物區；兒童動物區、鳥園; 室內館/昆蟲館 ")
    #expect(animal.locations == ["沙漠動物區", "兒童動物區", "鳥園", "室內館/昆蟲館"])
    animal.locationText = nil
    #expect(animal.locations.isEmpty)
  }

  @Test("an animal has a title in the requested language, or the Chinese one if there is none")
  func title() {
    var animal = Animal(name: "大貓熊{1}", englishName: "Giant Panda")
    #expect(animal.title(in: .english) == "Giant Panda")
    #expect(animal.title(in: TextLanguage(rawValue: "zh-TW")) == "大貓熊{1}")
    #expect(animal.title(in: TextLanguage(rawValue: "cs")) == "Giant Panda")
    animal.englishName = nil
    #expect(animal.title(in: .english) == "大貓熊{1}")
    #expect(AnimalClass.birds.title.string() == "Birds")
    #expect(AnimalClass.birds.title.string(in: .traditionalChinese) == "鳥綱")
    #expect(AnimalClass(rawValue: "海星綱").title.string() == "海星綱")
  }

  // 1.5-7 of Docs/old-apps.md
  @Test("an animal has a key of its name and place alone, to four digits")
  func key() throws {
    let exact = try Coordinate(latitude: 24.9949741, longitude: 121.5855928)
    let rounded = try Coordinate(latitude: 24.995, longitude: 121.5856)
    let id = Animal.ID(name: "雙峰駱駝", place: exact)
    #expect(id == "雙峰駱駝@24.9950,121.5856")
    #expect(Animal.ID(name: "雙峰駱駝", place: rounded) == id)
    #expect(Animal.ID(name: "雙峰駱駝") == "雙峰駱駝")
    #expect(Animal.ID(name: "臺灣黑熊") == Animal.ID(name: "台灣黑熊"))
    #expect(
      Animal.ID(name: "a", place: try Coordinate(latitude: -0.00004, longitude: -1.00006))
        == "a@0.0000,-1.0001")
  }

  @Test("an animal is described on one line")
  func description() throws {
    #expect(Animal(name: "大貓熊", englishName: "Giant\nPanda").description == "大貓熊 (Giant Panda)")
    #expect(ZooArea(name: "鳥園區", category: .outdoors).description == "鳥園區 (戶外區)")
    let start = try CalendarDay(year: 2026, month: 5, day: 1)
    #expect(ZooEvent(title: "講古", start: start).description == "講古, 2026-05-01")
  }

  @Test("an animal is of the species of its name, which has one row for each place")
  func species() throws {
    let (north, south) = (
      try Coordinate(latitude: 24.999, longitude: 121.58),
      try Coordinate(latitude: 24.994, longitude: 121.58)
    )
    let animals = [
      Animal(name: "臺灣山羌", locationText: "臺灣動物區", places: [north]),
      Animal(name: "大貓熊", conservation: .vulnerable),
      Animal(name: "台灣山羌", englishName: "Muntjac", locationText: "臺灣動物區;鳥園區", places: [south]),
    ]
    let species = Species.species(of: animals)
    #expect(species.map(\.name) == ["臺灣山羌", "大貓熊"])
    #expect(species[0].animals == [animals[0], animals[2]])
    #expect(species[0].places == [north, south])
    #expect(species[0].locations == ["臺灣動物區", "鳥園區"])
    #expect(species[0].englishName == "Muntjac")
    #expect(species[0].title(in: .english) == "Muntjac")
    #expect(species[0].id == animals[2].speciesID)
    #expect(species[1].conservation == .vulnerable)
  }

  @Test("an animal and the other records survive being stored")
  func coding() throws {
    let place = try Coordinate(latitude: 24.999, longitude: 121.58)
    let media = ZooMedia(number: 1, link: ZooLink("http://a.tw/b c.jpg"), caption: "圖")
    let animal = Animal(
      name: "大貓熊", animalClass: .mammals, conservation: .vulnerable, protection: .endangered,
      endemism: .species, places: [place], positionIssue: .swapped, pictures: [media],
      updated: try CalendarDay("2017-09-29"), unreadable: ["a_update": "########"])
    #expect(try Self.again(animal) == animal)
    let plant = Plant(name: "九芎", places: [place], pictures: [media])
    #expect(try Self.again(plant) == plant)
    let area = ZooArea(name: "鳥園區", category: .outdoors, picture: media.link)
    #expect(try Self.again(area) == area)
    let event = ZooEvent(title: "講古", start: try CalendarDay("2026-05-20"), picture: media)
    #expect(try Self.again(event) == event)
    #expect(animal.pictureURL?.absoluteString == "http://a.tw/b%20c.jpg")
  }

  private static func again<Value: StoredRecord>(_ value: Value) throws -> Value {
    #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value)
    return try Stored.again(value)
  }
}
