import FieldCore
import FieldFakes
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("The zoo's front door", .timeLimit(.minutes(60)))
struct FrontDoorTests {
  @Test("the zoo's front door works as documented in the architecture")
  func asWritten() async throws {
    let portal = FakeTaipeiOpenData(
      datasets: [
        FakeTaipeiOpenData.Dataset(
          Portal.animalID,
          rows: [
            [
              "A_Name_Ch": "大貓熊", "A_AlsoKnown": "貓熊、熊貓",
              "A_Pic01_URL": "http://www.zoo.gov.tw/Panda Pic01.jpg",
            ]
          ]), Portal.areas(count: 2), Portal.plants,
      ], pictures: ["/Panda Pic01.jpg": .init(bytes: [UInt8](Photos.jpeg(5)))])
    let jpeg = Photos.jpeg()
    let folder = try TemporaryFolder()
    let zoo = Zoo(storage: .directory(folder.url), transport: portal)

    try await zoo.refresh()
    let sighting = try await zoo.addSighting(name: "石虎", photo: jpeg)
    var lines: [String] = []
    for entry in try await zoo.listing() {
      lines.append("\(entry.sequence) \(entry.name) \(entry.picture as Any)")
    }
    let pandas = try await zoo.animals(AnimalQuery(text: "熊貓"))
    let panda = try await zoo.image(for: pandas[0])

    #expect(sighting.number == 0)
    #expect(lines.count == 2)
    #expect(lines[0].hasPrefix("0 石虎") && lines[0].contains("file(file:///"))
    #expect(lines[1].hasPrefix("1 大貓熊") && lines[1].contains("remote(https://"))
    #expect(panda.data == Photos.jpeg(5))
    try await zoo.close()
  }

  @Test("the zoo's front door opens early on request, and reports what was cut off")
  func opening() async throws {
    let folder = try TemporaryFolder()
    let first = Zoo.offline(.directory(folder.url))
    try await first.addSighting(name: "石虎", photo: Photos.jpeg())
    try await first.close()
    let file = folder.url.appending(path: "sightings.store")
    var bytes = try Data(contentsOf: file)
    bytes.append(contentsOf: [1, 2, 3])
    try bytes.write(to: file)
    let second = Zoo.offline(.directory(folder.url))
    let report = try await second.open()
    #expect(report.recordCount == 1)
    #expect(report.cuts.count == 1)
    #expect(try await second.listing().lines == ["0 石虎"])
    try await second.close()
    await #expect(throws: FieldError.self) {
      try await second.addSighting(name: "石虎", photo: Photos.jpeg())
    }
    #expect(second.dataSources == [.taipeiZoo])
  }

  @Test("the zoo's front door shows stored data, and stores nothing, if opened read-only")
  func readOnly() async throws {
    let folder = try TemporaryFolder()
    let first = Zoo.offline(.directory(folder.url))
    try await first.addSighting(name: "石虎", photo: Photos.jpeg())
    try await first.close()
    let reader = Zoo.offline(.directory(folder.url, access: .readOnly))
    #expect(try await reader.listing().lines == ["0 石虎"])
    #expect(try await reader.image(for: reader.listing()[0]).data == Photos.jpeg())
    try await reader.open()
    let error = await #expect(throws: FieldError.self) {
      try await reader.addSighting(name: "雲豹", photo: Photos.jpeg(1))
    }
    #expect(error?.code == .readOnly)
    try await reader.close()
  }
}
