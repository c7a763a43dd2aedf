import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

/// What the old app could do, item by item.
@Suite("The old app's list", .timeLimit(.minutes(60)))
struct ChecklistTests {
  private let clock = ManualClock(now: Samples.noon)

  private func zoo(
    _ source: ScriptedZoo = ScriptedZoo(Samples.animals("大貓熊", "無尾熊")),
    storage: Storage = .inMemory
  ) -> Zoo {
    Zoo(sources: source.sources, storage: storage, clock: clock)
  }

  // Z1 of Docs/old-apps.md
  @Test("the list contains the user's records and the zoo's animals, the user's first")
  func oneList() async throws {
    let zoo = zoo()
    try await zoo.refresh()
    try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    let listing = try await zoo.listing()
    #expect(listing.map(\.name) == ["石虎", "大貓熊", "無尾熊"])
    #expect(listing.map(\.isLocal) == [true, false, false])
    #expect(listing.sightingCount == 1)
  }

  @Test("the list finds sightings and animals by any of their names, in any spelling, in its order")
  func search() async throws {
    let zoo = zoo(
      ScriptedZoo([
        Animal(name: "大貓熊", englishName: "Giant Panda", alternativeNamesText: "貓熊、熊貓"),
        Animal(name: "臺灣黑熊", latinName: "Ursus thibetanus"),
      ]))
    try await zoo.refresh()
    try await zoo.addSighting(name: "台灣石虎", photo: Photos.jpeg())
    let listing = try await zoo.listing()
    #expect(listing.search("台灣").map(\.name) == ["台灣石虎", "臺灣黑熊"])
    #expect(listing.search("臺灣").map(\.name) == ["台灣石虎", "臺灣黑熊"])
    #expect(listing.search("熊貓").map(\.name) == ["大貓熊"])
    #expect(listing.search("ＰＡＮＤＡ").map(\.animal?.name) == ["大貓熊"])
    #expect(listing.search("thibet").map(\.name) == ["臺灣黑熊"])
    #expect(listing.search(" ").isEmpty && listing.search("獅").isEmpty)
    #expect(listing.first?.sighting?.name == "台灣石虎" && listing.first?.animal == nil)
  }

  // Z2 of Docs/old-apps.md
  @Test("the list numbers five records 0 to 4 and the animals from 5 on, after one more from 6 on")
  func numbers() async throws {
    let zoo = zoo()
    try await zoo.refresh()
    for index in 0..<5 {
      try await zoo.addSighting(name: "我的\(index)", photo: Photos.jpeg(index))
    }
    #expect(try await zoo.listing().map(\.sequence) == [4, 3, 2, 1, 0, 5, 6])
    try await zoo.addSighting(name: "我的5", photo: Photos.jpeg(5))
    let listing = try await zoo.listing()
    #expect(listing.map(\.sequence) == [5, 4, 3, 2, 1, 0, 6, 7])
    #expect(listing.nextNumber == 6)
    #expect(listing.animals.map(\.sequence) == [6, 7])
  }

  // Z3 of Docs/old-apps.md
  @Test("the newest sighting is first, and the animals are in the order of the zoo")
  func order() async throws {
    let source = ScriptedZoo(Samples.animals("乙", "甲", "丙"))
    let zoo = zoo(source)
    try await zoo.refresh()
    for name in ["一", "二", "三"] { try await zoo.addSighting(name: name, photo: Photos.jpeg()) }
    #expect(try await zoo.listing().map(\.name) == ["三", "二", "一", "乙", "甲", "丙"])
    // A new animal at the front and another order of the rest.
    source.give(Batch<ZooRecord>(animals: Samples.animals("丁", "丙", "乙", "甲")))
    let report = try await zoo.refresh(.now)
    #expect((report.added, report.updated, report.unchanged) == (1, 0, 3))
    #expect(try await zoo.listing().animals.map(\.name) == ["丁", "丙", "乙", "甲"])
  }

  // Z4 of Docs/old-apps.md
  @Test("a record needs a picture and a name, and everything missing is reported at once")
  func validation() async throws {
    let zoo = zoo()
    for (name, photo, problems) in [
      (nil, nil, [.nameMissing, .photoMissing]), ("", Photos.jpeg(), [.nameMissing]),
      ("石虎", nil, [.photoMissing]), ("\u{3000}", Data(), [.nameMissing, .photoMissing]),
    ] as [(String?, Data?, [SightingProblem])] {
      let error = await #expect(throws: FieldError.self) {
        try await zoo.addSighting(name: name, photo: photo)
      }
      #expect(error?.code == .sightingRefused)
      #expect(error?.sightingProblems == problems)
    }
    #expect(ZooTexts.refusalTitle.string(in: .traditionalChinese) == "資料還沒填妥喔")
    #expect(ZooTexts.refusalText.string(in: .traditionalChinese) == "請確定已插入照片與動物名稱！")
  }

  // Z5 of Docs/old-apps.md
  @Test("every entry reports if it is local and where its picture is, which one call returns")
  func pictures() async throws {
    let folder = try TemporaryFolder()
    let picture = [UInt8](Photos.jpeg(9))
    let portal = FakeTaipeiOpenData(pictures: ["/大貓熊 1.jpg": .init(bytes: picture)])
    let zoo = Zoo(
      sources: ScriptedZoo(Samples.animals("大貓熊")).sources, storage: .directory(folder.url),
      transport: portal, clock: clock)
    try await zoo.refresh()
    try await zoo.addSighting(name: "石虎", photo: Photos.jpeg(1))
    let listing = try await zoo.listing()
    guard case .file(let file)? = listing[0].picture, case .remote(let url)? = listing[1].picture
    else {
      Issue.record("\(listing.map(\.picture))")
      return
    }
    #expect(try Data(contentsOf: file) == Photos.jpeg(1))
    #expect(
      url.absoluteString == "https://www.zoo.gov.tw/%E5%A4%A7%E8%B2%93%E7%86%8A%201.jpg")
    #expect(try await zoo.image(for: listing[0]).data == Photos.jpeg(1))
    #expect(try await zoo.image(for: listing[0]).file == file)
    #expect(try await zoo.image(for: listing[1]).data == Data(picture))
    try await zoo.close()
  }

  // Z6 of Docs/old-apps.md
  @Test("records survive a restart, and a number is never used twice")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let first = zoo(storage: .directory(folder.url))
    let old = try await first.addSighting(name: "石虎", photo: Photos.jpeg(1))
    let gone = try await first.addSighting(name: "雲豹", photo: Photos.jpeg(2))
    try await first.removeSighting(gone.id)
    try await first.close()
    let second = zoo(storage: .directory(folder.url))
    #expect(try await second.sightings() == [old])
    #expect(try await second.listing().nextNumber == 2)
    #expect(try await second.addSighting(name: "黑熊", photo: Photos.jpeg(3)).number == 2)
    try await second.close()
  }

  // Z7 of Docs/old-apps.md
  @Test("the user's part is shown before the network responds, with a loading state")
  func loading() async throws {
    let source = ScriptedZoo(Samples.animals("大貓熊"))
    let zoo = zoo(source)
    try await zoo.addSighting(name: "石虎", photo: Photos.jpeg())
    source.hold()
    var steps = zoo.refreshProgress().makeAsyncIterator()
    async let report = zoo.refresh()
    #expect(await steps.next()?.phase == .requesting)
    #expect(try await zoo.listing().lines == ["0 石虎"])
    source.release()
    _ = try await report
    var last: RefreshProgress?
    while let step = await steps.next() {
      last = step
      if step.outcome != nil { break }
    }
    #expect(last?.fractionCompleted == 1)
    #expect(try await zoo.listing().lines == ["0 石虎", "1 大貓熊"])
    #expect(ZooTexts.loadingTitle.string(in: .traditionalChinese) == "動物集合中")
    #expect(ZooTexts.loadingText.string(in: .traditionalChinese) == "請稍候。。。")
  }

  // Z8 of Docs/old-apps.md
  @Test("a picture is downloaded once, and kept across a restart and without a network")
  func pictureCache() async throws {
    let folder = try TemporaryFolder()
    let portal = FakeTaipeiOpenData(
      pictures: ["/大貓熊 1.jpg": .init(bytes: [UInt8](Photos.jpeg()))])
    let first = Zoo(
      sources: ScriptedZoo(Samples.animals("大貓熊")).sources, storage: .directory(folder.url),
      transport: portal, clock: clock)
    try await first.refresh()
    let animal = try await first.animals()[0]
    #expect(try await first.image(for: animal).origin == .network)
    #expect(try await first.image(for: animal).origin == .memory)
    try await first.close()
    let second = Zoo(sources: NoSource().sources, storage: .directory(folder.url), clock: clock)
    let entry = try await second.listing()[0]
    #expect(try await second.image(for: entry).origin == .disk)
    #expect(portal.requests.count == 1)
    try await second.close()
  }

  // Z9 of Docs/old-apps.md
  @Test("the old app's records are imported once, with their numbers")
  func takeover() async throws {
    let folder = try TemporaryFolder()
    for number in 0..<3 {
      try Photos.jpeg(number).write(to: folder.url.appending(path: "\(number).jpg"))
    }
    let old = LegacyZooData(
      defaults: [
        "insertionID": 3, "nameOfID0": "石虎", "nameOfID1": "雲豹", "nameOfID2": "黑熊",
        "other": Date(),
      ], documents: folder.url)
    let zoo = zoo()
    let takeover = try await zoo.importLegacyData(old)
    #expect(takeover.sightings.map(\.number) == [0, 1, 2])
    #expect(takeover.failures.isEmpty)
    #expect(try await zoo.listing().lines == ["2 黑熊", "1 雲豹", "0 石虎"])
    #expect(try await zoo.addSighting(name: "新", photo: Photos.jpeg(9)).number == 3)
    let again = try await zoo.importLegacyData(old)
    #expect(again.wasDoneBefore && again.sightings.isEmpty)
    #expect(try await zoo.sightings().count == 4)
  }
}
