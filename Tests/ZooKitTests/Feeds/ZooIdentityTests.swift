import FieldCore
import TestSupport
import Testing
import ZooKit

@Suite("The key of a row")
struct ZooIdentityTests {
  private static let rows: [(name: String, longitude: String, latitude: String)] = [
    ("大貓熊", "121.5832", "24.9971"), ("雙峰駱駝", "121.5856", "24.995"),
    ("雙峰駱駝", "121.5827", "24.9987"), ("小葉桑", "121.5837", "24.9957"), ("鴯?", "121.58", "24.99"),
    ("花豹", "", ""),
  ]

  private static func ids(_ rows: [(name: String, longitude: String, latitude: String)]) throws
    -> [Animal.ID]
  {
    let body = rows.enumerated().map {
      ZooFixture.animal($0.offset + 1, $0.element.name, $0.element.longitude, $0.element.latitude)
    }
    return try Batch<ZooRecord>(reading: ZooFixture.answer(body)).animals.map(\.id)
  }

  // 1.5-7 of Docs/old-apps.md
  @Test("the key of a row doesn't depend on the surrounding rows, nor on their numbers")
  func independent() throws {
    let ids = try Self.ids(Self.rows)
    #expect(Set(ids).count == ids.count)
    let seed: UInt64 = 7
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var order = Array(Self.rows.indices).shuffled(using: &random)
      order.removeLast(Int.random(in: 0...3, using: &random))
      let found = try Self.ids(order.map { Self.rows[$0] })
      #expect(found == order.map { ids[$0] }, "seed \(seed)")
    }
  }

  // 1.5-7 of Docs/old-apps.md
  @Test("the key of a row distinguishes rows with the same name and place by their order")
  func equal() throws {
    let twice = [("小葉桑", "121.5837", "24.9957"), ("小葉桑", "121.58371", "24.99569")]
    #expect(
      try Self.ids(twice) == ["小葉桑@24.9957,121.5837", "小葉桑@24.9957,121.5837#2"])
    #expect(
      try Self.ids([("甲#2", "", ""), ("甲", "", ""), ("甲", "", ""), ("甲", "", "")])
        == ["甲#2", "甲", "甲#3", "甲#4"])
  }

  // 1.5-7 of Docs/old-apps.md
  @Test(
    "the key of a row is the same in 2022 and in 2026, though the number of the row differs",
    .enabled(if: SharedData.isThere, "the captures of ../shared are not here"))
  func acrossYears() throws {
    func animals(_ file: String) throws -> [Animal] {
      try Batch<ZooRecord>(reading: SharedData.bytes("zoo/\(file)")).animals
    }
    let old = try animals("animals-esedoi.json")
    let new = try animals("animals-v1-2026-full.json")
    let ids = Set(new.map(\.id))
    // The tiger is gone from the data of 2026.
    #expect(old.filter { !ids.contains($0.id) }.map(\.name) == ["孟加拉虎"])
    let kookaburra = "笑翠鳥"
    #expect(old.first { $0.name == kookaburra }?.rowNumber == 19)
    #expect(new.first { $0.name == kookaburra }?.rowNumber == 23)
    #expect(try animals("animals-iamoscarliang.json").allSatisfy { ids.contains($0.id) })
  }
}
