import FieldCore
import Foundation
import TestSupport
import Testing
import ZooKit

@Suite("The zoo's models")
struct ZooModelJSONTests {
  private static let date = Date(timeIntervalSince1970: 1_767_225_600)

  @Test("the zoo's models have JSON that other programs can read")
  func models() throws {
    let panda = Animal(id: "panda", name: "大貓熊")
    let sighting = Sighting(
      id: "s1", number: 3, name: "石虎",
      photo: .init(blob: BlobID(of: [1]), format: .jpeg, byteCount: 1), date: Self.date)
    let listing = ZooListing(
      sightings: [
        ZooEntry(
          sequence: 3, content: .sighting(sighting), picture: .stored(BlobID(of: [1])),
          problem: .photoDamaged)
      ],
      animals: [(panda, .remote(address("https://zoo.example/panda.jpg"))), (panda, nil)],
      nextNumber: 4, lastRefresh: Self.date)
    var report = ZooImport()
    report.failures = [
      .init(number: 1, name: nil, photo: address("file:///tmp/1.jpg"), problems: [.photoFormat])
    ]
    // Batches are like those of any other record now: see `core-models`.
    try Golden("zoo-models").expectModels(
      [
        "ids": listing.map(\.id),
        "import": report,
        "limits": SightingLimits(photoFormats: [.png, .jpeg, .heic]),
        "listing": listing,
        "picture": ZooPicture.file(address("file:///tmp/1.jpg")),
        "query": AnimalQuery(classes: [.mammals, .birds], statuses: [.endangered, .vulnerable]),
        "refusal": SightingRefusal(problems: [.nameMissing]),
      ], retired: ["batch"])
  }
}
