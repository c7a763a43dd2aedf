//! The shortest way to use a city directory.

// snippet.hide
import FieldKit
import Foundation

func civicBasics(folder: URL) async throws {
  // snippet.show
  // snippet.directory
  let directory = CivicDirectory(storage: .directory(folder), transport: URLSessionTransport())
  try await directory.refresh()
  let tiles = try await directory.facilities()
  for tile in tiles { print(tile.name, try await directory.units(in: tile.id).count) }
  if let tile = try await directory.category(named: "廁所") { print(tile.iconName as Any) }
  // snippet.end

  // snippet.search
  let hits = try await directory.search("社會")
  for hit in hits { print(hit.unit.name, hit.nameRanges.map { hit.unit.name[$0] }) }
  let strict = CivicSearch("社會 福利", words: .all, fields: .all, limit: 20)
  print(try await directory.search(strict).count)
  // snippet.end

  // snippet.history
  let again = try await directory.search("社會", recordingInHistory: true)
  print(again.count, "units")
  print(try await directory.searchHistory.entries())
  // snippet.end

  // snippet.detail
  if let detail = try await directory.unit("adminUnit_56d934f442b0b2_60914194") {
    print(detail.unit.name, detail.unit.floor as Any, detail.unit.planPosition as Any)
    print(detail.ancestors.map(\.name), detail.categories.map(\.name))
    for phone in detail.unit.phones { print(phone, "tel:\(phone.dialString)") }
  }
  // snippet.end

  // snippet.launch
  if try await directory.claimFirstLaunch(of: .app) { print("welcome") }
  // snippet.end
  // snippet.hide
}
