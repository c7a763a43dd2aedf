import FieldCore
import Foundation
import TestSupport
import Testing
import ZooKit

/// The facts of Docs/old-apps.md, in the real files.
@Suite(
  "Known facts about the zoo's data",
  .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
struct ZooFactTests {
  private static func delivery(_ file: String) throws -> Batch<ZooRecord> {
    try Batch<ZooRecord>(reading: SharedData.bytes("zoo/\(file)"))
  }

  private static func animals() throws -> [Animal] {
    try delivery("animals-v1-2026-full.json").animals
  }

  // 2.1 of Docs/old-apps.md
  @Test("the 313 rows of animals are 271 species, and no two rows have one key")
  func species() throws {
    let animals = try Self.animals()
    #expect(Species.species(of: animals).count == 271)
    #expect(Set(animals.map(\.id)).count == 313)
    let camels = Species.species(of: animals).first { $0.name == "雙峰駱駝" }
    #expect(camels?.animals.map(\.id) == ["雙峰駱駝@24.9950,121.5856", "雙峰駱駝@24.9987,121.5827"])
    #expect(camels?.locations == ["沙漠動物區", "兒童動物區"])
  }

  // 2.1 of Docs/old-apps.md
  @Test("the statuses of animals are the known spellings, and 33 rows are blank")
  func statuses() throws {
    var expected: [ConservationStatus?: Int] = [:]
    for spelling in ConservationTests.spellings {
      expected[spelling.status, default: 0] += spelling.rows
    }
    expected[.none, default: 0] += 33
    let counts = Dictionary(grouping: try Self.animals(), by: \.conservation).mapValues(\.count)
    #expect(counts == expected)
    let texts = Set(try Self.animals().compactMap(\.conservationText))
    #expect(texts == Set(ConservationTests.spellings.map(\.text)))
  }

  // 2.1 of Docs/old-apps.md
  @Test("the animals have nine classes, and each has the known number of them")
  func classes() throws {
    let counts = Dictionary(grouping: try Self.animals(), by: \.animalClass).mapValues(\.count)
    #expect(
      counts == [
        .mammals: 99, .birds: 92, .reptiles: 58, .insects: 44, .amphibians: 8, .bonyFishes: 8,
        .arachnids: 2, .cartilaginousFishes: 1, .centipedes: 1,
      ])
    #expect(Set(counts.keys.compactMap(\.self)) == Set(AnimalClass.known))
  }

  // 2.1 of Docs/old-apps.md
  @Test("an update date is in 67 rows, and the 77 others that aren't blank keep their text")
  func updates() throws {
    let animals = try Self.animals()
    #expect(animals.filter { $0.updated != nil }.count == 67)
    let unread = animals.compactMap { $0.unreadable["a_update"] }
    #expect(unread.filter { $0 == "########" }.count == 76)
    #expect(unread.count == 77)
    let counts = Dictionary(grouping: animals, by: \.updated).mapValues(\.count)
    #expect(try counts[CalendarDay("2017-09-29")] == 62)
  }

  // 0.7 of Docs/old-apps.md
  @Test("rows with shifted columns have nil for the wrong texts, and report them")
  func shifts() throws {
    let delivery = try Self.delivery("animals-v1-2026-full.json")
    let frog = try #require(delivery.animals.first { $0.rowNumber == 41 })
    #expect(frog.theme == nil)
    #expect(frog.unreadable["a_theme_url"]?.hasPrefix("鼠類、蛇") == true)
    let fowl = try #require(delivery.animals.first { $0.rowNumber == 250 })
    #expect(fowl.video == nil)
    #expect(fowl.updated == nil)
    #expect(fowl.unreadable["a_vedio_url"] == "綠野雞")
    #expect(fowl.unreadable["a_update"]?.hasSuffix("GreenJunglefowl10.JPG") == true)
    #expect(delivery.unreadableCells.count == 79)
  }

  // 2.3 of Docs/old-apps.md
  @Test("all 1,066 URLs but two are valid, without a space and without double encoding")
  func addresses() throws {
    let animals = try Self.animals()
    var links: [ZooLink] = []
    for animal in animals {
      links += (animal.pictures + animal.documents + animal.recordings).compactMap(\.link)
      links += [animal.video, animal.theme].compactMap(\.self)
    }
    let unread = animals.flatMap { $0.unreadable.filter { $0.key != "a_update" } }
    #expect(unread.count == 2)
    #expect(links.count + unread.count == 1066)
    #expect(links.filter { $0.rawText.contains(" ") }.count == 24)
    #expect(links.filter { $0.rawText.contains("%20") }.count == 10)
    for link in links {
      let text = link.url.absoluteString
      #expect(!text.contains(" ") && !text.contains("%25"), "\(text)")
      #expect(text.hasPrefix("https:") == link.rawText.hasPrefix("https:"))
      #expect(text.removingPercentEncoding == link.rawText.removingPercentEncoding)
    }
    #expect(links.filter { $0.rawText.dropFirst(8).contains("//") }.count == 19)
  }

  // 1.2 of Docs/old-apps.md
  @Test("one of 313 animals has no picture")
  func pictures() throws {
    #expect(try Self.animals().filter { $0.pictureURL == nil }.count == 1)
  }

  // 2.2 of Docs/old-apps.md
  @Test("every row of every capture has its places, all of them in the zoo")
  func places() throws {
    for (file, _, _) in ZooCaptureTests.captures {
      let delivery = try Self.delivery(file)
      let places =
        delivery.animals.map(\.places) + delivery.areas.map(\.places)
        + delivery.plants.map(\.places)
      #expect(places.allSatisfy { !$0.isEmpty }, "\(file)")
      let issues =
        delivery.animals.compactMap(\.positionIssue) + delivery.areas.compactMap(\.positionIssue)
        + delivery.plants.compactMap(\.positionIssue)
      #expect(issues.isEmpty, "\(file)")
    }
    let old = try Self.delivery("animals-esedoi.json").animals
    #expect(old.filter { $0.places.count == 2 }.count == 4)
    // A space inside, and a parenthesis that is missing.
    #expect(old.first { $0.name == "黑冠松鼠猴" }?.coordinate?.longitude == 121.5830852)
    #expect(old.first { $0.name == "笑翠鳥" }?.coordinate?.longitude == 121.5827151)
  }

  // 1.3 of Docs/old-apps.md
  @Test("rows report when they were imported, each separately")
  func imports() throws {
    let delivery = try Self.delivery("animals-v1-2026-full.json")
    #expect(Set(delivery.animals.compactMap(\.importDate)).count == 313)
    #expect(delivery.facts.sourceDate == delivery.animals.compactMap(\.importDate).max())
    #expect(delivery.isComplete)
    let part = try Self.delivery("animals-iamoscarliang.json")
    #expect(part.facts.announcedCount == 272)
    #expect(!part.isComplete)
  }

  // 2.4 of Docs/old-apps.md
  @Test("areas have their categories, and every memo of theirs is read")
  func areas() throws {
    let areas = try Self.delivery("zoo-areas-2026.csv").areas
    #expect(
      Dictionary(grouping: areas, by: \.category).mapValues(\.count) == [
        .outdoors: 8, .indoors: 6, .education: 3,
      ])
    #expect(areas.filter { $0.memo != nil }.count == 8)
    #expect(areas.filter { $0.memo != nil }.allSatisfy { $0.openingRules != nil })
    // The houses are closed on one Monday each: 7 June 2026 was a Sunday.
    let day = try CalendarDay("2026-06-08")
    #expect(
      areas.filter { $0.isClosed(on: day) == true }.map(\.name) == [
        "教育中心", "企鵝館", "熱帶雨林室內館（穿山甲館）", "酷Cool節能屋", "頭廷魁文史館",
      ])
    let older = try Self.delivery("areas-iamoscarliang.json").areas
    #expect(older.filter { $0.category == .exhibition }.map(\.name) == ["酷Cool節能屋"])
    // Names are keys in both years.
    #expect(Set(older.map(\.id)).isSubset(of: areas.map(\.id)))
  }

  // 2.4 of Docs/old-apps.md
  @Test("the 276 rows of plants have 99 names, and one occurs twice at one place")
  func plants() throws {
    let plants = try Self.delivery("plants-2026.csv").plants
    #expect(Set(plants.map(\.name)).count == 99)
    #expect(Set(plants.map(\.id)).count == 276)
    #expect(plants.filter { $0.id.rawValue.hasSuffix("#2") }.map(\.name) == ["小葉桑"])
    #expect(plants.allSatisfy { $0.updated != nil && $0.unreadable.isEmpty })
  }
}
