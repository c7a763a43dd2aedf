//! The storages that a field can use.

// snippet.hide
import FieldKit
import Foundation

func storages(folder: URL, transport: any Transport) async throws {
  // snippet.show
  // snippet.storages
  let app = Field(storage: .application("park"), transport: transport)
  let tool = Field(storage: .directory(folder), transport: transport)
  let test = Field(storage: .inMemory, transport: transport)
  // snippet.end

  // snippet.reader
  let widget = Field(storage: .directory(folder, access: .readOnly), transport: transport)
  for entry in try await widget.zoo.listing().prefix(3) { print(entry.name) }
  // snippet.end

  // snippet.deferred
  let boards = Metro(
    storage: .directory(folder.appending(path: "metro"), durability: .deferred),
    transport: transport)
  // snippet.end

  // snippet.protection
  let diary = WalkDiary(
    storage: .application("walks", protection: .completeUnlessOpen), transport: transport)
  // snippet.end

  // snippet.mixed
  let field = Field(
    zoo: Zoo(storage: .directory(folder), transport: transport), metro: boards,
    meteorites: MeteoriteCatalog(storage: .inMemory, transport: transport),
    walks: WalkDiary(storage: .directory(folder), transport: transport),
    civic: CivicDirectory(storage: .directory(folder), transport: transport))
  // snippet.end
  // snippet.hide
  _ = (app, tool, test, field, diary)
}

// snippet.show
// snippet.backup
struct Forecast: StoredRecord {
  var id: String
  var text: String

  static var isBackedUp: Bool { false }
}
// snippet.end
