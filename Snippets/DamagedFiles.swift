//! What an app does about a store file that is damaged.

// snippet.hide
import FieldKit
import Foundation

struct Visit: StoredRecord {
  var id: UUID
  var place: String
}

func damaged(folder: URL) async throws {
  // snippet.show
  // snippet.notice
  let store = FileStore<Visit>(folder.appending(path: "visits.store"))
  let report = try await store.open()
  for cut in report.cuts { print(cut.reason, cut.byteCount, cut.savedAs as Any) }
  if !report.setAside.isEmpty { print("some visits may be missing") }
  // snippet.end

  // snippet.salvage
  let salvaged = try await store.salvage()
  print(salvaged.salvagedRecordCount, "visits are back")
  for loss in salvaged.losses { print(loss.byteCount, "bytes lost in", loss.file.path) }
  // snippet.end

  // snippet.examine
  let file = StoreFile(folder.appending(path: "sightings.store"))
  for part in try await file.examine().parts {
    print(part.offset, part.byteCount, part.isDamaged ? "damaged" : "whole")
  }
  for line in try await file.jsonLines() { print(line) }
  try await file.salvage(to: folder.appending(path: "sightings-copy.store"))
  // snippet.end

  // snippet.discard
  try await store.removeSetAside()
  // snippet.end
  // snippet.hide
}
