import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("The old app's data", .timeLimit(.minutes(60)))
struct LegacyImportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func photo(_ number: Int, _ bytes: Data? = nil) throws {
    try (bytes ?? Photos.jpeg(number)).write(to: folder.url.appending(path: "\(number).jpg"))
  }

  @Test(
    "the old app's data is read from the file of the defaults, binary and XML",
    arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func propertyList(format: PropertyListSerialization.PropertyListFormat) async throws {
    let values: [String: Any] = [
      "insertionID": 2, "nameOfID0": "石虎", "nameOfID1": "雲豹 & \u{3000}", "date": Date(),
      "list": [1, 2], "data": Data([1]), "flag": true, "number": 1.5, "nameOfID01": "no",
      "nameOfIDx": "no", "nested": ["a": ["b": 1]],
    ]
    let file = folder.url.appending(path: "defaults.plist")
    try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
      .write(to: file)
    let old = try LegacyZooData(propertyList: file, documents: folder.url)
    #expect(old.counter == 2)
    #expect(old.names == [0: "石虎", 1: "雲豹 & \u{3000}"])
    try photo(0)
    try photo(1)
    let takeover = try await Zoo.offline().importLegacyData(old)
    #expect(takeover.sightings.map(\.name) == ["石虎", "雲豹 &"])
  }

  @Test("old records have names under both spellings of keys, of which the app's own is used")
  func spellings() async throws {
    for number in 0..<3 { try photo(number) }
    let old = LegacyZooData(
      defaults: [
        "insertionID": 3, "idNameOf0": "零", "nameOfID1": "一", "idNameOf1": "no", "idNameOf2": "二",
        "idNameOf02": "no", "idNameOf": "no", "idNameOf-1": "no", "idnameof0": "no",
        "idNameOf1000000000": "no",
      ], documents: folder.url)
    #expect(old.names == [0: "零", 1: "一", 2: "二"])
    let takeover = try await Zoo.offline().importLegacyData(old)
    #expect(takeover.sightings.map(\.name) == ["零", "一", "二"])
    #expect(takeover.failures.isEmpty)
  }

  @Test("the old app's data is an error if the file doesn't exist or isn't a property list")
  func badFile() throws {
    let file = folder.url.appending(path: "defaults.plist")
    for (bytes, code) in [
      (nil, .io), (Data(), .malformed), (Data("no list".utf8), .malformed),
      (Data("bplist00\u{1}\u{2}".utf8), .malformed), (Data("<html></html>".utf8), .malformed),
    ] as [(Data?, FieldError.Code)] {
      try bytes?.write(to: file)
      let error = #expect(throws: FieldError.self) {
        try LegacyZooData(propertyList: file, documents: folder.url)
      }
      #expect(error?.code == code)
    }
  }

  @Test("the old app's data is imported without the damaged records, which are reported one by one")
  func damaged() async throws {
    try photo(0)
    try photo(1, Data("no photo".utf8))
    try photo(3)
    try photo(4, Data())
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "5.jpg"), withIntermediateDirectories: true)
    try photo(6)
    let old = LegacyZooData(
      defaults: [
        "insertionID": 8, "nameOfID0": "零", "nameOfID1": "一", "nameOfID2": "二", "nameOfID4": "四",
        "nameOfID5": "五", "nameOfID6": "  ",
      ], documents: folder.url)
    let zoo = Zoo.offline()
    let takeover = try await zoo.importLegacyData(old)
    #expect(takeover.sightings.map(\.number) == [0])
    #expect(takeover.failures.map(\.number) == Array(1...7))
    #expect(
      takeover.failures.map(\.problems) == [
        [.photoFormat], [.photoMissing], [.nameMissing], [.photoMissing], [.photoUnreadable],
        [.nameMissing], [.nameMissing, .photoMissing],
      ])
    #expect(takeover.failures[2].photo == folder.url.appending(path: "3.jpg"))
    #expect(try await zoo.listing().nextNumber == 8)
    #expect(try await zoo.listing().lines == ["0 零"])
  }

  @Test("the old app's data has names for those without one if the app provides one")
  func unnamed() async throws {
    try photo(0)
    try photo(1)
    let old = LegacyZooData(
      defaults: ["insertionID": 2, "nameOfID1": " "], documents: folder.url,
      nameOfUnnamed: "未命名")
    let takeover = try await Zoo.offline().importLegacyData(old)
    #expect(takeover.sightings.map(\.name) == ["未命名", "未命名"])
  }

  @Test(
    "the old app's data follows the rules for names also if the app provides one",
    arguments: ["", " \u{3000}"])
  func blankNameOfUnnamed(name: String) async throws {
    try photo(0)
    try photo(1)
    let old = LegacyZooData(
      defaults: ["insertionID": 2, "nameOfID1": "一"], documents: folder.url, nameOfUnnamed: name)
    let takeover = try await Zoo.offline().importLegacyData(old)
    #expect(takeover.sightings.map(\.name) == ["一"])
    #expect(takeover.failures.map(\.problems) == [[.nameMissing]])
  }

  @Test(
    "the old app's data has no implausible counter",
    arguments: [-1, Int.max, 1_000_000_001, "many"] as [any Sendable])
  func badCounter(counter: any Sendable) async throws {
    try photo(3)
    let old = LegacyZooData(
      defaults: ["insertionID": counter, "nameOfID3": "三"], documents: folder.url)
    #expect(old.counter == nil)
    let zoo = Zoo.offline()
    #expect(try await zoo.importLegacyData(old).sightings.map(\.number) == [3])
    #expect(try await zoo.addSighting(name: "四", photo: Photos.jpeg()).number == 4)
  }

  @Test("a record of the old app with a number taken by a new sighting gets another number")
  func taken() async throws {
    try photo(0)
    try photo(1)
    let zoo = Zoo.offline()
    try await zoo.addSighting(name: "新", photo: Photos.jpeg(9))
    let old = LegacyZooData(
      defaults: ["insertionID": 2, "nameOfID0": "零", "nameOfID1": "一"], documents: folder.url)
    try await zoo.importLegacyData(old)
    #expect(try await zoo.listing().lines == ["2 零", "1 一", "0 新"])
  }

  @Test("a record of the old app with the number of a removed sighting gets another number, too")
  func takenBefore() async throws {
    try photo(0)
    let zoo = Zoo.offline()
    let sighting = try await zoo.addSighting(name: "新", photo: Photos.jpeg(9))
    try await zoo.removeSighting(sighting.id)
    let old = LegacyZooData(
      defaults: ["insertionID": 1, "nameOfID0": "零"], documents: folder.url)
    try await zoo.importLegacyData(old)
    #expect(try await zoo.listing().lines == ["1 零"])
  }

  @Test(
    "the old app's data is tried again if no photo could be read, or its folder isn't a file URL")
  func unreadable() async throws {
    let place = folder.url.appending(path: "0.jpg")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let defaults: [String: Any] = ["insertionID": 1, "nameOfID0": "零"]
    let old = LegacyZooData(defaults: defaults, documents: folder.url)
    let zoo = Zoo.offline()
    let error = await #expect(throws: FieldError.self) { try await zoo.importLegacyData(old) }
    #expect(error?.code == .io)
    try FileManager.default.removeItem(at: place)
    try photo(0)
    if let url = URL(string: folder.url.path) {
      let wrong = LegacyZooData(defaults: defaults, documents: url)
      let error = await #expect(throws: FieldError.self) { try await zoo.importLegacyData(wrong) }
      #expect(error?.code == .invalidInput)
    }
    #expect(try await zoo.importLegacyData(old).sightings.count == 1)
  }

  @Test("the old app's data isn't imported twice after a restart, concurrently, or after removals")
  func once() async throws {
    try photo(0)
    let old = LegacyZooData(
      defaults: ["insertionID": 1, "nameOfID0": "零"], documents: folder.url)
    let place = try TemporaryFolder()
    let zoo = Zoo.offline(.directory(place.url))
    try await withThrowingTaskGroup(of: ZooImport.self) { group in
      for _ in 0..<8 { group.addTask { try await zoo.importLegacyData(old) } }
      let done = try await group.reduce(into: 0) { $0 += $1.wasDoneBefore ? 0 : 1 }
      #expect(done == 1)
    }
    try await zoo.eraseSightings()
    try await zoo.close()
    let again = Zoo.offline(.directory(place.url))
    #expect(try await again.importLegacyData(old).wasDoneBefore)
    #expect(try await again.listing().nextNumber == 1)
    try await again.close()
  }

  @Test(
    "the old data of an app that was never used is imported, too, and so is that without a folder")
  func empty() async throws {
    let zoo = Zoo.offline()
    let nowhere = folder.url.appending(path: "nowhere")
    let takeover = try await zoo.importLegacyData(LegacyZooData(defaults: [:], documents: nowhere))
    #expect(takeover == ZooImport())
    #expect(
      try await zoo.importLegacyData(LegacyZooData(defaults: [:], documents: nowhere)).wasDoneBefore
    )
  }

  @Test("the old app's data remains to be imported if it can't be stored")
  func retry() async throws {
    try photo(0)
    let old = LegacyZooData(
      defaults: ["insertionID": 1, "nameOfID0": "零"], documents: folder.url)
    let fileSystem = MemoryFileSystem()
    let zoo = Zoo.unshared(
      in: URL(filePath: "/data"), seed: 1, fileSystem: fileSystem, clock: ImmediateClock())
    fileSystem.failAlways("write", 28)
    let error = await #expect(throws: FieldError.self) { try await zoo.importLegacyData(old) }
    #expect(error?.code == .diskFull)
    fileSystem.failAlways(nil)
    #expect(try await zoo.importLegacyData(old).sightings.map(\.name) == ["零"])
  }
}
