import FieldCore
import Foundation
import TestSupport
import Testing

@testable import ZooKit

@Suite("Views of the zoo after commits", .timeLimit(.minutes(60)))
struct ZooChangesTests {
  @Test(
    "queries have the results of a fresh view, after any commits, from any earlier view",
    arguments: Sample.of(Array<UInt64>(1...60), 12, inDebug: 3))
  func model(seed: UInt64) throws {
    let seed = seed &+ Sample.seed()
    var chance = SeededGenerator(seed: seed)
    var snapshot = Snapshot<ZooRecord>([])
    var views = [ZooView(of: snapshot)]
    for step in 0..<50 {
      var changes = Changes<ZooRecord>()
      let count = step == 0 ? 300 : [0, 1, 1, 1, 4, 150].randomElement(using: &chance) ?? 0
      for _ in 0..<count {
        let record = try Self.record(&chance)
        if Int.random(in: 0..<6, using: &chance) == 0 {
          changes.remove(record.id)
        } else {
          changes.upsert(record)
        }
      }
      // Mostly, a row only gets another value.
      if step > 0, count < 9, let record = snapshot.randomElement(using: &chance),
        let other = try Self.edited(record, &chance)
      {
        changes.upsert(other)
      }
      snapshot = snapshot.applying(
        changes, checkpoint: Checkpoint(lastSuccess: Date(timeIntervalSince1970: Double(step))))
      let view = ZooView(of: snapshot, after: views.suffix(3).randomElement(using: &chance))
      let model = ZooView(of: Snapshot(Array(snapshot)))
      for _ in 0..<4 { try Self.compare(view, model, "step \(step), seed \(seed)", &chance) }
      views.append(view)
    }
  }

  @Test("a view shares the rows of the tables that a commit doesn't touch")
  func sharing() throws {
    let before = Snapshot(
      [
        ZooRecord(Animal(name: "大貓熊")), ZooRecord(Plant(name: "九芎")),
        ZooRecord(ZooEvent(title: "講古")),
      ])
    let first = ZooView(of: before)
    _ = first.find(AnimalQuery(text: "熊"))
    let second = ZooView(
      of: before.applying(Changes(upserting: [ZooRecord(Plant(name: "臺灣欒樹"))])), after: first)
    #expect(Self.address(second.animals) == Self.address(first.animals))
    #expect(Self.address(second.plants) != Self.address(first.plants))
    #expect(second.plants.map(\.name) == ["九芎", "臺灣欒樹"])
    let checked = before.applying(Changes(), checkpoint: Checkpoint(lastSuccess: Date()))
    let third = ZooView(of: checked, after: first)
    #expect(third.checkpoint?.lastSuccess != nil)
    #expect(Self.address(third.plants) == Self.address(first.plants))
  }

  private static func address<Row>(_ rows: [Row]) -> Int {
    unsafe rows.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) }
  }

  // MARK: Comparing

  private static func compare(
    _ view: ZooView, _ model: ZooView, _ comment: String, _ chance: inout SeededGenerator
  ) throws {
    let name = names.randomElement(using: &chance) ?? ""
    let here = try place(&chance)
    let area = ZooArea.ID(name: areas.randomElement(using: &chance) ?? "")
    switch Int.random(in: 0..<7, using: &chance) {
    case 0:
      #expect(view.animals == model.animals, "\(comment)")
      #expect(view.areas == model.areas, "\(comment)")
      #expect(view.plants == model.plants, "\(comment)")
      #expect(view.events == model.events, "\(comment)")
      for animal in model.animals { #expect(view[animal.id] == model[animal.id], "\(comment)") }
    case 1: #expect(view.species == model.species, "\(comment)")
    case 2:
      let query = AnimalQuery(
        text: name, area: Bool.random(using: &chance) ? area : nil,
        order: Bool.random(using: &chance) ? .source : .name)
      #expect(view.find(query) == model.find(query), "\(query), \(comment)")
      #expect(view.count(query) == model.count(query), "\(query), \(comment)")
    case 3:
      let text = Bool.random(using: &chance) ? name : ""
      #expect(view.plants(matching: text) == model.plants(matching: text), "\(text), \(comment)")
    case 4:
      #expect(view.animals(in: area) == model.animals(in: area), "\(area), \(comment)")
      #expect(view.unmatchedLocations == model.unmatchedLocations, "\(comment)")
      #expect(view.area(named: name) == model.area(named: name), "\(comment)")
    case 5:
      let count = [1, 5, 400].randomElement(using: &chance) ?? 1
      let near = view.nearest(to: here, count: count, plausibleOnly: false)
      #expect(near == model.nearest(to: here, count: count, plausibleOnly: false), "\(comment)")
      #expect(
        view.nearestAreas(to: here, count: count) == model.nearestAreas(to: here, count: count),
        "\(comment)")
    default: #expect(view.entries == model.entries, "\(comment)")
    }
  }

  // MARK: Records

  private static let names = ["大貓熊", "臺灣黑熊", "蜜熊", "panda bear", "Bear", "孔雀", "九芎"]
  private static let areas = ["鳥園區", "昆蟲館", "大貓熊館", "兒童動物區"]

  private static func place(_ chance: inout SeededGenerator) throws -> Coordinate {
    try Coordinate(
      latitude: 25 + Double(Int.random(in: 0..<20, using: &chance)) / 1_000, longitude: 121.5)
  }

  private static func animal(
    _ id: Int, _ chance: inout SeededGenerator
  ) throws -> Animal {
    let places = try (0..<Int.random(in: 0..<3, using: &chance)).map { _ in try place(&chance) }
    return Animal(
      id: .init(rawValue: "a\(id)"), name: names.randomElement(using: &chance) ?? "",
      englishName: Bool.random(using: &chance) ? names.randomElement(using: &chance) : nil,
      locationText: Bool.random(using: &chance) ? areas.randomElement(using: &chance) : "某處",
      places: places,
      pictures: [
        ZooMedia(
          number: 1,
          link: ZooLink("http://www.zoo.gov.tw/\(Int.random(in: 0..<3, using: &chance)).jpg"))
      ])
  }

  private static func area(_ id: Int, _ chance: inout SeededGenerator) throws -> ZooArea {
    ZooArea(
      id: .init(rawValue: "z\(id)"), name: areas.randomElement(using: &chance) ?? "",
      info: names.randomElement(using: &chance),
      places: Bool.random(using: &chance) ? [try place(&chance)] : [])
  }

  private static func record(_ chance: inout SeededGenerator) throws -> ZooRecord {
    let id = Int.random(in: 0..<150, using: &chance)
    switch Int.random(in: 0..<10, using: &chance) {
    case 0: return ZooRecord(try area(id % 5, &chance))
    case 1, 2:
      return ZooRecord(
        Plant(id: .init(rawValue: "p\(id)"), name: names.randomElement(using: &chance) ?? ""))
    case 3:
      return ZooRecord(
        ZooEvent(id: .init(rawValue: "e\(id)"), title: names.randomElement(using: &chance) ?? ""))
    case 4:
      let table = ZooTable.allCases.randomElement(using: &chance) ?? .animals
      let prefix = [ZooTable.animals: "a", .areas: "z", .plants: "p", .events: "e"][table] ?? ""
      let keys = (0..<150).shuffled(using: &chance).prefix(Int.random(in: 0..<150, using: &chance))
      return ZooRecord(order: keys.map { prefix + "\($0)" }, of: table)
    default: return ZooRecord(try animal(id, &chance))
    }
  }

  /// Returns another row with the ID of a record, or `nil` for the order of a table.
  private static func edited(
    _ record: ZooRecord, _ chance: inout SeededGenerator
  ) throws -> ZooRecord? {
    switch record.content {
    case .animal(var animal):
      if Bool.random(using: &chance) {
        animal.diet = names.randomElement(using: &chance)
        return ZooRecord(animal)
      }
      animal = try Self.animal(0, &chance)
      animal.id = .init(rawValue: record.id.key ?? "")
      return ZooRecord(animal)
    case .area(var area):
      area.info = names.randomElement(using: &chance)
      if Bool.random(using: &chance) { area.places = [try place(&chance)] }
      return ZooRecord(area)
    case .plant(var plant):
      plant.name = names.randomElement(using: &chance) ?? ""
      return ZooRecord(plant)
    case .event(var event):
      event.title = names.randomElement(using: &chance) ?? ""
      return ZooRecord(event)
    case .order, .unreadable: return nil
    }
  }
}
