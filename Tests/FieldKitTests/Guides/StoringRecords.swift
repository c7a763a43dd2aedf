import FieldKit
import FieldTesting
import Foundation
import Testing

// What the article "Storing records" shows, at work: each slice is a part of the page.

// snippet.record
struct Visit: StoredRecord {
  var id: UUID
  var place: String
  var stars: Int?
}
// snippet.end

@Suite("The guide to storing records")
struct StoringRecords {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let first = Visit(id: UUID(), place: "Chelyabinsk")
  private let second = Visit(id: UUID(), place: "Osterplana")

  @Test("the guide's record store commits, reads, updates and reopens")
  func everyDay() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    // snippet.store
    let store = FileStore<Visit>(folder.appending(path: "visits.store"))
    // snippet.end

    // snippet.commit
    var changes = Changes<Visit>()
    changes.upsert(first)
    changes.upsert(second)
    try await store.commit(changes, checkpoint: nil, expecting: nil)  // on the device now
    // snippet.end

    // snippet.snapshot
    let visits = try await store.snapshot()
    print(visits.count, visits[id: first.id]?.place ?? "unknown")
    for visit in visits where visit.stars == nil { print(visit.place) }
    // snippet.end
    #expect(visits.map(\.place) == ["Chelyabinsk", "Osterplana"])

    // snippet.update
    try await store.update { visits, changes in
      guard var visit = visits[id: first.id] else { return }
      visit.stars = 5
      changes.upsert(visit)
      changes.remove(second.id)
    }
    // snippet.end
    #expect(try await store.snapshot().map(\.stars) == [5])
    #expect(visits.count == 2)
    try await store.close()

    #expect(try await reopened().map(\.stars) == [5])
  }

  private func reopened() async throws -> Snapshot<Visit> {
    // snippet.report
    let store = FileStore<Visit>(folder.appending(path: "visits.store"))
    let report = try await store.open()
    for cut in report.cuts {
      print("\(cut.byteCount) bytes of \(cut.file.path) could not be read: \(cut.reason)")
      if let copy = cut.savedAs { print("they are kept in \(copy.path)") }
    }
    // snippet.end
    #expect(report.isClean)
    return try await store.snapshot()
  }

  @Test("the guide's record store rejects changes based on an older revision")
  func conflict() async throws {
    let store = InMemoryStore([first])
    let before = try await store.snapshot()
    try await store.commit(Changes(upserting: [second]), checkpoint: nil, expecting: nil)
    var changes = Changes<Visit>()
    changes.removeAll()
    var isRefused = false
    // snippet.conflict
    do {
      try await store.commit(changes, checkpoint: nil, expecting: before.revision)
    } catch let error as FieldError where error.code == .conflict {
      // Somebody was faster, and nothing has been changed: look again, or ask the user.
      // snippet.hide
      isRefused = true
      // snippet.show
    }
    // snippet.end
    #expect(isRefused)
    #expect(try await store.snapshot().count == 2)
  }

  @Test("the guide's record store shows the newest content until the store is closed")
  func updates() async throws {
    let store = InMemoryStore([first])
    var counts: [Int] = []
    // snippet.updates
    for try await visits in store.updates() {
      print(visits.count)  // the content of now comes first
      // snippet.hide
      counts.append(visits.count)
      if counts.count == 1 {
        try await store.commit(Changes(upserting: [second]), checkpoint: nil, expecting: nil)
      } else {
        await store.close()
      }
      // snippet.show
    }
    // snippet.end
    #expect(counts == [1, 2])
  }

  @Test("the guide's record store keeps a cursor with the rows that it describes")
  func checkpoint() async throws {
    let store = InMemoryStore<Visit>()
    let (page, cursor) = ([first, second], "page-2")
    // snippet.checkpoint
    var checkpoint = try await store.snapshot().checkpoint ?? Checkpoint()
    checkpoint.cursors["visits"] = cursor
    try await store.commit(Changes(upserting: page), checkpoint: checkpoint, expecting: nil)
    // snippet.end
    #expect(try await store.snapshot().checkpoint?.cursors == ["visits": "page-2"])
  }

  @Test("the guide's record store reads an older version of the record, and rejects a newer one")
  func migration() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "visits.store")
    let id = UUID()
    let old = FileStore<Trip.Version1>(file)
    try await old.commit(
      Changes(upserting: [Trip.Version1(id: id, text: "Ensisheim")]), checkpoint: nil,
      expecting: nil)
    try await old.close()

    let new = FileStore<Trip>(file)
    #expect(try await new.snapshot()[id: id] == Trip(id: id, place: "Ensisheim", stars: []))
    try await new.commit(
      Changes(upserting: [Trip(id: UUID(), place: "Orgueil", stars: [5])]), checkpoint: nil,
      expecting: nil)
    try await new.close()

    let again = FileStore<Trip.Version1>(file)
    await #expect {
      try await again.snapshot()
    } throws: {
      ($0 as? FieldError)?.code == .newerFormat
    }
  }
}

// snippet.migration
struct Trip: StoredRecord {
  static let formatVersion = 2

  var id: UUID
  var place: String  // was `text` in version 1
  var stars: [Int]  // was not there in version 1

  static func migrate(from older: OlderRecord) throws -> Trip {
    let first = try older.decode(as: Version1.self)
    return Trip(id: first.id, place: first.text, stars: [])
  }

  struct Version1: Decodable {
    var id: UUID
    var text: String
  }
}
// snippet.end

extension Trip.Version1: StoredRecord {
  static var storedName: String { "Trip" }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(text, forKey: .text)
  }

  private enum CodingKeys: CodingKey { case id, text }
}
