import FieldCore
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("A view of the zoo")
struct ZooViewTests {
  private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try Coordinate(latitude: latitude, longitude: longitude)
  }

  private static func sample() throws -> ZooView {
    let media = [ZooMedia(number: 1, link: ZooLink("http://a.tw/a.jpg"))]
    return ZooView(
      animals: [
        Animal(
          name: "大貓熊", englishName: "Giant Panda", latinName: "Ailuropoda melanoleuca",
          alternativeNamesText: "貓熊、熊貓", animalClass: .mammals, conservation: .vulnerable,
          locationText: "大貓熊館", places: [try place(24.9971, 121.5832)], pictures: media),
        Animal(
          name: "雙峰駱駝", englishName: "Bactrian Camel", animalClass: .mammals,
          conservation: .criticallyEndangered, locationText: "沙漠動物區；兒童動物區",
          places: [try place(24.995, 121.5856), try place(24.9987, 121.5827)], pictures: media),
        Animal(
          name: "帝雉", englishName: "Mikado Pheasant", animalClass: .birds,
          conservation: .nearThreatened, protection: .rareAndValuable, endemism: .species,
          locationText: "鳥園;某處", places: [try place(24.9954, 121.5898)]),
        Animal(
          name: "孔雀", animalClass: .birds, locationText: "鳥園區", places: [try place(25.5, 121.5)],
          positionIssue: .outsideZoo),
        Animal(name: "蜜熊"),
      ],
      areas: [
        ZooArea(name: "鳥園區", places: [try place(24.9957, 121.5889)]),
        ZooArea(name: "新光特展館（大貓熊館）", places: [try place(24.9968, 121.5831)]),
        ZooArea(name: "沙漠動物區", places: [try place(24.9953, 121.5851)]),
        ZooArea(name: "兒童動物區", places: [try place(24.999, 121.5819)]),
      ],
      plants: [Plant(name: "臺灣欒樹", englishName: "Flamegold", locationText: "鳥園區；全園普遍分佈")],
      events: [
        ZooEvent(title: "講古", brief: "每週三", start: try CalendarDay("2026-05-20"))
      ])
  }

  private static func names(_ query: AnimalQuery) throws -> [String] {
    try sample().find(query).map(\.name)
  }

  @Test(
    "a view of the zoo finds animals by all of their names, each word anywhere",
    arguments: [
      ("熊貓", ["大貓熊"]), ("giant", ["大貓熊"]), ("ＰＡＮＤＡ giant", ["大貓熊"]),
      ("melanoleuca 貓熊", ["大貓熊"]), ("熊", ["大貓熊", "蜜熊"]), ("pheasant 帝", ["帝雉"]),
      ("大貓熊 camel", []), ("  ", ["大貓熊", "雙峰駱駝", "帝雉", "孔雀", "蜜熊"]), ("猫", ["大貓熊"]),
    ])
  func text(text: String, names: [String]) throws {
    #expect(try Self.names(AnimalQuery(text: text)) == names)
  }

  @Test("a view filters by class, status, protection, endemism, picture, place, area, and circle")
  func filters() throws {
    #expect(try Self.names(AnimalQuery(classes: [.birds])) == ["帝雉", "孔雀"])
    #expect(
      try Self.names(AnimalQuery(statuses: [.vulnerable, .nearThreatened])) == ["大貓熊", "帝雉"])
    #expect(try Self.names(AnimalQuery(protections: [.rareAndValuable])) == ["帝雉"])
    #expect(try Self.names(AnimalQuery(endemicOnly: true)) == ["帝雉"])
    #expect(try Self.names(AnimalQuery(hasPicture: true)) == ["大貓熊", "雙峰駱駝"])
    #expect(try Self.names(AnimalQuery(hasPicture: false)).count == 3)
    #expect(try Self.names(AnimalQuery(hasCoordinate: false)) == ["蜜熊"])
    #expect(try Self.names(AnimalQuery(area: ZooArea.ID(name: "鳥園區"))) == ["帝雉", "孔雀"])
    #expect(try Self.names(AnimalQuery(area: ZooArea.ID(name: "企鵝館"))).isEmpty)
    let circle = AnimalQuery.Circle(center: try Self.place(24.9987, 121.5827), radius: .meters(50))
    #expect(try Self.names(AnimalQuery(circle: circle)) == ["雙峰駱駝"])
    #expect(try Self.names(AnimalQuery(text: "熊", classes: [.mammals])) == ["大貓熊"])
  }

  @Test("a view of the zoo sorts and pages its results; ties are in the source's order")
  func orders() throws {
    #expect(
      try Self.names(AnimalQuery(order: .mostThreatened))
        == ["雙峰駱駝", "大貓熊", "帝雉", "孔雀", "蜜熊"])
    #expect(
      try Self.names(AnimalQuery(order: .englishName)) == ["雙峰駱駝", "大貓熊", "帝雉", "孔雀", "蜜熊"])
    #expect(try Self.names(AnimalQuery(order: .name)) == ["大貓熊", "孔雀", "帝雉", "蜜熊", "雙峰駱駝"])
    let all = AnimalQuery.Circle(
      center: try Self.place(24.9954, 121.5898), radius: .kilometers(1000))
    #expect(
      try Self.names(AnimalQuery(circle: all, order: .distance)) == ["帝雉", "雙峰駱駝", "大貓熊", "孔雀"])
    #expect(try Self.names(AnimalQuery(order: .distance)).first == "大貓熊")
    #expect(try Self.names(AnimalQuery(limit: 2, offset: 1)) == ["雙峰駱駝", "帝雉"])
    #expect(try Self.names(AnimalQuery(limit: -1, offset: -5)).isEmpty)
    #expect(try Self.names(AnimalQuery(offset: 9)).isEmpty)
    #expect(try Self.sample().count(AnimalQuery(limit: 1)) == 5)
  }

  @Test("a view of the zoo returns the nearest animals once each, at their nearest place")
  func nearest() throws {
    let view = try Self.sample()
    let here = try Self.place(24.9987, 121.5828)
    let near = view.nearest(to: here, count: 2)
    #expect(near.map(\.animal.name) == ["雙峰駱駝", "大貓熊"])
    #expect(near[0].place == (try Self.place(24.9987, 121.5827)))
    #expect(near[0].distance == here.distance(to: near[0].place))
    #expect(view.nearest(to: here, count: 9).map(\.animal.name) == ["雙峰駱駝", "大貓熊", "帝雉"])
    #expect(
      view.nearest(to: here, count: 9, plausibleOnly: false).last?.animal.name == "孔雀")
    #expect(
      view.nearest(to: here, count: 1, matching: AnimalQuery(classes: [.birds])).map(\.id)
        == [view.animals[2].id])
    #expect(view.nearest(to: here, count: 0).isEmpty)
    #expect(view.nearest(to: here, count: .max).count == 3)
    #expect(ZooView().nearest(to: here, count: 3).isEmpty)
  }

  @Test("a view of the zoo returns the nearest areas")
  func nearestAreas() throws {
    let near = try Self.sample().nearestAreas(to: Self.place(24.999, 121.5818), count: 2)
    #expect(near.map(\.area.name) == ["兒童動物區", "新光特展館（大貓熊館）"])
    #expect(near[0].distance < near[1].distance)
    #expect(try Self.sample().nearestAreas(to: Self.place(24.999, 121.5818), count: -1).isEmpty)
  }

  @Test("a view of the zoo joins animals and areas by the names that each table has")
  func areas() throws {
    let view = try Self.sample()
    #expect(view.animals(in: ZooArea.ID(name: "新光特展館（大貓熊館）")).map(\.name) == ["大貓熊"])
    #expect(view.animals(in: ZooArea.ID(name: "新光特展館(大貓熊館)")).count == 1)
    #expect(view.areas(of: view.animals[1]).map(\.name) == ["沙漠動物區", "兒童動物區"])
    #expect(view.areas(of: view.animals[2]).map(\.name) == ["鳥園區"])
    #expect(view.areas(of: view.animals[4]).isEmpty)
    #expect(view.areas(of: view.plants[0]).map(\.name) == ["鳥園區"])
    #expect(view.unmatchedLocations == ["某處"])
    #expect(view.area(named: "貓熊館") == nil)
  }

  @Test("a view of the zoo finds records by ID")
  func ids() throws {
    let view = try Self.sample()
    #expect(view[view.animals[3].id]?.name == "孔雀")
    #expect(view[ZooArea.ID(name: "鳥園區")]?.name == "鳥園區")
    #expect(view[view.plants[0].id]?.name == "臺灣欒樹")
    #expect(view[Animal.ID(rawValue: "?")] == nil)
    #expect(view.plants(matching: "台灣").count == 1)
    #expect(view.plants(matching: "flame 欒").count == 1)
    #expect(view.events(on: try CalendarDay("2026-05-20")).count == 1)
    #expect(view.events(on: try CalendarDay("2026-05-27")).isEmpty)
    #expect(view.species.count == 5)
  }

  @Test("a view of the zoo returns the same results to concurrent callers")
  func concurrent() async throws {
    let view = try Self.sample()
    let here = try Self.place(24.9987, 121.5828)
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<16 {
        group.addTask {
          view.find(AnimalQuery(text: "熊", area: nil)).map(\.name)
            + view.nearest(to: here, count: 1).map(\.animal.name)
            + view.animals(in: ZooArea.ID(name: "鳥園區")).map(\.name)
        }
      }
      for await names in group { #expect(names == ["大貓熊", "蜜熊", "雙峰駱駝", "帝雉", "孔雀"]) }
    }
  }
}

@Suite("The names of areas")
struct ZooAreaNameTests {
  private static let view = ZooView(
    areas: [
      "鳥園區", "昆蟲館", "熱帶雨林區", "熱帶雨林室內館（穿山甲館）", "新光特展館（大貓熊館）", "兩棲爬蟲動物館", "教育中心(甲館)",
      "節能屋(甲館)",
    ].map { ZooArea(name: $0) })

  // 2.1 of Docs/old-apps.md
  @Test(
    "the names of areas are found by the names that other tables have",
    arguments: [
      ("鳥園", "鳥園區"), ("鳥園區", "鳥園區"), ("室內館/昆蟲館", "昆蟲館"), ("室內館／昆蟲館", "昆蟲館"),
      ("熱帶雨林室內館(穿山甲館)", "熱帶雨林室內館（穿山甲館）"), ("穿山甲館(熱帶雨林館)", "熱帶雨林室內館（穿山甲館）"),
      ("穿山甲館", "熱帶雨林室內館（穿山甲館）"), ("大貓熊館", "新光特展館（大貓熊館）"),
      ("新光特展館", "新光特展館（大貓熊館）"), ("兩棲爬蟲館", "兩棲爬蟲動物館"), ("熱帶雨林區", "熱帶雨林區"),
      (" 鳥園區 ", "鳥園區"), ("教育中心", "教育中心(甲館)"),
    ])
  func found(name: String, area: String) {
    #expect(Self.view.area(named: name)?.name == area)
  }

  @Test("the names of areas are not guessed", arguments: ["", "甲館", "動物區", "貓熊", "蟲蟲探索谷"])
  func unknown(name: String) {
    #expect(Self.view.area(named: name) == nil)
  }

  @Test("the names of areas can be set by the caller")
  func told() {
    let view = ZooView(areas: [ZooArea(name: "鳥園區")], areaAliases: ["Bird World": "鳥園區"])
    #expect(view.area(named: "bird world")?.name == "鳥園區")
  }

  // 2.1 of Docs/old-apps.md
  @Test(
    "the names of areas of the real files match for every animal, in both generations",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func captures() throws {
    let areas = try Batch<ZooRecord>(reading: SharedData.bytes("zoo/zoo-areas-2026.csv")).areas
    let full = ZooView(
      animals: try Batch<ZooRecord>(reading: SharedData.bytes("zoo/animals-v1-2026-full.json"))
        .animals,
      areas: areas)
    #expect(full.unmatchedLocations.isEmpty)
    #expect(full.animals.allSatisfy { !full.areas(of: $0).isEmpty })
    let counts = Dictionary(
      uniqueKeysWithValues: full.areas.map { ($0.name, full.animals(in: $0.id).count) })
    #expect(
      counts == [
        "臺灣動物區": 25, "兒童動物區": 15, "熱帶雨林區": 35, "沙漠動物區": 5, "澳洲動物區": 7, "非洲動物區": 32,
        "溫帶動物區": 15, "鳥園區": 73, "教育中心": 0, "企鵝館": 2, "無尾熊館": 2, "兩棲爬蟲動物館": 56, "昆蟲館": 47,
        "新光特展館（大貓熊館）": 1, "熱帶雨林室內館（穿山甲館）": 37, "酷Cool節能屋": 0, "頭廷魁文史館": 0,
      ])
    let old = ZooView(
      animals: try Batch<ZooRecord>(reading: SharedData.bytes("zoo/animals-esedoi.json")).animals,
      areas: try Batch<ZooRecord>(reading: SharedData.bytes("zoo/areas-iamoscarliang.json")).areas)
    #expect(old.unmatchedLocations.isEmpty)
    #expect(full.find(AnimalQuery(text: "熊貓")).map(\.name) == ["大貓熊"])
  }
}

@Suite("Animals as GeoJSON")
struct AnimalExportTests {
  private struct Collection: Decodable {
    struct Feature: Decodable {
      struct Geometry: Decodable { var coordinates: [Double] }
      var id: String
      var geometry: Geometry?
      var properties: [String: String?]
    }
    var type: String
    var features: [Feature]
  }

  @Test("animals as GeoJSON are a feature for each place, with unique IDs")
  func export() throws {
    let animals = [
      Animal(
        name: "雙峰\"駱駝", englishName: "Camel", conservation: .criticallyEndangered,
        places: [
          try Coordinate(latitude: 24.995, longitude: 121.5856),
          try Coordinate(latitude: 24.9987, longitude: 121.5827),
        ]),
      Animal(name: "蜜熊"),
    ]
    let collection = try JSONDecoder().decode(Collection.self, from: animals.geoJSON())
    #expect(collection.type == "FeatureCollection")
    #expect(
      collection.features.map(\.id) == [
        "雙峰\"駱駝@24.9950,121.5856", "雙峰\"駱駝@24.9950,121.5856/2", "蜜熊",
      ])
    #expect(collection.features[1].geometry?.coordinates == [121.5827, 24.9987])
    #expect(collection.features[2].geometry == nil)
    #expect(collection.features[0].properties["conservation"] == "CR")
    #expect(collection.features[1].properties["id"] == animals[0].id.rawValue)
  }
}
