//! The basics of FieldCore: requests, records, errors, places, and text.

// snippet.hide
import FieldKit
import Foundation

struct Visit: StoredRecord {
  var id: UUID
  var place: String
}

func basics(url: URL, folder: URL, visit: Visit) async throws {
  // snippet.show
  // snippet.sending
  let transport = URLSessionTransport().retrying().logging { print($0) }
  let answer = try await transport.send(TransportRequest(url: url, operation: "guide.rows"))
  print(answer.status, try answer.body.bytes().count)
  // snippet.end

  // snippet.storing
  let store = FileStore<Visit>(folder.appending(path: "visits.store"))
  try await store.commit(Changes(upserting: [visit]), checkpoint: nil, expecting: nil)
  for visit in try await store.snapshot() { print(visit.place) }
  // snippet.end

  // snippet.errors
  do {
    _ = try await transport.send(TransportRequest(url: url, operation: "guide.rows"))
  } catch let error as FieldError where error.code == .offline {
    print("no network; the stored rows are still there")
  } catch let error as FieldError {
    print(error.message, error.problems)
  }
  // snippet.end
  // snippet.hide
}

func places() throws {
  // snippet.show
  // snippet.places
  let bratislava = try Coordinate(latitude: 48.15, longitude: 17.11)
  let fiji = try GeoBox(south: -21, west: 177, north: -12, east: -178)  // across the antimeridian
  print(fiji.contains(bratislava), bratislava.distance(to: fiji.center))
  // snippet.end

  // snippet.text
  let text = FieldText(
    "meteorites.count", .count(1027),
    templates: [
      .english: .init(one: "{0} meteorite", other: "{0} meteorites"),
      .traditionalChinese: "{0} 顆隕石",
    ])
  print(text.string(), text.string(in: .traditionalChinese, numbers: .grouped))
  // snippet.end
  // snippet.hide
}
