//! The shortest way to use the meteorites.

// snippet.hide
import FieldKit
import Foundation

func basics(folder: URL) async throws {
  // snippet.show
  // snippet.catalog
  let catalog = MeteoriteCatalog(storage: .directory(folder), transport: URLSessionTransport())
  try await catalog.refresh()
  let heavy = try await catalog.find(
    MeteoriteQuery(fall: .fell, years: 2011..., order: .massDescending))
  // snippet.end

  // snippet.queries
  let here = try Coordinate(latitude: 48.15, longitude: 17.11)
  let near = try await catalog.nearest(to: here, count: 5)
  let irons = try await catalog.count(MeteoriteQuery(groups: [.iron], massInGrams: 1_000_000...))
  let found = try await catalog.find(MeteoriteQuery(text: "osterplana"))  // Österplana 009 …

  let view = try await catalog.view()  // synchronous from here on
  let chelyabinsk = view[57165]
  // snippet.end
  print(heavy.count, near.count, irons, found.count, chelyabinsk?.name ?? "")

  // snippet.errors
  do {
    try await catalog.refresh(.now)
  } catch let error as FieldError where error.code == .offline {
    print("offline; the data is of \(String(describing: try await catalog.lastRefresh))")
  } catch let error as FieldError where error.code == .snapshotRefused {
    print(error.message)
  }
  // snippet.end
  // snippet.hide
}
